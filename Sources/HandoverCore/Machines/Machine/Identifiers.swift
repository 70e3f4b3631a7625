// Identifiers consist of an index in a table and a generation, from the counters of a state
// machine. An index is reused after its owner is gone; the generation distinguishes successive
// owners.

/// A key of the channel pool or of the endpoint dispatcher, which is never reused (P3).
@frozen
public struct EndpointID: Hashable, Sendable {
  /// The index in the table of the state machine.
  public let index: UInt32

  /// Creates an identifier.
  @inlinable
  public init(index: UInt32) {
    self.index = index
  }
}

/// A real channel, which a pooled channel has from its first call until it is destroyed.
@frozen
public struct ChannelID: Hashable, Sendable {
  /// The pooled channel.
  public let endpoint: EndpointID
  /// The number among the real channels of the pooled channel, counted from 1.
  public let generation: UInt32

  /// Creates an identifier.
  @inlinable
  public init(endpoint: EndpointID, generation: UInt32) {
    self.endpoint = endpoint
    self.generation = generation
  }
}

/// A connection, from its attempt until it is closed.
@frozen
public struct ConnectionID: Hashable, Sendable {
  /// The index in the table of the pool.
  public let index: UInt32
  /// The number among the owners of the index, counted from 0.
  public let generation: UInt32

  /// Creates an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// A call, from its start until its end was reported.
@frozen
public struct CallID: Hashable, Sendable {
  /// The index in the table of the pool.
  public let index: UInt32
  /// The number among the owners of the index, counted from 0.
  public let generation: UInt32

  /// Creates an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// A request of the endpoint dispatcher, from its arrival until its end was reported.
@frozen
public struct RequestID: Hashable, Sendable {
  /// The index in the table of the dispatcher.
  public let index: UInt32
  /// The number among the owners of the index, counted from 0.
  public let generation: UInt32

  /// Creates an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// The index that means "no row" in links between rows.
@inlinable package var noRow: UInt32 { .max }
