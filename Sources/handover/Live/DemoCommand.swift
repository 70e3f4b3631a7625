import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverNIO
import HandoverReport

/// The command `handover lab demo`, which shows the documented stall on real sockets and its
/// remedy.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show a real connection that stalls when WiFi appears.",
    discussion: """
      Creates a device with a cellular and a WiFi interface, an access point, a
      carrier's gateway and a server from network namespaces. This machine's network
      is not changed, and no packet leaves the machine. A call sends a message every
      half second over cellular. Then WiFi appears, and the connection stalls
      without an error. The second part shows how a connectivity monitor ends the
      call.

      Examples:
        handover lab demo
        handover lab demo --watch 60s    watch the stall for a minute
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("How long to watch the stall, from 1s to 20min.", valueName: "time"))
  var watch = TimeLength(.seconds(8))

  @Option(name: .long, help: "Color: auto, always or never.")
  var color = ColorChoice.auto

  func validate() throws {
    guard (Interval.seconds(1)...Interval.minutes(20)).contains(watch.interval) else {
      throw ValidationError("--watch must be a time from 1s to 20min, such as --watch 60s.")
    }
  }

  func run() throws {
    try LabEntry.enter(isRequired: true)
    let interruption = Interruption()
    try interruption.listen()
    interruption.leaveWhenReceived()
    say("A device, an access point, a carrier and a server, made from network namespaces.\n")
    let stall = try play(.sockets, "Plain sockets", lasting: watch.interval)
    let cure = try play(.socketsMonitor, "With the connectivity monitor", lasting: .seconds(1))
    let waited = stall.sinceChange.map { " \($0.measured)" } ?? ""
    say("Summary")
    say("  Plain sockets: the call still waited\(waited) after WiFi had appeared, without an")
    say("  error. It would wait until the kernel gives up, about 15 minutes later.")
    if let end = cure.ended {
      say(
        "  With the monitor: the call ended \(end.code) \(end.after.measured) after the change.")
    }
    say("\nNext: handover run Scenarios/transitions --backend nio --jobs 8")
    guard stall.ended == nil, cure.ended?.code == .unavailable else { throw ExitError(.failure) }
  }

  /// The outcome of one part.
  private struct Outcome {
    /// The status of the call and the time from the change to its end.
    var ended: (code: StatusCode, after: Interval)?
    /// The time for which the call was watched after the change.
    var sinceChange: Interval?
  }

  /// The instant at which WiFi appears.
  private static let change = Instant(microseconds: 2_000_000)
  /// The interval between messages.
  private static let period = Interval.milliseconds(500)

  /// Returns a script with a call that sends messages, the appearance of WiFi and a later second
  /// call.
  private func script(lasting: Interval) -> Script {
    var script = Script()
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: "api.example:443")]
    script.calls = [ScriptCall(id: "call", host: 0, kind: .bidi, takes: nil)]
    script.entries = [ScriptEntry(at: .zero, action: .startCall(0))]
    let end = Self.change + lasting
    var next = Instant.zero + Self.period
    while next < end {
      if next == Self.change {
        script.entries.append(
          ScriptEntry(
            at: next,
            action: .flags([.reachable], path: nil, linksUp: [], linksDown: [])))
      }
      script.entries.append(ScriptEntry(at: next, action: .send(0, bytes: 1_024)))
      next = next + Self.period
    }
    return script
  }

  private func play(
    _ profile: Profile, _ title: String, lasting: Interval
  ) throws -> Outcome {
    let script = script(lasting: lasting)
    let end = Self.change + lasting
    var options = RealTime.Options()
    options.maxDuration = lasting + .minutes(1)
    options.tolerance = .zero
    let backend = NIOBackend(in: LabNetworks(), options: options) { _, _ in end }
    var commentary = Commentary(script, change: Self.change)
    say(title)
    do throws(BackendError) {
      let session = try backend.makeSession()
      var trace = Trace()
      try session.open(script, profile: profile, into: &trace)
      for (index, entry) in script.entries.enumerated() {
        try session.advance(before: entry.at, into: &trace)
        commentary.describe(trace, at: entry.at)
        try session.play(index, into: &trace)
      }
      try session.advance(through: end, into: &trace)
      commentary.describe(trace, at: end)
      _ = try session.close(at: end, into: &trace)
    } catch {
      throw ExitError(.breakdown, printing: "\(error.message)")
    }
    say("")
    return Outcome(ended: commentary.ended, sinceChange: end.since(Self.change))
  }

  /// A line-by-line description of a run while it happens.
  private struct Commentary {
    private let script: Script
    private let change: Instant
    private(set) var ended: (code: StatusCode, after: Interval)?
    private var reported = 0
    private var written = 0
    private var read = 0
    private var lastSecond: Int64 = -1

    init(_ script: Script, change: Instant) {
      self.script = script
      self.change = change
    }

    mutating func describe(_ trace: Trace, at now: Instant) {
      for record in trace.records[reported...] { describe(record) }
      reported = trace.records.count
      // Print at most one line per second.
      let second = now.microseconds / 1_000_000
      guard ended == nil, second != lastSecond, second > 0 else { return }
      lastSecond = second
      line(now, "\(counted(written, "message")) written, \(read) read by the server; no error")
    }

    private mutating func describe(_ record: TraceRecord) {
      switch record.body {
      case .effect(.sendMessages(_, _, let count, _)): written += Int(count)
      case .world(.serverReadMessages(_, _, let count)): read += Int(count)
      case .event(.pool(.connected)): line(record.at, "the call is connected")
      case .event(.reachability(.callback(let flags))):
        line(record.at, "the monitor receives: \(NetworkCategory(flags))")
      case .world(.entryPlayed(let index)):
        guard case .flags = script.entries[Int(index)].action else { return }
        line(record.at, "WiFi appears: its interface comes up and takes the default route")
      case .effect(.endCall(_, let end)) where ended == nil && record.at >= change:
        ended = (end.code, record.at.since(change))
        line(record.at, "the call ends \(end.code): \(end.text.text)")
      case .event, .effect, .world, .chain, .request: break
      }
    }

    private func line(_ at: Instant, _ text: String) {
      let time = at.exactText
      say("  " + String(repeating: " ", count: max(0, 11 - time.count)) + time + "  " + text)
    }
  }
}
