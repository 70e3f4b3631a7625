public import HandoverCore
public import HandoverScenario

/// A transformation that makes TCP give up after seconds instead of 15 minutes.
///
/// A run in real time should not take 15 minutes. A kernel can be configured to give up after fewer
/// retransmissions. The scenario then runs with the resulting timeout, and expectations after the
/// timeout are moved earlier by the difference.
public enum ShortenedTimeout {
  /// Returns the scenario with another timeout, or `nil` if the timeout is not the only difference.
  ///
  /// The result is `nil` if the timeline continues after the usual timeout, because such a scenario
  /// cannot run unchanged. It is also `nil` if the scenario sets its own timeout, because that
  /// value is intended.
  public static func applied(to scenario: Scenario, timeout: Interval) -> Scenario? {
    let usual = RunConfiguration().tcpTimeout
    guard scenario.script.configuration.tcpTimeout == usual else { return nil }
    let last = scenario.script.entries.last?.at ?? .zero
    guard last < .zero + usual else { return nil }
    let saved = usual.microseconds - timeout.microseconds
    var scenario = scenario
    scenario.script.configuration.tcpTimeout = timeout
    func earlier(_ instant: Instant) -> Instant {
      // Instants before the usual timeout do not depend on it and stay unchanged.
      instant < .zero + usual ? instant : Instant(microseconds: instant.microseconds - saved)
    }
    func earlier(_ moment: Expectation.Moment) -> Expectation.Moment {
      switch moment {
      case .at(let instant): .at(earlier(instant))
      case .within(let first, let second): .within(earlier(first), earlier(second))
      case .before(let instant): .before(earlier(instant))
      case .after(let instant): .after(earlier(instant))
      }
    }
    for index in scenario.expectations.indices {
      scenario.expectations[index].moment = scenario.expectations[index].moment.map(earlier)
      for other in scenario.expectations[index].alternatives.indices {
        scenario.expectations[index].alternatives[other].moment =
          scenario.expectations[index].alternatives[other].moment.map(earlier)
      }
    }
    if let until = scenario.script.configuration.until {
      scenario.script.configuration.until = earlier(until)
    }
    return scenario
  }
}
