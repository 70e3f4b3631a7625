public import HandoverCore
public import HandoverScenario

/// An alternative transport setting, used to measure how much sooner calls end with it.
public enum TransportVariant: Hashable, Sendable {
  /// Keepalive pings on connections that have calls.
  case keepalive(time: Interval, timeout: Interval)
  /// A shorter wait for acknowledgments: TCP_USER_TIMEOUT, on TCP only.
  case userTimeout(Interval)

  /// The default variants, used if none are named.
  public static let standard: [TransportVariant] = [
    .keepalive(time: .seconds(10), timeout: .seconds(5)), .userTimeout(.seconds(5)),
  ]

  /// The name in reports.
  public var name: String {
    switch self {
    case .keepalive(let time, let timeout): "keepalive \(time.text)/\(timeout.text)"
    case .userTimeout(let timeout): "TCP_USER_TIMEOUT \(timeout.text)"
    }
  }

  /// The variant in the syntax of the command line.
  public var argument: String {
    switch self {
    case .keepalive(let time, let timeout): "keepalive=\(time.text)/\(timeout.text)"
    case .userTimeout(let timeout): "user-timeout=\(timeout.text)"
    }
  }

  /// Returns whether a transport supports the setting.
  public func applies(to transport: TransportModel) -> Bool {
    switch self {
    case .keepalive: true
    case .userTimeout: transport.hasUserTimeout
    }
  }

  /// Returns the scenario with the setting applied and without its expectations.
  ///
  /// Expectations are dropped because they are written for the original settings. Expected
  /// violations of interceptors are kept, because they do not depend on the settings.
  public func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.expectations = scenario.expectations.compactMap { expectation in
      guard !expectation.isNever, let violations = expectation.subject.violationsAlone else {
        return nil
      }
      var expectation = expectation
      expectation.subject = violations
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
  /// The expectation reduced to its expected violations, or `nil` if it has none.
  fileprivate var violationsAlone: Expectation.Subject? {
    switch self {
    case .interceptor(let link, let wanted):
      guard let violations = wanted.breaks else { return nil }
      var kept = InterceptorExpectation()
      (kept.call, kept.breaks) = (wanted.call, violations)
      return .interceptor(link, kept)
    case .chain(let call, let wanted):
      guard let violations = wanted.breaks else { return nil }
      var kept = ChainExpectation()
      kept.breaks = violations
      return .chain(call, kept)
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      return nil
    }
  }
}
