// Identifiers are a place in a table and a generation, handed out by the machine's own counters.
// A place is used again after its owner is gone; the generation tells the owners apart.

/// One key of the channel pool, or of the endpoint dispatcher, for ever (P3).
@frozen
public struct EndpointID: Hashable, Sendable {
  /// The place in the machine's table.
  public let index: UInt32

  /// Makes an identifier.
  @inlinable
  public init(index: UInt32) {
    self.index = index
  }
}

/// A real channel: what a pooled channel holds from its first call until it is destroyed.
@frozen
public struct ChannelID: Hashable, Sendable {
  /// The pooled channel.
  public let endpoint: EndpointID
  /// Which of the pooled channel's channels, counted from 1.
  public let generation: UInt32

  /// Makes an identifier.
  @inlinable
  public init(endpoint: EndpointID, generation: UInt32) {
    self.endpoint = endpoint
    self.generation = generation
  }
}

/// A connection, from the attempt to make it until it is closed.
@frozen
public struct ConnectionID: Hashable, Sendable {
  /// The place in the pool's table.
  public let index: UInt32
  /// Which owner of the place, counted from 0.
  public let generation: UInt32

  /// Makes an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// A call, from its start until its end was reported.
@frozen
public struct CallID: Hashable, Sendable {
  /// The place in the pool's table.
  public let index: UInt32
  /// Which owner of the place, counted from 0.
  public let generation: UInt32

  /// Makes an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// A request of the endpoint dispatcher, from its arrival until its end was told.
@frozen
public struct RequestID: Hashable, Sendable {
  /// The place in the dispatcher's table.
  public let index: UInt32
  /// Which owner of the place, counted from 0.
  public let generation: UInt32

  /// Makes an identifier.
  @inlinable
  public init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// The place that stands for "no row" in links between rows.
@inlinable package var noRow: UInt32 { .max }
