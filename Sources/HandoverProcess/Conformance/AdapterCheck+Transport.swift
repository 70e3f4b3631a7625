import HandoverBackend

// Checks that a transport supports the capabilities that it declares.
extension AdapterCheck {
  mutating func checkTransport(_ hello: BackendHello) {
    check("it connects, and answers a unary call", [Self.connect, Self.unary, Self.finish]) {
      $0.contains { $0.isStatus("OK") } && $0.contains { $0["connected"] != nil }
    }
    for capability in hello.role.capabilities where hello.capabilities.contains(capability) {
      check(capability, of: hello)
    }
  }

  private mutating func check(_ capability: BackendHello.Capability, of hello: BackendHello) {
    let declares = "it declares \"\(capability.rawValue)\", and"
    switch capability {
    case .streaming:
      let streaming =
        #"{"send":{"connection":1,"call":"check-1","kind":"streaming","takes":null,"#
        + #""every":100000}}"#
      check(
        "\(declares) delivers the messages of a call", [Self.connect, streaming, Self.finish]
      ) {
        $0.contains { (try? $0.object("received"))?["message"] != nil }
      }
    case .keepalive:
      check("\(declares) answers a ping", [Self.connect, #"{"ping":{"connection":1}}"#]) {
        $0.contains { (try? $0.object("received"))?["pong"] != nil }
      }
    case .servers:
      check("\(declares) reports a reset by the server", [Self.connect, Self.serverResets]) {
        $0.contains { $0["broken"] != nil }
      }
    case .names:
      check("\(declares) reports a name that cannot be resolved", Self.failingName) {
        $0.contains { $0["connectFailed"] != nil }
      }
    case .faults:
      check(
        "\(declares) reports a connection that is killed", [Self.connect, Self.kill]
      ) {
        $0.contains { $0["broken"] != nil }
      }
    case .reads:
      check("\(declares) reports what the server reads", [Self.connect, Self.unary]) {
        $0.contains { $0["read"] != nil }
      }
    case .effects:
      guard let events = Self.fault(hello) else { return }
      check("\(declares) reports which faults had an effect", events) {
        $0.contains { $0["tookEffect"] != nil }
      }
    case .halfDuplex, .background, .tokens, .options, .channels, .monitor, .batch, .disconnect,
      .observers, .digest:
      // Scenarios test these, or only a client declares them.
      break
    }
  }

  private mutating func check(
    _ rule: String, _ events: [String], _ isPresent: ([AnswerFields]) -> Bool
  ) {
    check(rule) { session throws(BackendError) in
      let reports = try session.reports(of: events)
      guard !isPresent(reports) else { return nil }
      let names = reports.compactMap(\.first?.name).joined(separator: ", ")
      return "it reported \(names.isEmpty ? "nothing" : names)"
    }
  }

  /// Returns events with a fault that a transport supports, or `nil` if it supports none.
  private static func fault(_ hello: BackendHello) -> [String]? {
    if hello.capabilities.contains(.servers) { return [connect, serverResets] }
    if hello.capabilities.contains(.faults) { return [connect, kill] }
    return hello.capabilities.contains(.names) ? failingName : nil
  }

  // MARK: Events of the checks

  static let connect = #"{"connect":{"connection":1,"host":"check.example:443"}}"#
  static let device =
    #"{"device":{"flags":["Reachable","IsWWAN"],"path":"cellular","alive":[],"#
    + #""app":"foreground"}}"#
  private static let unary =
    #"{"send":{"connection":1,"call":"check-1","kind":"unary","takes":10000,"every":null}}"#
  private static let finish = #"{"finish":{"connection":1,"call":"check-1"}}"#
  private static let kill = #"{"transport":{"host":"*","become":"kill","entry":0}}"#
  private static let failingName = [
    #"{"names":{"host":"check.example:443","do":"fail","entry":0}}"#, connect,
  ]
  private static let serverResets =
    #"{"server":{"host":"check.example:443","do":"reset","entry":0}}"#
}

extension AnswerFields {
  fileprivate func isStatus(_ status: String) -> Bool {
    (try? object("received").text("status")) == status
  }
}
