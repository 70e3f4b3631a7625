import HandoverCore
import HandoverScenario

/// Properties that hold for the reading of any bytes; shared by the tests and the fuzzer.
enum ReadingProperties {
  /// Returns the violated property, or `nil` if all hold.
  static func violation(of reading: ScenarioReading, bytes: [UInt8]) -> String? {
    let hasError = reading.diagnostics.contains { $0.severity == .error }
    guard hasError == (reading.scenario == nil) else {
      return "a file has either a scenario or an error"
    }
    return violation(of: reading.diagnostics, bytes: bytes)
      ?? reading.scenario.flatMap(violation(of:))
  }

  private static func violation(of diagnostics: [Diagnostic], bytes: [UInt8]) -> String? {
    let lengths = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in line.count { $0 & 0xC0 != 0x80 } }
    var last = TextPosition(line: 1, column: 1)
    for diagnostic in diagnostics {
      guard let position = diagnostic.position else { return "no position: \(diagnostic)" }
      guard lengths.indices.contains(position.line - 1),
        (1...lengths[position.line - 1] + 1).contains(position.column)
      else { return "a position outside the file: \(diagnostic)" }
      guard (position.line, position.column) >= (last.line, last.column) else {
        return "out of order: \(diagnostic)"
      }
      guard !diagnostic.message.isEmpty, !diagnostic.hint.isEmpty,
        diagnostic.description.split(separator: "\n").count == 2
      else { return "not two lines of words: \(diagnostic)" }
      last = position
    }
    return nil
  }

  private static func violation(of scenario: Scenario) -> String? {
    let script = scenario.script
    guard !scenario.id.isEmpty, !scenario.profiles.isEmpty else { return "no id or no profile" }
    guard script.entries.count == scenario.entryPositions.count else {
      return "entries without positions"
    }
    guard script.paths.count <= Script.maximumPathCount,
      script.paths.starts(with: ["wifi", "cellular"])
    else { return "the paths do not begin with the usual two" }
    guard Set(script.calls.map(\.id)).count == script.calls.count,
      script.calls.allSatisfy({ script.hosts.indices.contains($0.host) })
    else { return "a call without a host or an id of its own" }
    if let violation = violation(ofRequestsIn: script) { return violation }
    var counts = Counts()
    var now = Instant.zero
    for entry in script.entries {
      guard entry.at >= now else { return "time runs backwards" }
      now = entry.at
      guard counts.isNext(entry.action) else { return "not in the order of starts: \(entry)" }
      guard refersToKnown(entry.action, script, counts) else {
        return "an entry refers to nothing: \(entry)"
      }
    }
    guard counts.calls == script.calls.count, counts.requests == script.requests.count,
      counts.questions == script.questions.count
    else { return "a call, a request or a question that never comes" }
    let isSound = scenario.expectations.allSatisfy { expectation in
      !expectation.profiles.isEmpty && expectation.profiles.allSatisfy(scenario.profiles.contains)
        && !(expectation.isNever && expectation.moment != nil)
        && refersToKnown(expectation.subject, script)
        && (expectation.alternatives.isEmpty
          || !expectation.isNever && !expectation.endings.isEmpty)
        && expectation.alternatives.count < ScenarioLimits.alternatives
    }
    return isSound ? nil : "an expectation refers to nothing"
  }

  private static func violation(ofRequestsIn script: Script) -> String? {
    let limits = script.configuration.requests.limits
    guard limits.long <= limits.total else { return "a long limit above the total" }
    guard script.pools.count <= Script.maximumPoolCount, script.pools.first == "shared" else {
      return "the pools do not begin with the usual one"
    }
    let ids = script.calls.map(\.id) + script.requests.map(\.id)
    let isSound =
      Set(ids).count == ids.count
      && script.requests.allSatisfy { request in
        script.hosts.indices.contains(request.host) && script.pools.indices.contains(request.pool)
          && (request.takes.map { request.responds ?? .zero <= $0 } ?? true)
          && (request.policy == nil || request.kind == .long)
      }
    guard isSound else { return "a request without a host, a pool or an id of its own" }
    let areSound =
      Set(script.questions.map(\.id)).count == script.questions.count
      && script.questions.allSatisfy {
        script.hosts.indices.contains($0.host) && script.pools.indices.contains($0.pool)
          && ($0.policy == nil || $0.kind == .long)
      }
    return areSound ? nil : "a question without a host, a pool or an id of its own"
  }

  /// The numbers of objects so far.
  private struct Counts {
    var calls = 0
    var requests = 0
    var questions = 0
    /// The calls that were created and have not started.
    var waiting: Set<Int> = []

    func isStarted(_ call: Int) -> Bool {
      (0..<calls).contains(call) && !waiting.contains(call)
    }

    /// Counts the objects of an entry.
    ///
    /// Returns `false` if they do not come next.
    mutating func isNext(_ action: ScriptAction) -> Bool {
      switch action {
      case .makeCall(let index):
        calls += 1
        waiting.insert(index)
        return index == calls - 1
      case .startCall(let index):
        if waiting.remove(index) != nil { return true }
        calls += 1
        return index == calls - 1
      case .request(let index):
        requests += 1
        return index == requests - 1
      case .ask(let index):
        questions += 1
        return index == questions - 1
      default:
        return true
      }
    }
  }

  private static func refersToKnown(_ action: ScriptAction, _ script: Script, _ counts: Counts)
    -> Bool
  {
    switch action {
    case .makeCall(let call):
      counts.waiting.contains(call)
    case .startCall(let call), .cancel(let call), .finish(let call):
      counts.isStarted(call)
    case .send(let call, let bytes):
      counts.isStarted(call) && bytes > 0
    case .flags(_, let path, _, _):
      path.map { Int($0.index) < script.paths.count } ?? true
    case .path(let path):
      Int(path.index) < script.paths.count
    case .disconnect(let host), .transport(let host, _):
      isKnown(host, script)
    case .server(let host, _), .names(let host, _):
      script.hosts.indices.contains(host)
    case .answer(let host, let addresses):
      script.hosts.indices.contains(host) && !addresses.isEmpty
        && addresses.allSatisfy(script.hosts[host].addresses.indices.contains)
    case .address(let host, let position, _):
      script.hosts.indices.contains(host)
        && script.hosts[host].addresses.indices.contains(position)
    case .receive(let call, let count):
      counts.isStarted(call) && count >= 0
    case .interceptor(let link, let call, _, _):
      counts.isStarted(call) && script.configuration.chain.links.indices.contains(link)
    case .request(let request), .cancelRequest(let request):
      (0..<counts.requests).contains(request)
    case .dispatcher(let pool, .close):
      script.pools.indices.contains(pool)
    case .dispatcher(let pool, .setLongLimit(let long)):
      script.pools.indices.contains(pool) && long <= script.configuration.requests.limits.total
    case .network(let path, _, _), .monitor(_, _, let path?):
      script.network(of: path) != nil
    case .app, .monitor, .ask, .signal, .power:
      true
    }
  }

  private static func refersToKnown(_ subject: Expectation.Subject, _ script: Script) -> Bool {
    switch subject {
    case .call(let call, _, _, _): script.calls.indices.contains(call)
    case .channels(let host, _, _, _): isKnown(host, script)
    case .connections(let host, _, _, let path):
      isKnown(host, script) && path.map { Int($0.index) < script.paths.count } ?? true
    case .server(let host, let wanted):
      isKnown(host, script) && wanted.address.map { isKnown($0, host, script) } ?? true
        && wanted.path.map { Int($0.index) < script.paths.count } ?? true
    case .monitor, .kernel: true
    case .interceptor(let link, let wanted):
      script.configuration.chain.links.indices.contains(link)
        && wanted.call.map(script.calls.indices.contains) ?? true
    case .chain(let call, _): script.calls.indices.contains(call)
    case .request(let request, _): script.requests.indices.contains(request)
    case .ask(let question, let wanted):
      script.questions.indices.contains(question)
        && (wanted.holders ?? []).allSatisfy(script.requests.indices.contains)
    case .requests(let host, _): isKnown(host, script)
    }
  }

  private static func isKnown(
    _ address: Int, _ host: HostSelector, _ script: Script
  ) -> Bool {
    guard case .one(let host) = host else { return false }
    return script.hosts[host].addresses.indices.contains(address)
  }

  private static func isKnown(_ host: HostSelector, _ script: Script) -> Bool {
    switch host {
    case .one(let index): script.hosts.indices.contains(index)
    case .all: true
    }
  }
}
