import HandoverBackend
import HandoverCore

/// The role of a process that is a transport, below the built-in client in this process.
///
/// The client runs in real time: its effects are sent to the process, and the reports of the
/// process reach it as they arrive. If the application does not run, facts wait until it returns.
final class LiveTransportRole: LiveRole {
  let title = "the transport"
  let process: LiveProcess
  private let stage: LiveStage
  private(set) var callbacks: FlagCallbacks?
  private var driver: ClientDriver
  private var names: TransportNames
  /// The connection of each call that was sent, by the call's index in the script.
  private var carriers: [UInt32: ConnectionID] = [:]  // lookup only
  /// The time that a continued process has to report its pending events.
  private static let readingTime = Interval.milliseconds(50)

  init(_ process: LiveProcess, on stage: LiveStage) {
    self.process = process
    self.stage = stage
    names = TransportNames(stage.script, at: stage.hosts)
    driver = ClientDriver(stage.script, stage.profile)
  }

  var allCallsHaveEnded: Bool { driver.allCallsHaveEnded }

  var nextDeadline: Instant? { driver.nextDeadline(in: stage.device.app) }

  func open() throws(BackendError) {
    try process.send { $0.openTransport(stage.script, stage.profile, at: stage.hosts, seq: $1) }
  }

  func begin(into trace: inout Trace) throws(BackendError) {
    guard stage.profile.policy.monitorsReachability else { return }
    let callbacks = try FlagCallbacks(stage.network)
    self.callbacks = callbacks
    // The first read is part of creating the client, so it is never deferred.
    try step(.reachability(.initialRead(callbacks.latest)), into: &trace)
  }

  func introduce(_ call: Int) -> CallID { driver.introduce(call) }

  // MARK: Facts

  func send(
    _ event: ChannelPool.Event, into trace: inout Trace
  ) throws(BackendError) {
    try receive(.pool(event), into: &trace)
  }

  private func receive(
    _ event: ClientCore.Event, into trace: inout Trace
  ) throws(BackendError) {
    guard driver.receives(event, in: stage.device.app, at: stage.now, into: &trace) else { return }
    try step(event, into: &trace)
  }

  private func step(
    _ event: ClientCore.Event, into trace: inout Trace
  ) throws(BackendError) {
    let now = stage.now
    driver.deliver(event, at: now, into: &trace)
    while let order = driver.nextOrder(into: &trace) {
      try carryOut(order, at: now, into: &trace)
    }
  }

  func poll(into trace: inout Trace) throws(BackendError) {
    for flags in callbacks?.take() ?? [] where !driver.isClosed {
      try receive(.reachability(.callback(flags)), into: &trace)
    }
    var reports: [TransportReport] = []
    try process.listen { element throws(AnswerError) in
      if let report = try names.liveReport(element) { reports.append(report) }
    }
    for report in reports { try handle(report, into: &trace) }
    if let due = nextDeadline, due <= stage.now {
      try step(.pool(.timeElapsed), into: &trace)
    }
  }

  private func handle(
    _ report: TransportReport, into trace: inout Trace
  ) throws(BackendError) {
    switch report {
    case .connected(let id): try send(.connected(id), of: id, into: &trace)
    case .connectFailed(let id, let failure):
      try send(.connectFailed(id, failure), of: id, into: &trace)
    case .broken(let id, let failure):
      try send(.connectionBroken(id, failure), of: id, into: &trace)
    case .draining(let id): try send(.connectionDraining(id), of: id, into: &trace)
    case .pong(let id): try send(.pongReceived(id), of: id, into: &trace)
    case .message(let index):
      guard let call = driver.id(of: Int(index)) else { return }
      try read(.messageReceived(call), of: index, into: &trace)
    case .ended(let index, let code):
      guard let call = driver.id(of: Int(index)) else { return }
      try read(.streamEnded(call, code), of: index, into: &trace)
    case .stalled(let id): trace.append(.world(.connectionStalled(id)), at: stage.now)
    case .resumed(let id): trace.append(.world(.connectionResumed(id)), at: stage.now)
    case .sendBufferFull(let id): trace.append(.world(.sendBufferFull(id)), at: stage.now)
    case .moved, .readRequest, .readMessages, .tookEffect:
      // Other programs control names, servers and faults; such a report was rejected before.
      break
    }
  }

  /// Sends a fact about a connection, unless the client has closed it since the report.
  private func send(
    _ event: ChannelPool.Event, of connection: ConnectionID, into trace: inout Trace
  ) throws(BackendError) {
    if !names.isClosed(connection) { try send(event, into: &trace) }
  }

  /// Processes data that was read for a call.
  ///
  /// If the call has ended, only the keepalive of the connection counts these bytes.
  private func read(
    _ event: ChannelPool.Event, of index: UInt32, into trace: inout Trace
  ) throws(BackendError) {
    let isLate = stage.script.mayPing && driver.hasEnded(Int(index))
    try send(event, into: &trace)
    guard isLate, let connection = carriers[index] else { return }
    try send(.dataReceived(connection), of: connection, into: &trace)
  }

  // MARK: Effects

  private func carryOut(
    _ effect: ClientEffect, at now: Instant, into trace: inout Trace
  ) throws(BackendError) {
    switch effect {
    case .openConnection(let connection, let channel):
      let host = stage.keys.hosts[Int(channel.endpoint.index)]
      trace.append(
        .world(.attemptBegan(connection, host: host, stage.device.path)), at: now)
      try order(.connect(connection, host: host), at: now)
    case .closeConnection(let connection): try order(.close(connection), at: now)
    case .startStream(let call, let connection):
      let index = index(of: call)
      carriers[index] = connection
      let asked = stage.script.calls[Int(index)]
      let answer = ServerAnswer(kind: asked.kind, takes: asked.takes, every: asked.every)
      try order(.send(connection, call: index, answer), at: now)
    case .sendMessages(let call, let connection, let count, let bytes):
      try order(
        .sendMessages(connection, call: index(of: call), count: count, bytes: bytes), at: now)
    case .finishStream(let call, let connection):
      try order(.finish(connection, call: index(of: call)), at: now)
    case .resetStream(let call, let connection):
      try order(.reset(connection, call: index(of: call)), at: now)
    case .sendPing(let connection): try order(.ping(connection), at: now)
    case .endCall, .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound,
      .fetchToken,
      .deliverMessage:
      break
    }
  }

  private func index(of call: CallID) -> UInt32 { driver.call(call) }

  private func order(_ fact: TransportFact, at now: Instant) throws(BackendError) {
    names.note(fact)
    try process.send { writer, seq in
      writer.event(seq: seq, now: now) { names.write(fact, to: &$0) }
    }
  }

  // MARK: The application

  func continueRun(into trace: inout Trace) throws(BackendError) {
    // The order is fixed: one callback with the current flags, then the transport's events.
    let held = driver.resume(at: stage.now, reading: Self.readingTime)
    if held.hasCallback {
      try step(.reachability(.callback(try stage.network.readFlags())), into: &trace)
    }
    for event in held.events { try step(.pool(event), into: &trace) }
  }

  // MARK: The end

  func close(into trace: inout Trace) throws(BackendError) -> [String] {
    try step(.pool(.closed), into: &trace)
    let timers = driver.close()
    let open = names.open.map { "connection \($0) remains open" }
    names.note(.closed)
    return timers + open
  }
}
