import HandoverCore

// The expectations.

extension ScenarioEncoder {
  func expectation(_ expectation: Expectation) -> JSONTree {
    var object = EncodedObject<ExpectationKey>()
    if expectation.profiles != scenario.profiles {
      object[.profiles] = profiles(expectation.profiles)
    }
    object.set(.level, expectation.level, unless: .must)
    object[.shows] = nonempty(expectation.shows.map { .text(scenario.sources[$0].item) })
    if expectation.isNever {
      var forbidden = EncodedObject<ExpectationKey>()
      encode(expectation.subject, &forbidden)
      object[.never] = forbidden.json
    } else if !expectation.alternatives.isEmpty, case .call(let call, _, _, _) = expectation.subject
    {
      object[.call] = self.call(call)
      object[.anyOf] = .array(
        expectation.endings.map { ending in
          var object = EncodedObject<ExpectationKey>()
          encode(ending, &object)
          return object.json
        })
    } else {
      encode(expectation.subject, &object)
      encode(expectation.moment, &object)
    }
    return object.json
  }

  private func encode(_ moment: Expectation.Moment?, _ object: inout EncodedObject<ExpectationKey>)
  {
    switch moment {
    case .at(let instant): object[.at] = time(instant)
    case .within(let first, let last): object[.within] = [time(first), time(last)]
    case .before(let instant): object[.before] = time(instant)
    case .after(let instant): object[.after] = time(instant)
    case nil: break
    }
  }

  private func encode(
    _ ending: Expectation.Ending, _ object: inout EncodedObject<ExpectationKey>
  ) {
    encode(ending, ScenarioFormat.endParts, into: &object)
    encode(ending.moment, &object)
  }

  private func encode(
    _ subject: Expectation.Subject, _ object: inout EncodedObject<ExpectationKey>
  ) {
    switch subject {
    case .call(let call, let status, let message, let channel):
      object[.call] = self.call(call)
      encode(
        Expectation.Ending(status: status, message: message, channel: channel, moment: nil),
        &object)
    case .channels(let host, let alive, let destroyed, let state):
      object[.channels] = json((host, alive, destroyed, state), ScenarioFormat.channels)
    case .connections(let host, let attempts, let open, let path):
      object[.connections] = json((host, attempts, open, path), ScenarioFormat.connections)
    case .server(let host, let wanted):
      object[.server] = json((host, wanted), ScenarioFormat.server)
    case .kernel(let wanted): object[.kernel] = json(wanted, ScenarioFormat.kernel)
    case .monitor(let notifications):
      object[.monitor] = notifications.map { json($0, ScenarioFormat.notifications) }
    case .interceptor(let link, let wanted):
      object[.interceptor] = json((link, wanted), ScenarioFormat.interceptorSubject)
    case .chain(let call, let wanted):
      object[.chain] = json((call, wanted), ScenarioFormat.chainSubject)
    case .request(let request, let wanted):
      object[.request] = .text(script.requests[request].id)
      encode(wanted, ScenarioFormat.requestParts, into: &object)
    case .ask(let question, let wanted):
      object[.ask] = .text(script.questions[question].id)
      encode(wanted, ScenarioFormat.answerParts, into: &object)
    case .requests(let host, let wanted):
      object[.requests] = json((host, wanted), ScenarioFormat.requests)
    }
  }
}
