public import HandoverCore

/// The records of one run, in the order in which they happened.
public struct Trace: Hashable, Sendable {
  @usableFromInline var storage: ContiguousArray<TraceRecord> = []
  /// The host of each pooled channel of the client, by the place of the channel.
  public var endpointHosts: ContiguousArray<UInt32> = []
  /// The options of channels that only interceptors asked for, where they are others than those of
  /// the script's first call; in the order of the channels.
  public var changedOptions: ContiguousArray<EndpointOptions> = []

  /// The texts that facts of chains refer to, by place.
  public private(set) var texts: ContiguousArray<String> = []

  /// What clients elsewhere say of the ends of their calls in words of their own.
  public var endTexts = EndTexts()

  /// Makes an empty trace.
  public init() {}

  /// The records.
  @inlinable
  public var records: ContiguousArray<TraceRecord> { storage }

  /// How many records there are.
  @inlinable
  public var count: Int { storage.count }

  /// Adds a record.
  @inlinable
  public mutating func append(_ body: TraceRecord.Body, at now: Instant) {
    storage.append(TraceRecord(at: now, body: body))
  }

  /// Adds the records of a log.
  @inlinable
  package mutating func append(contentsOf log: borrowing EffectLog<TraceRecord>) {
    log.append(to: &storage)
  }

  /// Keeps a text, and gives its place in ``texts``.
  public mutating func keep(_ text: String) -> UInt32 {
    // The texts of a chain come again and again; the latest ones mostly.
    for index in texts.indices.suffix(8).reversed() where texts[index] == text {
      return UInt32(truncatingIfNeeded: index)
    }
    texts.append(text)
    return UInt32(truncatingIfNeeded: texts.count - 1)
  }

  /// Forgets the records, and keeps what later ones refer to and the room.
  package mutating func removeRecords() {
    storage.empty()
  }

  /// Empties the trace and keeps its room.
  public mutating func removeAll() {
    storage.empty()
    // It may be shared with the client that it is of.
    if !endpointHosts.isEmpty { endpointHosts = [] }
    changedOptions.empty()
    texts.empty()
    endTexts.removeAll()
  }
}

/// The options of a pooled channel.
public struct EndpointOptions: Hashable, Sendable {
  /// The place of the channel in ``Trace/endpointHosts``.
  public var endpoint: UInt32
  /// Its options.
  public var options: ChannelOptions

  /// Names a channel and its options.
  public init(endpoint: UInt32, options: ChannelOptions) {
    self.endpoint = endpoint
    self.options = options
  }
}

/// A digest of bytes (FNV-1a, 64 bits), enough to tell whether two runs were the same.
public struct Digest: Hashable, Sendable {
  /// The 64 bits.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The digest of nothing.
  public init() {}

  /// Takes further bytes in.
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
