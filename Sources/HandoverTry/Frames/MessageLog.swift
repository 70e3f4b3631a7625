/// The numbered messages that servers sent, with their positions among the bytes of a connection.
public struct MessageLog: Hashable, Sendable {
  /// A message that was written to a connection.
  struct Message: Hashable, Sendable {
    var topic: Int
    var number: Int
    /// The number of bytes that the server had sent with the message.
    var end: Int
  }

  /// A client's request for the messages of a topic.
  struct Subscription: Hashable, Sendable {
    var topic: Int
    /// The number of the last message that the client has received, or `nil` if it names none.
    var after: Int?
  }

  struct Connection: Hashable, Sendable {
    var ends: FlowEnds
    var messages: [Message] = []
    /// The subscriptions of the client on the connection.
    var subscriptions: [Subscription] = []
  }

  /// The maximum number of connections, topics and messages together.
  static let maximumCount = 100_000

  /// The number of the last message that exists, by topic.
  ///
  /// It is 0 if the topic is not a stream, whose messages come without further requests.
  private(set) var topics: [Int] = []
  /// The connections, in the order in which they were accepted.
  private(set) var connections: [Connection] = []
  /// The last connection with each pair of endpoints.
  private var positions: [FlowEnds: Int] = [:]  // lookup only
  private var count = 0

  /// Creates an empty log.
  public init() {}

  /// Whether the log is incomplete because it reached its maximum size.
  var isFull: Bool { count >= Self.maximumCount }

  /// Marks the log as incomplete.
  public mutating func fill() { count = Self.maximumCount }

  /// Adds a topic, a sequence of messages with numbers from 1.
  ///
  /// - Returns: The index of the topic in the log, or `nil` if the log is full.
  public mutating func addTopic() -> Int? {
    guard !isFull else { return nil }
    count += 1
    topics.append(0)
    return topics.count - 1
  }

  /// Adds an accepted connection.
  ///
  /// - Returns: The index of the connection in the log, or `nil` if the log is full.
  public mutating func open(_ ends: FlowEnds) -> Int? {
    guard !isFull else { return nil }
    count += 1
    connections.append(Connection(ends: ends))
    positions[ends] = connections.count - 1
    return connections.count - 1
  }

  /// Adds a subscription to a topic.
  ///
  /// - Parameters:
  ///   - topic: The topic.
  ///   - after: The number of the last message that the client has received, or `nil` if it names
  ///     none.
  ///   - position: The connection.
  public mutating func subscribe(to topic: Int, after: Int?, on position: Int) {
    guard !isFull else { return }
    count += 1
    connections[position].subscriptions.append(Subscription(topic: topic, after: after))
  }

  /// Adds a message that ends after a number of sent bytes.
  public mutating func add(_ number: Int, of topic: Int, endingAt end: Int, on position: Int) {
    guard !isFull else { return }
    count += 1
    connections[position].messages.append(Message(topic: topic, number: number, end: end))
  }

  /// Moves the messages that a relay forwarded to the connection with the device.
  ///
  /// - Parameters:
  ///   - source: The endpoints of the relay's connection to the server.
  ///   - count: The number of bytes that the relay forwarded from there.
  ///   - position: The connection with the device.
  ///   - end: The number of bytes that were sent to the device.
  public mutating func relay(from source: FlowEnds, upTo count: Int, to position: Int, at end: Int)
  {
    guard let near = positions[source], near != position else { return }  // lookup only
    connections[position].subscriptions += connections[near].subscriptions
    connections[near].subscriptions = []
    let forwarded = connections[near].messages.prefix { $0.end <= count }
    connections[near].messages.removeFirst(forwarded.count)
    for var message in forwarded {
      message.end = end
      connections[position].messages.append(message)
    }
  }

  /// Records the number of the last message of a stream that exists now.
  public mutating func setLast(_ number: Int, of topic: Int) { topics[topic] = number }
}
