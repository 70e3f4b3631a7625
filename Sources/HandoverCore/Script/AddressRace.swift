/// The order in which a connection attempt tries the addresses of a host.
///
/// Without a delay, the client tries one address at a time and moves on when the address refuses.
/// An address that does not answer blocks the attempt.
///
/// With a delay, the client starts another attempt in parallel after each delay, and immediately
/// after each refusal. The first address that accepts wins (RFC 8305, 5). In this mode, the address
/// families alternate, starting with the family of the first address (RFC 8305, 4).
public struct AddressRace: Hashable, Sendable {
  /// The time after which the next address is tried in parallel, or `nil` to try one at a time.
  public var delay: Interval?

  /// Creates a race.
  public init(delay: Interval?) {
    self.delay = delay
  }

  /// An address that can be tried.
  public struct Candidate: Hashable, Sendable {
    /// The index of the address in the address list of its host.
    public var position: Int
    /// The address family.
    public var family: AddressFamily
    /// The time until the address accepts or refuses.
    public var connect: Interval
    /// The answer to the first packet.
    public var answer: AddressAnswer

    /// Creates a candidate.
    public init(position: Int, family: AddressFamily, connect: Interval, answer: AddressAnswer) {
      self.position = position
      self.family = family
      self.connect = connect
      self.answer = answer
    }
  }

  /// The end of a race, with the time from the beginning of the race.
  public enum End: Hashable, Sendable {
    /// An address accepted.
    case accepted(position: Int, after: Interval)
    /// All addresses refused.
    case refused(after: Interval)
    /// No address is left to try, and at least one attempt got no answer.
    case unanswered
    /// There was no address to try.
    case noAddress
  }

  /// Runs the race.
  ///
  /// - Parameters:
  ///   - candidates: the addresses to try, in the order of the name server's answer.
  ///   - answer: the answer of an address that is tried at this time after the beginning, and the
  ///     time after the beginning at which the answer arrives.
  /// - Returns: the end of the race.
  public func run(
    _ candidates: [Candidate],
    answer: (Candidate, Interval) -> (answer: AddressAnswer, after: Interval) = {
      ($0.answer, $1 + $0.connect)
    }
  ) -> End {
    guard !candidates.isEmpty else { return .noAddress }
    var winner: (position: Int, after: Interval)?
    var refusals: [Interval] = []
    var last = Interval.zero
    var (isUnanswered, begin) = (false, Interval.zero)
    for candidate in order(candidates) {
      let (answer, end) = answer(candidate, begin)
      switch answer {
      case .accept:
        if winner.map({ end < $0.after }) ?? true { winner = (candidate.position, end) }
      case .refuse:
        refusals.append(end)
        last = max(last, end)
      case .nothing:
        isUnanswered = true
      }
      let refused = refusals.min()
      guard let next = [refused, delay.map { begin + $0 }].compactMap({ $0 }).min() else { break }
      // Each refusal frees a slot for the next attempt.
      if let refused, refused == next, let position = refusals.firstIndex(of: refused) {
        refusals.remove(at: position)
      }
      if let winner, winner.after <= next { break }
      begin = next
    }
    if let winner { return .accepted(position: winner.position, after: winner.after) }
    return isUnanswered ? .unanswered : .refused(after: last)
  }

  /// Returns the candidates in the order in which they are tried.
  func order(_ candidates: [Candidate]) -> [Candidate] {
    delay == nil ? candidates : Self.interleaved(candidates)
  }

  /// Alternates the families, and keeps the order within each family.
  private static func interleaved(_ candidates: [Candidate]) -> [Candidate] {
    guard let family = candidates.first?.family else { return [] }
    var (own, other) = (
      candidates.filter { $0.family == family }[...], candidates.filter { $0.family != family }[...]
    )
    var ordered: [Candidate] = []
    while let first = own.popFirst() {
      ordered.append(first)
      if let second = other.popFirst() { ordered.append(second) }
    }
    return ordered + other
  }
}

/// The state of a race in progress, which decides which address is tried next.
///
/// The first address is tried immediately, and another one after each ``delay`` and after each
/// refusal. The first that accepts wins. The caller makes the attempts and measures their duration.
public struct AddressRaceProgress: Hashable, Sendable {
  /// The time after an attempt starts at which the next one starts, or `nil` to wait for a refusal.
  public let delay: Interval?
  private var waiting: ArraySlice<AddressRace.Candidate>
  private var openCount = 0

  /// Creates a race that has not begun.
  ///
  /// - Parameters:
  ///   - race: the rules of the race.
  ///   - candidates: the addresses to try, in the order of the name server's answer.
  public init(_ race: AddressRace, _ candidates: [AddressRace.Candidate]) {
    delay = race.delay
    waiting = race.order(candidates)[...]
  }

  /// Whether there is an address that was not tried yet.
  public var hasNext: Bool { !waiting.isEmpty }
  /// Whether no address is left that could accept.
  public var isExhausted: Bool { waiting.isEmpty && openCount == 0 }

  /// Removes and returns the next address to try, or returns `nil` if all were tried.
  ///
  /// Call this at the beginning, after each delay and after each refusal.
  public mutating func next() -> AddressRace.Candidate? {
    guard let next = waiting.popFirst() else { return nil }
    openCount += 1
    return next
  }

  /// Records that an address refused.
  public mutating func recordRefusal() { openCount -= 1 }
}
