import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// The scenarios of all pairs of flags.
///
/// The tests compare the files with their generator, and the expectations with the specifications,
/// whose rules are restated here.
@Suite("The pairs of flags")
struct PairsTests {
  static let pairs: [Pair] = {
    var pairs: [Pair] = []
    for isBackground in [false, true] {
      for before in 0..<8 {
        for after in 0..<8 {
          pairs.append(Pair(before: before, after: after, isBackground: isBackground))
        }
      }
    }
    return pairs
  }()

  @Test("make pairs writes every file byte for byte")
  func generator() throws {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "pairs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", Repository.root.appending(path: "Tests/Tools/pairs").path, scratch.path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let kept = Corpus.folder.appending(path: "pairs")
    let names = Corpus.jsonFiles(below: scratch)
    #expect(names.count == 128)
    #expect(names == Corpus.jsonFiles(below: kept))
    for name in names {
      let written = try Data(contentsOf: scratch.appending(path: name))
      let there = try Data(contentsOf: kept.appending(path: name))
      #expect(written == there, "\(name) is not what `make pairs` writes")
    }
  }

  @Test("Each pair has a scenario with the right timeline", arguments: pairs)
  func story(_ pair: Pair) throws {
    let scenario = try #require(try Corpus.reading(pair.path).scenario)
    #expect(scenario.profiles.map(\.name) == Pair.profiles)
    #expect(scenario.script.initial.flags.rawValue == pair.raw(pair.before))
    #expect(scenario.script.initial.app == .foreground)
    #expect(scenario.script.hosts.map(\.connect) == [.milliseconds(50)])
    #expect(scenario.script.calls.map(\.kind) == [.streaming, .unary])
    #expect(scenario.script.calls.map(\.deadline) == [.seconds(20), .seconds(10)])
    #expect(scenario.script.calls.map(\.takes) == [nil, .milliseconds(10)])
    let change = ScriptAction.flags(
      ReachabilityFlags(rawValue: pair.raw(pair.after)), path: nil, linksUp: [], linksDown: [])
    let actions: [ScriptAction] =
      pair.isBackground
      ? [.startCall(0), .app(.background), change, .app(.foreground), .startCall(1)]
      : [.startCall(0), change, .startCall(1)]
    #expect(scenario.script.entries.map(\.action) == actions)
    #expect(
      scenario.script.entries.map(\.at.microseconds)
        == actions.indices.map { Int64($0) * 1_000_000 })
  }

  @Test("Each scenario expects on every profile what the specifications require", arguments: pairs)
  func expectations(_ pair: Pair) throws {
    let scenario = try #require(try Corpus.reading(pair.path).scenario)
    for profile in Pair.profiles {
      let expected = scenario.expectations.filter { $0.profiles.map(\.name).contains(profile) }
      #expect(expected.allSatisfy { $0.level == .must && !$0.isNever })
      let seen = Set(expected.map { Seen(subject: $0.subject, moment: $0.moment) })
      #expect(seen.count == expected.count)
      #expect(seen == pair.documented(on: profile), "\(profile)")
    }
  }
}

/// The subject of an expectation, and its time.
struct Seen: Hashable {
  var subject: Expectation.Subject
  var moment: Expectation.Moment?

  /// Creates an observation at an instant in milliseconds.
  init(_ milliseconds: Int64, _ subject: Expectation.Subject) {
    self.subject = subject
    moment = .at(Instant(microseconds: milliseconds * 1_000))
  }

  init(subject: Expectation.Subject, moment: Expectation.Moment?) {
    self.subject = subject
    self.moment = moment
  }
}

/// Two values of the flags Reachable, ConnectionRequired and IsWWAN, as binary numbers.
struct Pair: Sendable, CustomTestStringConvertible {
  var before: Int
  var after: Int
  var isBackground: Bool

  static let profiles = ["sockets", "sockets-monitor", "cfstream", "sockets-2017"]

  /// The rows of the table in the specification, with `X` expanded.
  static let table: [String: Network] = [
    "000": .none, "001": .none, "010": .none, "011": .none,
    "110": .none, "111": .none, "100": .wifi, "101": .cellular,
  ]

  enum Network { case none, wifi, cellular }

