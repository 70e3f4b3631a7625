public import HandoverMachines

/// The verdict on a program in one word.
public enum TryWord: String, Hashable, Sendable, CaseIterable {
  /// No connection was lost.
  case unharmed = "UNHARMED"
  /// The program lost little time.
  case recovers = "RECOVERS"
  /// The program lost much time, or did not come back and still tries.
  case late = "LATE"
  /// The program waits on a connection that carries nothing.
  case hangs = "HANGS"
  /// The program ended, or stopped trying.
  case givesUp = "GIVES UP"
  /// The program ended a connection that could have continued.
  case cuts = "CUTS"
  /// The observations allow no verdict.
  case inconclusive = "INCONCLUSIVE"

  /// All words, the worst first; the one without a verdict is last.
  public static let fromWorst: [TryWord] = [
    .hangs, .givesUp, .late, .cuts, .recovers, .unharmed, .inconclusive,
  ]

  /// The place among all words, the worst first.
  public var rank: Int { Self.fromWorst.firstIndex(of: self) ?? Self.fromWorst.count }
}

/// Something that was outstanding when the watch ended.
public enum Demand: Hashable, Sendable {
  /// Bytes of the program that the server does not acknowledge.
  case unacknowledged(bytes: Int)
  /// Bytes of servers that do not reach the device.
  case undelivered(bytes: Int)
  /// Bytes of servers that the program does not read, although its connection works.
  case unread(bytes: Int)
  /// Connections that are being opened and are not answered.
  case connecting(count: Int)
  /// Datagrams without an answer.
  case unanswered(count: Int)
  /// Datagrams of servers that do not arrive.
  case unheard(count: Int)
}

/// The reason why a verdict is not possible.
public enum Doubt: Hashable, Sendable {
  /// The network did not change: the program ended before, or no data came that would start it.
  case neverMoved
  /// No application data came before the change.
  case silentBefore
  /// The program ended before the change.
  case overBefore
  /// Even without a change, application data comes too rarely to compare.
  case hearsSeldom
  /// The program holds a dead connection, and nothing was outstanding on it.
  case nothingToCarry
  /// The program ended, as it does without a change.
  case endsAnyway
  /// There was no connection or flow that the fault could have affected.
  case nothingMet
  /// The machine stood still for this time, and without that the verdict would be another one.
  case stoodStill(Interval)
}

/// A part of the evidence that does not decide the verdict.
public enum TryNote: Hashable, Sendable {
  /// The program still holds connections that carry nothing any more.
  case leavesDeadOpen(count: Int)
  /// The program ended a connection that could have continued.
  case cuts
  /// The program uses a new connection, and leaves one open that works.
  case abandons
  /// Application data comes from another server than before.
  case failover(from: ServerEndpoint, to: ServerEndpoint)
  /// Short connections failed while a longer one survived.
  case shortConnectionsFailed(count: Int)
  /// Application data comes at another rate; both in tenths per second.
  case rate(before: Int, after: Int)
  /// The time that decides is within 5 % of this limit.
  case atLimit(Interval)
  /// The program's socket rejected datagrams, because they came from an address it had not asked.
  case rejected(count: Int, from: FlowEnd)
  /// The device received ICMP errors of this meaning.
  case icmp(words: String, count: Int)
}

/// The verdict on a program at one move.
public struct TryVerdict: Hashable, Sendable {
  /// The verdict in one word.
  public var word: TryWord
  /// The reason if there is no verdict.
  public var doubt: Doubt?
  /// Whether application data is still missing when the watch ends.
  public var isIncomplete = false
  /// The server on which the verdict rests; nil if the program uses only one.
  public var endpoint: ServerEndpoint?
  /// From the change to the first sign that the program noticed; nil if none was seen.
  public var notices: Interval?
  /// From the change to the first application data on a working connection; nil if none came.
  public var recovers: Interval?
  /// From the change until a new connection would work.
  public var outage = Interval.zero
  /// The longest time without application data since the last before the change.
  public var silence: Interval
  /// How much longer that is than the program's rhythm and the outage explain.
  public var excess = Interval.zero
  /// The longest excess with which the program counts as unharmed; nil if it cannot.
  public var limit: Interval?
  /// The number of connections that the program tried after the change.
  public var attempts: Int
  /// The number of those that were never answered.
  public var deadAttempts: Int
  /// The number of those that failed without a frame.
  public var unframedAttempts = 0
  /// From the last attempt to the end of the watch; nil if there was no attempt.
  public var sinceLastAttempt: Interval?
  /// The work that was outstanding at the end of the watch.
  public var demands: [Demand]
  /// How long the program was watched since a new connection would have worked.
  public var watched: Interval
  /// A dead connection that the program still holds; nil if there is none.
  public var deadConnection: Flow?
  /// The options of that connection's socket; nil if they are unknown.
  public var options: SocketOptions?
  /// How the program ended; nil if it did not.
  public var programEnd: ProgramEnd?
  /// From the change to that end; nil if it was before.
  public var endsAfter: Interval?
  /// Further evidence.
  public var notes: [TryNote] = []

  /// Whether the program fails at this move, without any limit of the user.
  public var isFailure: Bool {
    word == .hangs || word == .givesUp || word == .late && isIncomplete
  }

  /// From the moment at which a new connection would work to the first application data; nil if
  /// the data did not come back.
  public var outageOfProgram: Interval? {
    guard let recovers, !isFailure else { return nil }
    return Interval(microseconds: max(0, recovers.microseconds - outage.microseconds))
  }
}

extension TryVerdict {
  init(_ observation: TryObservation) {
    word = .inconclusive
    silence = .zero
    attempts = 0
    deadAttempts = 0
    demands = []
    watched = .zero
    programEnd = observation.programEnd
  }
}
