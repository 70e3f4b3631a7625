public import HandoverCore
public import HandoverScenario

/// A scenario in which TCP gives up after seconds instead of a quarter of an hour.
///
/// Nobody waits a quarter of an hour for a run in real time. A kernel can be told to give up after
/// fewer retransmissions; the scenario is then played with the time-out that this makes, and what
/// it expects after it is expected that much earlier.
public enum ShortenedTimeout {
  /// The scenario with another time-out; nil where that is not all that would change.
  ///
  /// Nothing is left out: a scenario whose timeline goes on after the time-out could not be played
  /// otherwise, and one with a time-out of its own means it.
  public static func applied(to scenario: Scenario, timeout: Interval) -> Scenario? {
    let usual = RunConfiguration().tcpTimeout
    guard scenario.script.configuration.tcpTimeout == usual else { return nil }
    let last = scenario.script.entries.last?.at ?? .zero
    guard last < .zero + usual else { return nil }
    let saved = usual.microseconds - timeout.microseconds
    var scenario = scenario
    scenario.script.configuration.tcpTimeout = timeout
    func earlier(_ instant: Instant) -> Instant {
      // What does not wait for the time-out stays where it is.
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
      for other in scenario.expectations[index].otherwise.indices {
        scenario.expectations[index].otherwise[other].moment =
          scenario.expectations[index].otherwise[other].moment.map(earlier)
      }
    }
    if let until = scenario.script.configuration.until {
      scenario.script.configuration.until = earlier(until)
    }
    return scenario
  }
}
