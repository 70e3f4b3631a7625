public import HandoverBackend
public import HandoverCore

/// A check that a backend follows the protocol, performed before it runs scenarios.
public struct AdapterCheck {
  /// The result of one check.
  public struct Finding: Hashable, Sendable {
    /// The behavior of a correct backend.
    public var rule: String
    /// The incorrect behavior of this backend, or `nil` if its behavior is correct.
    public var problem: String?
  }

  private let command: String
  private let timeout: Interval
  /// The results so far.
  public private(set) var findings: [Finding] = [] {
    didSet {
      if let finding = findings.last { onFinding(finding) }
    }
  }
  /// A closure that receives each result as soon as it is available.
  public var onFinding: (Finding) -> Void = { _ in }

  /// Creates a check of a command.
  public init(_ command: String, timeout: Interval = .answerTimeout) {
    self.command = command
    self.timeout = timeout
  }

  /// Runs all checks; each one starts a new process, so that no check affects another.
  public mutating func run() {
    guard let hello = check("it sends a handshake (hello) of version 1", { _ in nil }) else {
      return
    }
    check("it answers an unknown command with \"error\", and continues") {
      session throws(BackendError) in
      let answer = try session.ask(#"{"cmd":"no-such-command","seq":1}"#)
      guard answer["error"] != nil else { return "it answered \(answer.excerpt)" }
      return try session.open(seq: 2)
    }
    check("it ignores unknown keys") { session throws(BackendError) in
      try session.open(seq: 1, more: #","x-unknown":{"a":[1,2,3]}"#)
    }
    check("it answers each event once, with its \"seq\"") { session throws(BackendError) in
      if let problem = try session.open(seq: 1) { return problem }
      for (index, event) in Self.sample(session.hello.role).enumerated() {
        if let problem = try session.event(event, seq: index + 2, at: index * 1_000) {
          return problem
        }
      }
      return nil
    }
    check(
      hello.role == .client
        ? "it ends running calls on \"close\", and has no further deadline"
        : "it reports nothing on \"close\", and has no further deadline"
    ) { session throws(BackendError) in
      if let problem = try session.open(seq: 1) { return problem }
      let first = Self.sample(hello.role)[0]
      if let problem = try session.event(first, seq: 2, at: 0) { return problem }
      return try session.close(seq: 3, at: 1_000, ending: "check-1")
    }
    check("it runs several runs without a restart, with the same results") {
      session throws(BackendError) in
      let sample = Self.sample(hello.role)
      let first = try session.answers(to: sample, from: 1)
      let second = try session.answers(to: sample, from: sample.count + 3)
      return first == second ? nil : "the second run gave different answers"
    }
    checkDeterminism()
    switch hello.role {
    case .client: checkCapabilities(hello)
    case .transport: checkTransport(hello)
    }
    checkStop()
  }

  // MARK: Parts

  private mutating func checkDeterminism() {
    var runs: [[String]] = []
    let rule = "a second process gives the same answers"
    for _ in 0..<2 {
      do throws(BackendError) {
        let session = try ProtocolSession(command, timeout)
        runs.append(try session.answers(to: Self.sample(session.hello.role), from: 1))
      } catch {
        findings.append(Finding(rule: rule, problem: error.message))
        return
      }
    }
    findings.append(
      Finding(
        rule: rule, problem: runs[0] == runs[1] ? nil : "two processes gave different answers"))
  }

  private mutating func checkCapabilities(_ hello: BackendHello) {
    if hello.capabilities.contains(.batch) {
      check("it declares \"batch\", and answers one line with all answers") {
        session throws(BackendError) in
        if let problem = try session.open(seq: 1) { return problem }
        let answer = try session.ask(
          #"{"cmd":"batch","events":[{"seq":2,"now":0,"event":\#(Self.call)},"#
            + #"{"seq":3,"now":0,"event":{"cancel":"check-1"}}]}"#)
        guard (try? answer.elements("answers"))??.count == 2 else {
          return "it answered \(answer.excerpt)"
        }
        return nil
      }
    }
    if hello.capabilities.contains(.channels) {
      check("it declares \"channels\", and reports the channel of a call") {
        session throws(BackendError) in
        if let problem = try session.open(seq: 1) { return problem }
        let answer = try session.ask(ProtocolSession.eventLine(Self.call, seq: 2, at: 0))
        let orders = session.orders(answer)
        guard orders.contains("channel"), orders.contains("bound") else {
          return "its answer to a call is \(answer.excerpt)"
        }
        return nil
      }
    }
    if hello.capabilities.contains(.monitor) {
      check("it declares \"monitor\", and reports a category change") {
        session throws(BackendError) in
        if let problem = try session.open(seq: 1) { return problem }
        let answer = try session.ask(ProtocolSession.eventLine(#"{"flags":[]}"#, seq: 2, at: 1_000))
        return session.orders(answer).contains("notify") ? nil : "it answered \(answer.excerpt)"
      }
    }
    if hello.capabilities.contains(.observers) { checkObservers() }
    if hello.capabilities.contains(.digest) { checkDigests() }
  }

  private mutating func checkStop() {
    let rule = "it exits with status 0 on \"stop\""
    do throws(BackendError) {
      let session = try ProtocolSession(command, timeout)
      findings.append(Finding(rule: rule, problem: session.stop()))
    } catch {
      findings.append(Finding(rule: rule, problem: error.message))
    }
  }

  /// Runs one check with a new process, and returns the process's handshake if there was one.
  @discardableResult
  mutating func check(
    _ rule: String, _ part: (ProtocolSession) throws(BackendError) -> String?
  ) -> BackendHello? {
    do throws(BackendError) {
      let session = try ProtocolSession(command, timeout)
      findings.append(Finding(rule: rule, problem: try part(session)))
      return session.hello
    } catch {
      findings.append(Finding(rule: rule, problem: error.message))
      return nil
    }
  }

  // MARK: Events of the checks

  static let call =
    #"{"call":{"id":"check-1","host":"check.example:443","kind":"unary","deadline":null,"#
    + #""failFast":false,"token":false,"complete":true,"options":{}}}"#

  /// Returns events that every backend of a role supports.
  private static func sample(_ role: BackendHello.Role) -> [String] {
    switch role {
    case .client: [call, #"{"flags":["Reachable","IsWWAN"]}"#, #"{"cancel":"check-1"}"#]
    case .transport: [connect, device, #"{"close":{"connection":1}}"#]
    }
  }
}
