import HandoverCore

/// The numbers of messages that a program lost or received several times.
public struct MessageCounts: Hashable, Sendable {
  /// The number of messages that the program never received, or `nil` if they cannot be counted.
  public var lost: Int?
  /// The number of times that the program received a message that it had received before.
  ///
  /// The value is `nil` if they cannot be counted.
  public var duplicates: Int?
  /// The number of subscriptions to streams, or `nil` if there was none.
  public var subscriptions: Int?

  /// Creates counts.
  public init(lost: Int? = nil, duplicates: Int? = nil, subscriptions: Int? = nil) {
    self.lost = lost
    self.duplicates = duplicates
    self.subscriptions = subscriptions
  }

  /// Returns the counts without those that the program also has without a network change.
  ///
  /// For example, the duplicates of a program that always has two subscriptions are no evidence.
  func comparable(with usual: MessageCounts) -> MessageCounts {
    var counts = self
    if usual.lost != 0 { counts.lost = nil }
    if usual.duplicates != 0 { counts.duplicates = nil }
    return counts
  }

  /// Merges the counts of another run without a network change: the larger ones, if both are known.
  mutating func merge(_ other: MessageCounts) {
    func larger(_ one: Int?, _ two: Int?) -> Int? {
      one.flatMap { one in two.map { max(one, $0) } }
    }
    lost = larger(lost, other.lost)
    duplicates = larger(duplicates, other.duplicates)
    subscriptions = larger(subscriptions, other.subscriptions)
  }
}

extension TryObservation {
  /// Counts the messages that the program received.
  ///
  /// Numbers that the program printed take precedence over those that its kernel acknowledged.
  ///
  /// - Parameter delivers: A function that returns whether data arrived on a flow after the network
  ///   change, so that TCP delivers its remaining messages.
  /// - Returns: The counts of the messages that the program received.
  func messageCounts(_ delivers: (SeenFlow) -> Bool) -> MessageCounts {
    var counts = MessageCounts()
    if let messages {
      counts = MessageTally(messages, self, delivers).counts
    }
    if let printed {
      counts.lost = nil
      counts.duplicates = nil
      let numbers = Set(printed)  // lookup only
      if let first = printed.min(), let last = printed.max() {
        // The span of any two integers fits if it is computed without a sign.
        let span = UInt(bitPattern: last &- first)
        counts.lost = Int(clamping: span - UInt(numbers.count - 1))
        counts.duplicates = printed.count - numbers.count
      }
    }
    return counts
  }
}

/// The messages of one topic, as they reached a program.
private struct TopicTally {
  private var received: Set<Int> = []  // lookup only
  private(set) var duplicates = 0
  private var first = Int.max
  /// The number of the last received message.
  private var last = 0
  /// The number of the last message that a dead connection should have carried.
  private var lastOfDead = 0
  /// Whether the program still holds a connection that works, which carries the later messages.
  var isCarried = false

  mutating func receive(_ number: Int) {
    if !received.insert(number).inserted { duplicates += 1 }
    first = min(first, number)
    last = max(last, number)
  }

  /// Expects all messages up to a number, which a dead connection should have carried.
  mutating func expect(_ number: Int) { lastOfDead = max(lastOfDead, number) }

  /// The number of expected messages since the first received one that were not received.
  var lost: Int {
    let expected = isCarried ? last : max(last, lastOfDead)
    return first > expected ? 0 : expected - first + 1 - received.count
  }
}

/// The messages of a log, as they reached a program.
private struct MessageTally {
  private(set) var counts = MessageCounts()

  init(_ log: MessageLog, _ observation: TryObservation, _ delivers: (SeenFlow) -> Bool) {
    guard !log.isFull, !log.topics.isEmpty else { return }
    let limits = ResumeLimits(log)
    var tallies = log.topics.map { _ in TopicTally() }
    // If a port is reused, the log contains a separate connection for each use.
    var open: [FlowEnds: [Int]] = [:]  // lookup only
    for (position, connection) in log.connections.enumerated().reversed() {
      open[connection.ends, default: []].append(position)
    }
    for seen in observation.seenFlows where seen.flow.transport == .tcp {
      guard let position = open[seen.flow.ends]?.popLast() else { continue }
      let connection = log.connections[position]
      let readable = seen.flow.readableCount - seen.unread
      let isHeld = seen.isHeld && observation.programEnd == nil
      let works = delivers(seen)
      for message in connection.messages {
        if message.end <= readable,
          message.number <= limits.limit(message.topic, after: position)
        {
          tallies[message.topic].receive(message.number)
        } else if isHeld, !works {
          tallies[message.topic].expect(message.number)
        }
      }
      for subscription in connection.subscriptions where isHeld {
        if works {
          tallies[subscription.topic].isCarried = true
        } else {
          tallies[subscription.topic].expect(log.topics[subscription.topic])
        }
      }
    }
    counts.lost = tallies.reduce(0) { $0 + $1.lost }
    counts.duplicates = tallies.reduce(0) { $0 + $1.duplicates }
    let subscriptions = log.connections.reduce(0) { $0 + $1.subscriptions.count }
    if subscriptions > 0 { counts.subscriptions = subscriptions }
  }
}

/// The numbers after which clients continued streams.
///
/// A message after such a number did not reach the program before, although its kernel acknowledged
/// it.
private struct ResumeLimits {
  /// The connections on which clients continued a topic, the last one first, each with the smallest
  /// number on it or on a later one.
  private var resumptions: [[(position: Int, after: Int)]]

  init(_ log: MessageLog) {
    resumptions = log.topics.map { _ in [] }
    for (position, connection) in log.connections.enumerated().reversed() {
      for subscription in connection.subscriptions {
        guard let after = subscription.after else { continue }
        let smallest = resumptions[subscription.topic].last?.after ?? .max
        resumptions[subscription.topic].append((position, min(after, smallest)))
      }
    }
  }

  /// Returns the smallest number after which a client continued a topic on a connection later than
  /// the given one.
  func limit(_ topic: Int, after position: Int) -> Int {
    let all = resumptions[topic]
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].position > position { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? .max : all[low - 1].after
  }
}
