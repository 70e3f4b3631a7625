public import HandoverCore
public import HandoverScenario

/// Another setting of the transport, to see how much sooner calls end with it.
public enum TransportVariant: Hashable, Sendable {
  /// Pings on connections that have calls.
  case keepalive(time: Interval, timeout: Interval)
  /// A shorter wait for acknowledgements: TCP_USER_TIMEOUT, on TCP only.
  case userTimeout(Interval)

  /// The two that are played where none are named.
  public static let usual: [TransportVariant] = [
    .keepalive(time: .seconds(10), timeout: .seconds(5)), .userTimeout(.seconds(5)),
  ]

  /// The name in reports.
  public var name: String {
    switch self {
    case .keepalive(let time, let timeout): "keepalive \(time.text)/\(timeout.text)"
    case .userTimeout(let timeout): "TCP_USER_TIMEOUT \(timeout.text)"
    }
  }

  /// The variant as the command line takes it.
  public var argument: String {
    switch self {
    case .keepalive(let time, let timeout): "keepalive=\(time.text)/\(timeout.text)"
    case .userTimeout(let timeout): "user-timeout=\(timeout.text)"
    }
  }

  /// Whether a transport has the setting.
  public func applies(to transport: TransportModel) -> Bool {
    switch self {
    case .keepalive: true
    case .userTimeout: transport.hasUserTimeout
    }
  }

  /// The scenario with the setting in place of its own, and without its expectations.
  ///
  /// What a scenario expects is meant for the settings it was written with; what its links do wrong
  /// on purpose they do whatever the settings are.
  public func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.expectations = scenario.expectations.compactMap { expectation in
      guard !expectation.isNever, let breaches = expectation.subject.breachesAlone else {
        return nil
      }
      var expectation = expectation
      expectation.subject = breaches
      return expectation
    }
    switch self {
    case .keepalive(let time, let timeout):
      scenario.script.configuration.keepalive = KeepaliveConfiguration(
        time: time, timeout: timeout,
        withoutCalls: scenario.script.configuration.keepalive?.withoutCalls ?? false,
        overduePing: scenario.script.configuration.keepalive?.overduePing ?? .close)
    case .userTimeout(let timeout):
      scenario.script.configuration.tcpTimeout = timeout
    }
    return scenario
  }
}

extension Expectation.Subject {
  /// What is expected of broken rules, without all the rest; nil where nothing is.
  fileprivate var breachesAlone: Expectation.Subject? {
    switch self {
    case .interceptor(let link, let wanted):
      guard let breaches = wanted.breaks else { return nil }
      var kept = InterceptorExpectation()
      (kept.call, kept.breaks) = (wanted.call, breaches)
      return .interceptor(link, kept)
    case .chain(let call, let wanted):
      guard let breaches = wanted.breaks else { return nil }
      var kept = ChainExpectation()
      kept.breaks = breaches
      return .chain(call, kept)
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      return nil
    }
  }
}
