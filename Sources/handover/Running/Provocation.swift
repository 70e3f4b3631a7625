import HandoverCore
import HandoverLinux

/// A fault or a halt that is asked for, so that it can be seen what becomes of one:
/// `HANDOVER_TRAP=SIGSEGV:stalls/* [sockets]`, in the environment.
///
/// The word before the colon is the name of a signal, `overflow` for the stack, or `hang`; then
/// comes a pattern over names of cases. `SIGSEGV@simulation:` is about the simulation that goes
/// before a run in real time.
struct Provocation: Sendable {
  /// The part of the work in which it happens.
  enum Part: String {
    case run
    case simulation
  }

  private let fault: Fault?
  private let part: Part
  private let cases: Glob

  /// What the environment asks for; nil where it asks for nothing.
  static var wanted: Provocation? {
    let name = "HANDOVER_TRAP="
    guard let entry = Environment.current.first(where: { $0.hasPrefix(name) }) else { return nil }
    let parts = entry.dropFirst(name.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let words = parts[0].split(separator: "@", maxSplits: 1).map(String.init)
    let fault = words.first.flatMap(Fault.init(named:))
    guard fault != nil || words.first == "hang",
      let part = words.count == 2 ? Part(rawValue: words[1]) : .run
    else { return nil }
    return Provocation(fault: fault, part: part, cases: Glob(String(parts[1])))
  }

  /// Makes it happen where the case is meant.
  func meet(_ id: String, on profile: Profile, in part: Part) {
    guard part == self.part, cases.matches("\(id) [\(profile.name)]") else { return }
    guard let fault else { Self.hang() }
    fault.provoke()
  }

  /// Never comes back.
  static func hang() -> Never {
    while true { _ = try? waitReadable([], atMost: nil) }
  }
}