  /// The effect on the connection, by the rules for leaving a path.
  enum Fate {
    /// The device does not leave its path, or there was no connection.
    case undisturbed
    /// Rules (a) and (c): no error, no data.
    case stalls
    /// Rules (b) and (d): an error, or an event.
    case breaks
    /// The monitor reports a different category: the channel is destroyed with its connection.
    case destroyed
  }

  var testDescription: String { path }
  var path: String {
    let folder = isBackground ? "background" : "foreground"
    return "pairs/\(folder)/\(digits(before))-to-\(digits(after)).json"
  }

  func digits(_ value: Int) -> String {
    String(repeating: "0", count: value < 2 ? 2 : value < 4 ? 1 : 0) + String(value, radix: 2)
  }

  /// Returns the system's bits: Reachable is bit 1, ConnectionRequired bit 2, IsWWAN bit 18.
  func raw(_ value: Int) -> UInt32 {
    (value & 4 == 0 ? 0 : 1 << 1) | (value & 2 == 0 ? 0 : 1 << 2) | (value & 1 == 0 ? 0 : 1 << 18)
  }

  private var networks: (old: Network, new: Network) {
    (Self.table[digits(before)] ?? .none, Self.table[digits(after)] ?? .none)
  }

  func fate(on profile: String) -> Fate {
    let (old, new) = networks
    if old == new { return .undisturbed }
    switch profile {
    case "sockets-monitor", "sockets-2017":
      return .destroyed
    case "cfstream":
      return old == .none ? .undisturbed : .breaks
    default:
      if old == .none { return .undisturbed }
      return isBackground || (old == .cellular && new == .wifi) ? .stalls : .breaks
    }
  }

  /// Returns everything that is observable on a profile.
  func documented(on profile: String) -> Set<Seen> {
    let fate = fate(on: profile)
    let hasMonitor = profile == "sockets-monitor" || profile == "sockets-2017"
    var seen: Set<Seen> = [endOfFirst(fate), endOfNext(fate)]
    let atFirst: ChannelState = networks.old == .none ? .transientFailure : .ready
    let news: Int64 = isBackground ? 3_000 : 1_000
    if isBackground {
      // Nothing reaches a client that is suspended.
      seen.insert(Seen(2_000, channels(alive: 1, atFirst)))
      if hasMonitor { seen.insert(Seen(2_000, .monitor(notifications: 0))) }
    }
    switch fate {
    case .undisturbed, .stalls: seen.insert(Seen(news, channels(alive: 1, atFirst)))
    case .breaks: seen.insert(Seen(news, channels(alive: 1, .transientFailure)))
    case .destroyed: seen.insert(Seen(news, channels(alive: 0, nil)))
    }
    if hasMonitor {
      seen.insert(Seen(news, .monitor(notifications: networks.old == networks.new ? 0 : 1)))
    }
    return seen
  }

  private func channels(alive: Int, _ state: ChannelState?) -> Expectation.Subject {
    .channels(.one(0), alive: alive, destroyed: 1 - alive, state: state)
  }

  /// Returns how the call ends that started before the change.
  private func endOfFirst(_ fate: Fate) -> Seen {
    func end(_ milliseconds: Int64, _ status: StatusCode, _ message: String?) -> Seen {
      Seen(milliseconds, .call(0, status: status, message: message, channel: .new))
    }
    if networks.old == .none { return end(0, .unavailable, "Network is unreachable") }
    let news: Int64 = isBackground ? 3_000 : 1_000
    return switch fate {
    case .undisturbed, .stalls: end(20_000, .deadlineExceeded, nil)
    case .breaks: end(news, .unavailable, "Software caused connection abort")
    case .destroyed: end(news, .unavailable, "Connectivity lost.")
    }
  }

  /// Returns how the call ends that starts a second after the callback.
  private func endOfNext(_ fate: Fate) -> Seen {
    let start: Int64 = isBackground ? 4_000 : 2_000
    func end(_ milliseconds: Int64, _ status: StatusCode, _ message: String? = nil) -> Seen {
      Seen(
        start + milliseconds,
        .call(1, status: status, message: message, channel: fate == .destroyed ? .new : .same))
    }
    // To its channel, a stalled connection looks like any other.
    if fate == .stalls { return end(10_000, .deadlineExceeded) }
    if networks.new == .none { return end(0, .unavailable, "Network is unreachable") }
    let hasConnection = fate == .undisturbed && networks.old != .none
    return end(hasConnection ? 10 : 60, .ok)
  }
}
