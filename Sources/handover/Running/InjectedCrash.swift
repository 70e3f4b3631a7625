import HandoverCore
import HandoverLinux

/// A crash or a hang that a test requests in the environment, to observe its consequences.
///
/// An example is `HANDOVER_TRAP=SIGSEGV:stalls/* [sockets]`. The word before the colon is the name
/// of a signal, `overflow` for a stack overflow, or `hang`. A pattern for names of cases follows.
/// With `SIGSEGV@simulation:`, the crash occurs in the simulation that precedes a run in real time.
struct InjectedCrash: Sendable {
  /// The part of the work in which the crash occurs.
  enum Part: String {
    case run
    case simulation
  }

  private let fault: Fault?
  private let part: Part
  private let cases: Glob

  /// The crash that the environment requests, or `nil` if there is none.
  static var wanted: InjectedCrash? {
    let name = "HANDOVER_TRAP="
    guard let entry = Environment.current.first(where: { $0.hasPrefix(name) }) else { return nil }
    let parts = entry.dropFirst(name.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let words = parts[0].split(separator: "@", maxSplits: 1).map(String.init)
    let fault = words.first.flatMap(Fault.init(named:))
    guard fault != nil || words.first == "hang",
      let part = words.count == 2 ? Part(rawValue: words[1]) : .run
    else { return nil }
    return InjectedCrash(fault: fault, part: part, cases: Glob(String(parts[1])))
  }

  /// Triggers the crash if the case matches.
  func meet(_ id: String, on profile: Profile, in part: Part) {
    guard part == self.part, cases.matches("\(id) [\(profile.name)]") else { return }
    guard let fault else { Self.hang() }
    fault.provoke()
  }

  /// Blocks forever.
  static func hang() -> Never {
    while true { _ = try? waitReadable([], atMost: nil) }
  }
}
