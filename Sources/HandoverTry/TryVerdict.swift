public import HandoverCore

/// The kind of a verdict on a program.
public enum TryOutcome: String, Hashable, Sendable, CaseIterable {
  /// No connection was lost.
  case unharmed = "UNHARMED"
  /// The program lost little time.
  case recovers = "RECOVERS"
  /// The program lost much time, or did not recover but still tries.
  case late = "LATE"
  /// The program waits on a connection that carries nothing.
  case hangs = "HANGS"
  /// The program ended, or stopped trying.
  case givesUp = "GIVES UP"
  /// The program ended a connection that could have continued.
  case cuts = "CUTS"
  /// The observations allow no verdict.
  case inconclusive = "INCONCLUSIVE"

  /// All verdicts, the worst first; `inconclusive` is last.
  public static let fromWorst: [TryOutcome] = [
    .hangs, .givesUp, .late, .cuts, .recovers, .unharmed, .inconclusive,
  ]

  /// The rank among all verdicts, 0 for the worst.
  public var rank: Int { Self.fromWorst.firstIndex(of: self) ?? Self.fromWorst.count }
}

/// Work that was outstanding when the observation ended.
public enum PendingWork: Hashable, Sendable {
  /// Bytes of the program that the server does not acknowledge.
  case unacknowledged(bytes: Int)
  /// Bytes of servers that do not reach the device.
  case undelivered(bytes: Int)
  /// Bytes of servers that the program does not read although its connection works.
  case unread(bytes: Int)
  /// Connections that are being opened and are not answered.
  case connecting(count: Int)
  /// Datagrams without an answer.
  case unanswered(count: Int)
  /// Datagrams of servers that do not arrive.
  case undeliveredDatagrams(count: Int)
}

/// The reason why a verdict is not possible.
public enum InconclusiveReason: Hashable, Sendable {
  /// The network did not change, because the program ended first or the data that triggers the
  /// change never came.
  case networkUnchanged
  /// No application data came before the change.
  case silentBefore
  /// The program ended before the change.
  case endedBeforeChange
  /// Even without a change, application data arrives too rarely to compare.
  case dataTooRare
  /// The program holds a dead connection, but no work was outstanding on it.
  case nothingOutstanding
  /// The program ended as it does without a change.
  case endsAnyway
  /// There was no connection or flow that the fault could have affected.
  case noAffectedConnection
  /// The machine was paused for this time; without the pause, the verdict would be different.
  case machinePaused(Interval)
}

/// A piece of evidence that does not decide the verdict.
public enum TryNote: Hashable, Sendable {
  /// The program still holds connections that no longer carry data.
  case keepsDeadConnection(count: Int)
  /// The program ended a connection that could have continued.
  case cuts
  /// The program uses a new connection and leaves a working one open.
  case abandons
  /// Application data comes from another server than before.
  case failover(from: ServerEndpoint, to: ServerEndpoint)
  /// Short connections failed while a longer one survived.
  case shortConnectionsFailed(count: Int)
  /// The program lost messages.
  case lost(count: Int)
  /// The program received messages that it had received before.
  case duplicates(count: Int)
  /// The program subscribed more often than without a network change.
  case subscriptions(count: Int)
  /// Application data comes at a different rate; both rates are in tenths per second.
  case rate(before: Int, after: Int)
  /// The decisive time is within 5 % of this limit.
  case atLimit(Interval)
  /// The program's socket rejected datagrams, because they came from an address it had not sent to.
  case rejected(count: Int, from: FlowEnd)
  /// The device received ICMP errors with this meaning.
  case icmp(phrase: String, count: Int)
}

/// The verdict on a program for one network change.
public struct TryVerdict: Hashable, Sendable {
  /// The kind of the verdict.
  public var outcome: TryOutcome
  /// The reason if there is no verdict.
  public var inconclusiveReason: InconclusiveReason?
  /// Whether application data is still missing when the observation ends.
  public var isIncomplete = false
  /// The server that decides the verdict, or `nil` if the program uses only one.
  public var endpoint: ServerEndpoint?
  /// The time from the change to the first sign that the program noticed, or `nil` if none was
  /// seen.
  public var notices: Interval?
  /// The time from the change to the first application data on a working connection, or `nil` if
  /// none came.
  public var recovers: Interval?
  /// The parts of the time from the change to that data, in order.
  public var legs: [RecoveryLeg] = []
  /// The messages that the program lost or received several times.
  public var messages = MessageCounts()
  /// The time from the change until a new connection would work.
  public var outage = Interval.zero
  /// The longest time without application data, counted from the last arrival before the change.
  public var silence: Interval
  /// The part of the silence that neither the program's rhythm nor the outage explains.
  public var excess = Interval.zero
  /// The longest excess with which the program counts as unharmed, or `nil` if it cannot.
  public var limit: Interval?
  /// The number of connections that the program tried after the change.
  public var attempts: Int
  /// The number of those attempts that were never answered.
  public var deadAttempts: Int
  /// The number of those attempts that failed without a frame.
  public var unframedAttempts = 0
  /// The time from the last attempt to the end of the observation, or `nil` if there was no
  /// attempt.
  public var sinceLastAttempt: Interval?
  /// The work that was outstanding at the end of the observation.
  public var pendingWork: [PendingWork]
  /// The length of the observation after a new connection would have worked.
  public var watched: Interval
  /// A dead connection that the program still holds, or `nil` if there is none.
  public var deadConnection: Flow?
  /// The options of that connection's socket, or `nil` if they are unknown.
  public var options: SocketOptions?
  /// The end of the program, or `nil` if it did not end.
  public var programEnd: ProgramEnd?
  /// The time from the change to that end, or `nil` if the program ended earlier.
  public var endsAfter: Interval?
  /// Further evidence.
  public var notes: [TryNote] = []

  /// Whether the program fails at this change, regardless of any limit that the user set.
  public var isFailure: Bool {
    outcome == .hangs || outcome == .givesUp || outcome == .late && isIncomplete
  }

  /// The time from the moment at which a new connection would work to the first application data.
  ///
  /// The value is `nil` if the data did not come back.
  public var outageOfProgram: Interval? {
    guard let recovers, !isFailure else { return nil }
    return Interval(microseconds: max(0, recovers.microseconds - outage.microseconds))
  }
}

extension TryVerdict {
  init(_ observation: TryObservation) {
    outcome = .inconclusive
    silence = .zero
    attempts = 0
    deadAttempts = 0
    pendingWork = []
    watched = .zero
    programEnd = observation.programEnd
  }
}
