/// The records of one run, in chronological order.
public struct Trace: Hashable, Sendable {
  @usableFromInline var storage: ContiguousArray<TraceRecord> = []
  /// The host of each pooled channel of the client, indexed by the position of the channel.
  public var endpointHosts: ContiguousArray<UInt32> = []
  /// The options of channels that only interceptors requested, in channel order.
  ///
  /// A channel is listed only if its options differ from those of the script's first call.
  public var changedOptions: ContiguousArray<EndpointOptions> = []

  /// The texts that facts about chains refer to by position.
  public private(set) var texts: ContiguousArray<String> = []

  /// The status messages that external clients reported for the ends of their calls.
  public var endTexts = EndTexts()

  /// Creates an empty trace.
  public init() {}

  /// The records.
  @inlinable
  public var records: ContiguousArray<TraceRecord> { storage }

  /// The number of records.
  @inlinable
  public var count: Int { storage.count }

  /// Appends a record.
  @inlinable
  public mutating func append(_ body: TraceRecord.Body, at now: Instant) {
    storage.append(TraceRecord(at: now, body: body))
  }

  /// Stores a text and returns its position in ``texts``.
  public mutating func store(_ text: String) -> UInt32 {
    // The texts of a chain repeat, and most repetitions follow shortly after the original.
    for index in texts.indices.suffix(8).reversed() where texts[index] == text {
      return UInt32(truncatingIfNeeded: index)
    }
    texts.append(text)
    return UInt32(truncatingIfNeeded: texts.count - 1)
  }

  /// Removes the records; keeps the data that later records refer to, and the allocated capacity.
  package mutating func removeRecords() {
    storage.empty()
  }

  /// Swaps the records with `others`; the data that the records refer to stays.
  package mutating func exchangeRecords(_ others: inout ContiguousArray<TraceRecord>) {
    swap(&storage, &others)
  }

  /// Removes all contents and keeps the allocated capacity.
  public mutating func removeAll() {
    storage.empty()
    // The client may share this array; assigning a new one avoids a copy.
    if !endpointHosts.isEmpty { endpointHosts = [] }
    changedOptions.empty()
    texts.empty()
    endTexts.removeAll()
  }
}

/// One event in a run, as a plain value.
///
/// The client's events and effects are stored unchanged, so a trace can be replayed through a new
/// core, which must then return the same effects. ``WorldFact`` covers events outside the client.
@frozen
public struct TraceRecord: BitwiseCopyable, Hashable, Sendable {
  /// The time of the event.
  public var at: Instant
  /// The content of the event.
  public var body: Body

  /// The kinds of content.
  @frozen
  public enum Body: BitwiseCopyable, Hashable, Sendable {
    /// The client received an event.
    case event(ClientCore.Event)
    /// The client issued an effect.
    case effect(ClientEffect)
    /// An event in the world around the client.
    case world(WorldFact)
    /// An event in the interceptor chain, between the caller and the client.
    case chain(ChainFact)
    /// An event of a request.
    case request(RequestFact)
  }

  /// Creates a record.
  @inlinable
  public init(at: Instant, body: Body) {
    self.at = at
    self.body = body
  }
}

/// The options of a pooled channel.
public struct EndpointOptions: Hashable, Sendable {
  /// The index of the channel in ``Trace/endpointHosts``.
  public var endpoint: UInt32
  /// The options of the channel.
  public var options: ChannelOptions

  /// Creates the options of a channel.
  public init(endpoint: UInt32, options: ChannelOptions) {
    self.endpoint = endpoint
    self.options = options
  }
}

/// A 64-bit FNV-1a digest of bytes, which shows whether two runs were the same.
public struct Digest: Hashable, Sendable {
  /// The 64 bits.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the digest of no bytes.
  public init() {}

  /// Adds bytes to the digest.
  public mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }

  /// The digest as sixteen hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
