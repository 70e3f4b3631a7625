public import HandoverMachines

/// Which address a connection is made to, where a name has several.
///
/// Without a delay they are tried one after the other, each when the one before it was refused: one
/// that nobody answers is waited for. With a delay a further one is tried beside the others after
/// each delay, or as soon as one was refused; the first that accepts has won (RFC 8305, 5). The
/// families take turns then, the first address's family first (RFC 8305, 4).
public struct AddressRace: Hashable, Sendable {
  /// How long one is tried before the next one is, too; nil tries one at a time.
  public var delay: Interval?

  /// Makes a race.
  public init(delay: Interval?) {
    self.delay = delay
  }

  /// An address that can be tried.
  public struct Candidate: Hashable, Sendable {
    /// Its place among the addresses of its host.
    public var place: Int
    /// Its family.
    public var family: AddressFamily
    /// How long it takes to accept or to refuse.
    public var connect: Interval
    /// What comes of trying it.
    public var answer: AddressAnswer

    /// Makes a candidate.
    public init(place: Int, family: AddressFamily, connect: Interval, answer: AddressAnswer) {
      self.place = place
      self.family = family
      self.connect = connect
      self.answer = answer
    }
  }

  /// How it ends, as long after its beginning as it says.
  public enum End: Hashable, Sendable {
    /// An address accepts.
    case accepted(place: Int, after: Interval)
    /// All have refused.
    case refused(after: Interval)
    /// One is tried that nobody answers, and no other is left.
    case unanswered
    /// There is none to try.
    case noAddress
  }

  /// Lets addresses race.
  ///
  /// - Parameters:
  ///   - candidates: those that can be tried, in the order in which the name server gives them.
  ///   - serverRefuses: whether the server of all addresses refuses an attempt that it answers at
  ///     this time after the beginning.
  /// - Returns: how it ends.
  public func run(
    _ candidates: [Candidate], serverRefuses: (Interval) -> Bool = { _ in false }
  ) -> End {
    guard !candidates.isEmpty else { return .noAddress }
    var winner: (place: Int, after: Interval)?
    var refusals: [Interval] = []
    var last = Interval.zero
    var (isUnanswered, begin) = (false, Interval.zero)
    for candidate in order(candidates) {
      let end = begin + candidate.connect
      switch serverRefuses(end) ? .refuse : candidate.answer {
      case .accept:
        if winner.map({ end < $0.after }) ?? true { winner = (candidate.place, end) }
      case .refuse:
        refusals.append(end)
        last = max(last, end)
      case .nothing:
        isUnanswered = true
      }
      let refused = refusals.min()
      guard let next = [refused, delay.map { begin + $0 }].compactMap({ $0 }).min() else { break }
      // Each refusal makes room for one.
      if let refused, refused == next, let place = refusals.firstIndex(of: refused) {
        refusals.remove(at: place)
      }
      if let winner, winner.after <= next { break }
      begin = next
    }
    if let winner { return .accepted(place: winner.place, after: winner.after) }
    return isUnanswered ? .unanswered : .refused(after: last)
  }

  /// The order in which addresses are tried.
  func order(_ candidates: [Candidate]) -> [Candidate] {
    delay == nil ? candidates : Self.interleaved(candidates)
  }

  /// The families by turns, each in its order.
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

/// A race while it is run: says which address is tried next, whoever tries it.
///
/// The first is tried at once, a further one after each ``delay`` and after each refusal, and the
/// first that accepts has won. How long they take is the world's to know.
public struct AddressRaceCourse: Hashable, Sendable {
  /// How long after one was tried the next one is, whatever became of it; nil waits for refusals.
  public let delay: Interval?
  private var waiting: ArraySlice<AddressRace.Candidate>
  private var openCount = 0

  /// A race that has not begun.
  ///
  /// - Parameters:
  ///   - race: how addresses race.
  ///   - candidates: those that can be tried, in the order in which the name server gives them.
  public init(_ race: AddressRace, _ candidates: [AddressRace.Candidate]) {
    delay = race.delay
    waiting = race.order(candidates)[...]
  }

  /// Whether there is one that was not tried yet.
  public var hasNext: Bool { !waiting.isEmpty }
  /// Whether none is left that could accept.
  public var isLost: Bool { waiting.isEmpty && openCount == 0 }

  /// Takes the next one to be tried, at the beginning, after a delay or after a refusal; nil where
  /// all are.
  public mutating func next() -> AddressRace.Candidate? {
    guard let next = waiting.popFirst() else { return nil }
    openCount += 1
    return next
  }

  /// One that was tried has refused.
  public mutating func refused() { openCount -= 1 }
}
