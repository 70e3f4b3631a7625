import HandoverBackend
import HandoverCore
import HandoverSimulation
import Testing

/// The simulated backend with a trace that is tampered with before it is checked.
struct TamperingBackend: Backend {
  var tampering: Tampering
  /// The capabilities that it hides.
  var hidden: Capabilities = []

  var description: BackendDescription {
    var description = SimulatedBackend().description
    description.capabilities.subtract(hidden)
    return description
  }

  func makeSession() throws(BackendError) -> any BackendSession {
    try TamperingSession(tampering)
  }
}

private final class TamperingSession: ForwardingSession {
  private let tampering: Tampering

  init(_ tampering: Tampering) throws(BackendError) {
    self.tampering = tampering
    try super.init()
  }

  override func close(
    at instant: Instant, into trace: inout Trace
  ) throws(BackendError) -> [String] {
    let leaks = try super.close(at: instant, into: &trace)
    var records = Records(trace)
    tampering.edit(&records)
    let hosts = trace.endpointHosts
    trace.removeAll()
    trace.endpointHosts = hosts
    for record in records.all { trace.append(record.body, at: record.at) }
    return leaks + tampering.leaks
  }
}

/// A change of a trace, and the invariant that must detect it.
struct Tampering: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var rule: Int
  var leaks: [String] = []
  var edit: @Sendable (inout Records) -> Void

  init(
    _ rule: Int, _ name: String, leaks: [String] = [],
    edit: @escaping @Sendable (inout Records) -> Void = { _ in }
  ) {
    testDescription = name
    self.rule = rule
    self.leaks = leaks
    self.edit = edit
  }
}

/// The records of a run, with methods to find and change them.
struct Records {
  var all: [TraceRecord]

  init(_ trace: Trace) {
    all = Array(trace.records)
  }

  /// Returns the identifier of the call with an index in the script.
  func call(_ index: UInt32) -> CallID {
    for record in all {
      if case .world(.callIntroduced(index, let id)) = record.body { return id }
    }
    preconditionFailure("the scenario has no call at \(index)")
  }

  /// Returns the channel to which a call was bound.
  func channel(_ index: UInt32) -> ChannelID {
    for record in all {
      if case .effect(.callBound(call(index), let channel, isNew: _)) = record.body {
        return channel
      }
    }
    preconditionFailure("the call at \(index) was bound to no channel")
  }

  /// Returns the connection that carried a call.
  func connection(_ index: UInt32) -> ConnectionID {
    for record in all {
      if case .effect(.startStream(call(index), let connection)) = record.body { return connection }
    }
    preconditionFailure("the call at \(index) was never carried")
  }

  /// Returns the index of the first matching record from an index on.
  func first(from start: Int = 0, where matches: (TraceRecord.Body) -> Bool) -> Int {
    guard let found = all[start...].firstIndex(where: { matches($0.body) }) else {
      preconditionFailure("the scenario has no such record")
    }
    return found
  }

  /// Returns the index of a call's end.
  func end(_ index: UInt32) -> Int {
    let id = call(index)
    return first { if case .effect(.endCall(id, _)) = $0 { true } else { false } }
  }

  /// Returns the index of a call's start.
  func start(_ index: UInt32) -> Int {
    let id = call(index)
    return first { if case .event(.pool(.callStarted(id, _, _))) = $0 { true } else { false } }
  }

  /// The index of the close of the client.
  var closing: Int { first { $0 == .event(.pool(.closed)) } }

  /// The indices of the callbacks, in order.
  var callbacks: [Int] {
    all.indices.filter {
      if case .event(.reachability(.callback)) = all[$0].body { true } else { false }
    }
  }

  mutating func drop(_ index: Int) {
    all.remove(at: index)
  }

  /// Drops the first matching record from an index on.
  mutating func drop(from start: Int = 0, where matches: (TraceRecord.Body) -> Bool) {
    drop(first(from: start, where: matches))
  }

  /// Inserts an effect after a record, at the same instant.
  mutating func insert(_ effect: ClientEffect, after index: Int) {
    all.insert(TraceRecord(at: all[index].at, body: .effect(effect)), at: index + 1)
  }

  mutating func replace(_ index: Int, with effect: ClientEffect) {
    all[index].body = .effect(effect)
  }

  /// Moves everything at one instant to another one.
  mutating func move(from old: Int64, to new: Int64) {
    for index in all.indices where all[index].at.microseconds == old * 1_000 {
      all[index].at = Instant(microseconds: new * 1_000)
    }
  }
}

extension TraceRecord.Body {
  var isCreation: Bool { if case .effect(.channelCreated) = self { true } else { false } }
  var isDestruction: Bool { if case .effect(.channelDestroyed) = self { true } else { false } }
  var isMove: Bool { if case .effect(.channelMoved) = self { true } else { false } }
  var isBinding: Bool { if case .effect(.callBound) = self { true } else { false } }
  var isClosing: Bool { if case .effect(.closeConnection) = self { true } else { false } }
  var isStream: Bool { if case .effect(.startStream) = self { true } else { false } }
  var isFinish: Bool { if case .effect(.finishStream) = self { true } else { false } }
  var isOpening: Bool { if case .effect(.openConnection) = self { true } else { false } }
  var isPing: Bool { if case .effect(.sendPing) = self { true } else { false } }
}
