import ArgumentParser
import HandoverEngine

/// The thresholds that fail a case in addition to the expectations of its scenario.
struct GateOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Fail each case in which a call hangs for longer than this after a network change, such as "
        + "5s, or never ends.", valueName: "time"))
  var maxHang: TimeLength?

  @Flag(name: .long, help: "Fail each case in which a recommendation (should) is not met.")
  var strict = false

  /// The thresholds in the form that the engine uses.
  var gates: Gates {
    var gates = Gates()
    gates.maxHang = maxHang?.interval
    gates.isStrict = strict
    return gates
  }
}
