import HandoverCore

/// Digests of records of two worlds, without the generations of reused rows.
///
/// Comparing the text would be equivalent, but ten times slower.
enum RecordDigest {
  static func digest(_ record: TraceRecord, since begin: Instant) -> UInt64 {
    var digest = StateDigest(at: begin)
    digest.combine(record.at)
    switch record.body {
    case .event(.reachability(let event)): digest.combine(reflecting: event)
    case .event(.pool(let event)):
      digest.combine(1)
      combine(event, into: &digest)
    case .effect(let effect):
      digest.combine(2)
      combine(effect, into: &digest)
    case .world(let fact):
      digest.combine(3)
      combine(fact, into: &digest)
    case .chain(let fact): digest.combine(reflecting: fact)
    case .request(let fact): digest.combine(reflecting: fact)
    }
    return digest.low
  }

  private static func combine(_ event: ChannelPool.Event, into digest: inout StateDigest) {
    func combine(_ kind: UInt64, _ index: UInt32, _ value: UInt64 = 0) {
      digest.combine(kind << 32 | UInt64(index))
      digest.combine(value)
    }
    switch event {
    case .callStarted(let id, let endpoint, let settings):
      combine(1, id.index, UInt64(endpoint.index))
      digest.combine(settings.deadline)
    case .tokenArrived(let id): combine(2, id.index)
    case .messageQueued(let id, let bytes): combine(3, id.index, UInt64(bytes))
    case .requestFinished(let id): combine(4, id.index)
    case .callCancelled(let id): combine(5, id.index)
    case .connected(let id): combine(6, id.index)
    case .connectFailed(let id, let failure): combine(7, id.index, UInt64(failure.rawValue))
    case .connectionBroken(let id, let failure): combine(8, id.index, UInt64(failure.rawValue))
    case .connectionDraining(let id): combine(9, id.index)
    case .pongReceived(let id): combine(10, id.index)
    case .dataReceived(let id): combine(17, id.index)
    case .messageReceived(let id): combine(11, id.index)
    case .streamEnded(let id, let code): combine(12, id.index, UInt64(code.rawValue))
    case .disconnectRequested(let endpoint): combine(13, endpoint.index)
    case .disconnectAllRequested: combine(14, 0)
    case .timeElapsed: combine(15, 0)
    case .closed: combine(16, 0)
    }
  }

  private static func combine(_ effect: ClientEffect, into digest: inout StateDigest) {
    func combine(_ kind: UInt64, _ index: UInt32, _ value: UInt64 = 0) {
      digest.combine(kind << 32 | UInt64(index))
      digest.combine(value)
    }
    switch effect {
    case .notify(let change):
      combine(1, 0, UInt64(change.from.rawValue) << 8 | UInt64(change.to.rawValue))
    case .channelCreated(let id): combine(2, id.endpoint.index)
    case .channelMoved(let id, let from, let to):
      combine(3, id.endpoint.index, UInt64(from.rawValue) << 8 | UInt64(to.rawValue))
    case .channelDestroyed(let id, let reason):
      combine(4, id.endpoint.index, UInt64(DestroyReason.allCases.firstIndex(of: reason) ?? 0))
    case .callBound(let id, let channel, let isNew):
      combine(5, id.index, UInt64(channel.endpoint.index) << 1 | (isNew ? 1 : 0))
    case .fetchToken(let id): combine(6, id.index)
    case .openConnection(let id, let channel): combine(7, id.index, UInt64(channel.endpoint.index))
    case .closeConnection(let id): combine(8, id.index)
    case .startStream(let id, let connection): combine(9, id.index, UInt64(connection.index))
    case .sendMessages(let id, let connection, let count, let bytes):
      combine(10, id.index, UInt64(connection.index))
      combine(count == 0 ? 0 : 1, count, UInt64(bytes))
    case .finishStream(let id, let connection): combine(11, id.index, UInt64(connection.index))
    case .resetStream(let id, let connection): combine(12, id.index, UInt64(connection.index))
    case .sendPing(let id): combine(13, id.index)
    case .deliverMessage(let id): combine(14, id.index)
    case .endCall(let id, let end):
      combine(15, id.index)
      digest.combine(reflecting: end)
    }
  }

  private static func combine(_ fact: WorldFact, into digest: inout StateDigest) {
    var parts = PartsDigest(digest: digest)
    _ = fact.coded(by: &parts)
    digest = parts.digest
  }
}

/// Combines the name and the parts of a record.
private struct PartsDigest: RecordCoder {
  var digest: StateDigest

  mutating func begin(_ keyword: String) { digest.combine(keyword) }
  mutating func call(_ id: CallID) -> CallID {
    digest.combine(id.index)
    return id
  }
  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    digest.combine(id.index)
    return id
  }
  mutating func channel(_ id: ChannelID) -> ChannelID {
    digest.combine(id.endpoint.index)
    return id
  }
  mutating func index(of kind: NamedKind, _ index: UInt32) -> UInt32 {
    digest.combine(index)
    return index
  }
  mutating func entry(_ index: UInt32) -> UInt32 {
    digest.combine(index)
    return index
  }
  mutating func path(_ path: PathIndex?) -> PathIndex? {
    digest.combine(path.map { UInt64($0.index) } ?? .max)
    return path
  }
  mutating func link(_ link: UInt16) -> UInt16 {
    digest.combine(link)
    return link
  }
  mutating func text(_ index: UInt32) -> UInt32 {
    digest.combine(index)
    return index
  }
  mutating func message(of call: CallID, _ end: CallEnd) -> StatusText {
    digest.combine(end.text.text)
    return end.text
  }
  mutating func flags(_ flags: ReachabilityFlags) -> ReachabilityFlags {
    digest.combine(flags.rawValue)
    return flags
  }
  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) -> Number {
    digest.combine(number)
    return number
  }
  mutating func flag(_ name: String, _ flag: Bool) -> Bool {
    digest.combine(flag)
    return flag
  }
  mutating func null(_ name: String, _ isNull: Bool) -> Bool {
    digest.combine(isNull)
    return isNull
  }
  mutating func keyword<Keyword>(
    _ name: String, _ keyword: Keyword, among all: @autoclosure () -> [Keyword],
    spelt: (Keyword) -> String
  ) -> Keyword {
    digest.combine(spelt(keyword))
    return keyword
  }
}
