import ArgumentParser
import HandoverEngine

/// What fails a case besides what its scenario expects.
struct GateOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Fail each case in which a call hangs for longer after a change of the network, or never "
        + "ends.", valueName: "time"))
  var maxHang: TimeLength?

  @Flag(name: .long, help: "Fail each case in which a recommendation (should) is not met.")
  var strict = false

  /// The gates as the engine takes them.
  var gates: Gates {
    var gates = Gates()
    gates.maxHang = maxHang?.interval
    gates.isStrict = strict
    return gates
  }
}
