import ArgumentParser
import HandoverCore
import HandoverScenario

#if canImport(HandoverNetlink)
  import HandoverLinux
  import HandoverNetlink
#endif

/// What commands take that look at the live network.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The IPv4 or IPv6 address to reach. Without it, whatever the IPv4 default route reaches.",
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
      "A name or pattern of interfaces that count as WiFi in any case; may be repeated.",
      valueName: "name"))
  var wifi: [String] = []

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End after this time, such as 90s or 2min.", valueName: "duration"))
  var duration: String?

  func validate() throws {
    if let duration, (TimeNotation.interval(duration)?.microseconds ?? 0) <= 0 {
      throw ValidationError("--for takes a time such as 500ms, 90s or 2min, not \"\(duration)\".")
    }
    #if canImport(HandoverNetlink)
      if let target, !Self.isAddress(target) {
        throw ValidationError(
          "--target takes an address such as 192.0.2.1 or 2001:db8::1, not \"\(target)\".")
      }
    #endif
  }
}

#if canImport(HandoverNetlink)
  extension LiveOptions {
    private static func isAddress(_ text: String) -> Bool { IPAddress(text) != nil }

    /// The address that is meant.
    var address: IPAddress { target.flatMap { IPAddress($0) } ?? ReachabilityProbe.anywhere }

    /// Which interfaces are cellular; what the user says of one comes first.
    var rule: CellularRule {
      CellularRule(cellular.map { .init($0, .cellular) } + wifi.map { .init($0, .wifi) })
    }

    /// Follows the live network until a signal comes, the time is over, or `body` answers false.
    ///
    /// - Returns: the status that goes with the signal; nil where none came.
    func follow(_ body: (ReachabilityChange) -> Bool) throws -> ExitStatus? {
      let interruption = Interruption()
      try interruption.listen()
      // Whoever follows ends by itself, and what it then writes is to be whole.
      interruption.asLastResort { .inHand }
      do throws(LinuxError) {
        let ending = try Wakening()
        interruption.whenReceived { ending.signal() }
        let probe = try ReachabilityProbe(target: address, cellular: rule)
        let length = duration.flatMap(TimeNotation.interval)?.microseconds
        try probe.follow(until: ending, deadline: length.map { monotonicMicroseconds() + $0 }, body)
      } catch {
        printError("error: the network cannot be watched: \(error)")
        throw Leave(.breakdown)
      }
      return interruption.exitStatus
    }
  }
#else
  extension LiveOptions {
    /// Says that the command needs another system.
    static func refuse(_ command: String) -> Leave {
      printError("error: handover \(command) needs Linux: it asks the kernel by netlink")
      return Leave(.badInput)
    }
  }
#endif
