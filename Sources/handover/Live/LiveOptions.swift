import ArgumentParser
import HandoverCore
import HandoverLinux
import HandoverNetlink
import HandoverScenario

/// The options of commands that observe the live network.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The IPv4 or IPv6 address to reach. Default: the IPv4 default route.",
      valueName: "address"))
  var target: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A name or pattern of interfaces that count as cellular, in addition to wwan*, ppp*, "
        + "rmnet* and ccmni*; may be repeated.", valueName: "name"))
  var cellular: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A name or pattern of interfaces that always count as WiFi; may be repeated.",
      valueName: "name"))
  var wifi: [String] = []

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End after this time, such as 90s or 2min.", valueName: "duration"))
  var duration: String?

  func validate() throws {
    if let duration, (TimeNotation.interval(duration)?.microseconds ?? 0) <= 0 {
      throw ValidationError("--for must be a time such as 500ms, 90s or 2min, not \"\(duration)\".")
    }
    if let target, !Self.isAddress(target) {
      throw ValidationError(
        "--target must be an address such as 192.0.2.1 or 2001:db8::1, not \"\(target)\".")
    }
  }
}

extension LiveOptions {
  private static func isAddress(_ text: String) -> Bool { IPAddress(text) != nil }

  /// The target address.
  var address: IPAddress { target.flatMap { IPAddress($0) } ?? ReachabilityProbe.anywhere }

  /// The rule for cellular interfaces; the user's choices take precedence.
  var rule: CellularRule {
    CellularRule(cellular.map { .init($0, .cellular) } + wifi.map { .init($0, .wifi) })
  }

  /// Follows the live network until a signal arrives, the time is over, or `body` returns
  /// `false`.
  ///
  /// - Returns: The status for the signal, or `nil` if none arrived.
  func follow(_ body: (ReachabilityChange) -> Bool) throws -> ExitStatus? {
    let interruption = Interruption()
    try interruption.listen()
    // The caller stops by itself on a signal and must be able to complete its output.
    interruption.asLastResort { .alreadyFinishing }
    do throws(LinuxError) {
      let ending = try WakeupPipe()
      interruption.whenReceived { ending.signal() }
      let probe = try ReachabilityProbe(target: address, cellular: rule)
      let length = duration.flatMap(TimeNotation.interval)?.microseconds
      try probe.follow(until: ending, deadline: length.map { monotonicMicroseconds() + $0 }, body)
    } catch {
      throw ExitError(.breakdown, printing: "error: cannot watch the network: \(error)")
    }
    return interruption.exitStatus
  }
}
