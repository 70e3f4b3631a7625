import HandoverCore

// MARK: - Expectations

extension ScenarioBuilder {
  mutating func readExpectations(_ value: JSONValue) {
    guard has(value, .array, "\"expect\"") else { return }
    for (index, element) in value.elements.enumerated() {
      guard index < ScenarioLimits.expectations else {
        report(
          .tooManyExpectations, at: element,
          "there are more than \(ScenarioLimits.expectations) expectations",
          hint: "split the scenario into several")
        break
      }
      if let expectation = expectation(element) { expectations.append(expectation) }
    }
  }

  private mutating func expectation(_ value: JSONValue) -> Expectation? {
    guard let fields = fields(value, ExpectationKey.self) else { return nil }
    var profiles = self.profiles
    if let list = fields[.profiles],
      let named = profileList(list, "\"profiles\"", among: self.profiles)
    {
      profiles = named
    }
    let level: Expectation.Level = fields[.level].flatMap { self.keyword($0, "\"level\"") } ?? .must
    var subject: Expectation.Subject?
    var moment: Expectation.Moment?
    if let never = fields[.never] {
      subject = neverSubject(never, in: fields, profiles)
    } else {
      moment = self.moment(fields)
      subject = self.subject(fields, profiles, mayBeBare: fields[.anyOf] != nil)
    }
    var alternatives: [Expectation.Ending] = []
    if let list = fields[.anyOf] {
      alternatives = endings(list, in: fields)
      if let first = alternatives.first, case .call(let call, _, _, _) = subject {
        subject = .call(
          call, status: first.status, message: first.message, channel: first.channel)
        moment = first.moment
        alternatives.removeFirst()
      }
    }
    let shows = fields[.shows].map { self.items($0) } ?? []
    guard let subject else { return nil }
    return Expectation(
      profiles: profiles, level: level, isNever: fields[.never] != nil, subject: subject,
      moment: moment, alternatives: alternatives, shows: shows,
      position: cursor.position(at: value.offset))
  }

  /// Reads a list of requirements, and returns their indices in the scenario's sources.
  private mutating func items(_ value: JSONValue) -> [Int] {
    guard has(value, .array, "\"shows\"") else { return [] }
    var shown: [Int] = []
    var names: [String] = []
    let elements = Array(value.elements)
    for element in elements {
      guard let name = self.name(element, "a requirement") else { continue }
      if names.contains(name) {
        report(
          .duplicateItem, at: element, "the requirement \(Excerpt.quoted(name)) is named twice",
          hint: "remove one of the two")
        continue
      }
      names.append(name)
      guard let index = sources.firstIndex(where: { $0.item == name }) else {
        reportUnknown(
          .unknownItem, at: element,
          "the requirement \(Excerpt.quoted(name)) is not in the scenario's sources", name,
          names: sources.map(\.item),
          hint: "add the requirement to \"source\", with its document")
        continue
      }
      shown.append(index)
    }
    if elements.isEmpty {
      report(
        .emptyList, at: value, "\"shows\" is empty",
        hint: "add a requirement such as \"D8a\", or remove the key")
    }
    return shown
  }

  /// Reads the alternative outcomes of a call (`anyOf`).
  private mutating func endings(
    _ list: JSONValue, in outer: Fields<ExpectationKey>
  ) -> [Expectation.Ending] {
    guard outer[.never] == nil, outer[.call] != nil else {
      refuse([.anyOf], outer, "it requires \"call\"", hint: "write a separate expectation for each")
      return []
    }
    refuse(
      ExpectationKey.ofEnds, outer, "the object also has \"anyOf\"",
      hint: "move the key into one of the objects of \"anyOf\"")
    guard has(list, .array, "\"anyOf\"") else { return [] }
    let elements = Array(list.elements.prefix(ScenarioLimits.alternatives + 1))
    if elements.isEmpty {
      report(
        .emptyList, at: list, "\"anyOf\" is empty",
        hint: "add an object such as {\"status\": \"OK\"}")
    }
    if elements.count > ScenarioLimits.alternatives {
      report(
        .tooManyExpectations, at: elements[ScenarioLimits.alternatives],
        "\"anyOf\" has more than \(ScenarioLimits.alternatives) objects",
        hint: "remove objects, or use \"before\" or \"within\" for a range of times")
    }
    return elements.prefix(ScenarioLimits.alternatives).compactMap { ending($0) }
  }

  private mutating func ending(_ value: JSONValue) -> Expectation.Ending? {
    guard let fields = fields(value, ExpectationKey.self, as: ExpectationKey.ending) else {
      return nil
    }
    let parts = ExpectationKey.ofEnds
    refuse(
      ExpectationKey.allCases.filter { !parts.contains($0) }, fields,
      "\"anyOf\" lists ends of the call", hint: "move the key out of \"anyOf\"")
    if !fields.hasAny(of: parts) {
      reportNothingExpected(fields.object, parts.map(\.rawValue))
    }
    var ending = readParts(ScenarioFormat.endParts, fields)
    ending.moment = moment(fields)
    return ending
  }

  private mutating func neverSubject(
    _ never: JSONValue, in outer: Fields<ExpectationKey>, _ profiles: [Profile]
  ) -> Expectation.Subject? {
    let forbidden = ExpectationKey.subjects + ExpectationKey.parts
    refuse(
      forbidden, outer, "the object also has \"never\"",
      hint: "move the key into the object of \"never\"")
    refuse(
      ExpectationKey.times, outer, "\"never\" applies to the whole run", hint: "remove the time")
    guard let fields = fields(never, ExpectationKey.self, as: ExpectationKey.forbidden) else {
      return nil
    }
    refuse(
      ExpectationKey.times, fields, "\"never\" applies to the whole run", hint: "remove the time")
    refuse(
      [.profiles, .level, .shows], fields, "it is a key of the expectation",
      hint: "move the key out of the object of \"never\"")
    refuse(.never, fields, "\"never\" cannot be repeated", hint: "remove one of the two")
    refuse(
      .kernel, fields, "its numbers are maximums already", hint: "remove the \"never\"")
    refuse(
      .anyOf, fields, "\"never\" accepts one observation",
      hint: "write a separate \"never\" for each")
    return subject(fields, profiles, mayBeBare: true)
  }
}

// MARK: - Subjects

extension ScenarioBuilder {
  /// Reads the subject of an expectation.
  ///
  /// With `mayBeBare`, a call may have no expected values; the expectation is then that the call
  /// ends.
  private mutating func subject(
    _ fields: Fields<ExpectationKey>, _ profiles: [Profile], mayBeBare: Bool
  ) -> Expectation.Subject? {
    expectedProfiles = profiles
    let present = fields.present(among: ExpectationKey.subjects)
    guard let key = present.first, let value = fields[key] else {
      report(
        .missingSubject, at: fields.object, "this expectation has no subject",
        hint: "add one of \(Excerpt.alternatives(ExpectationKey.subjects.map(\.rawValue)))")
      return nil
    }
    for other in present.dropFirst() {
      guard let member = fields.member(other) else { continue }
      report(
        .severalSubjects, at: member.key,
        "an expectation can have only one subject; this one has both \"\(key.rawValue)\" and "
          + "\"\(other.rawValue)\"",
        hint: "write a separate expectation for each")
    }
    refuseParts(in: key, fields)
    let location = fields.member(key)?.key ?? value
    switch key {
    case .call:
      return call(value, fields, mayBeBare: mayBeBare)
    case .request:
      return requestSubject(value, fields, mayBeBare: mayBeBare)
    case .ask:
      return answerSubject(value, fields, profiles, at: location)
    case .requests:
      judgeProfiles(profiles, take: .requests, key.rawValue, at: location)
      return read(value, ScenarioFormat.requests).map { .requests($0.host ?? .all, $0.wanted) }
    case .channels:
      judgeProfiles(profiles, take: .calls, key.rawValue, at: location)
      return read(value, ScenarioFormat.channels).map {
        .channels($0.host ?? .all, alive: $0.alive, destroyed: $0.destroyed, state: $0.state)
      }
    case .connections:
      judgeProfiles(profiles, take: .calls, key.rawValue, at: location)
      return read(value, ScenarioFormat.connections).map {
        .connections($0.host ?? .all, attempts: $0.attempts, open: $0.open, path: $0.path)
      }
    case .server:
      judgeProfiles(profiles, take: .calls, key.rawValue, at: location)
      return read(value, ScenarioFormat.server).map { .server($0.host ?? .all, $0.wanted) }
    case .kernel:
      return read(value, ScenarioFormat.kernel).map { .kernel($0) }
    case .interceptor:
      return read(value, ScenarioFormat.interceptorSubject).map {
        .interceptor($0.link, $0.wanted)
      }
    case .chain:
      return read(value, ScenarioFormat.chainSubject).map { .chain($0.call, $0.wanted) }
    default:
      return monitor(value, at: location, profiles)
    }
  }

  /// Reports keys that do not belong to the subject.
  private mutating func refuseParts(
    in subject: ExpectationKey, _ fields: Fields<ExpectationKey>
  ) {
    let owners = ExpectationKey.owners
    let allowed = owners.first { $0.subject == subject }?.parts ?? []
    fields.forEachPresent(among: ExpectationKey.parts) { part in
      guard !allowed.contains(part) else { return }
      let wanted = owners.filter { $0.parts.contains(part) }
        .map { "\"\($0.subject.rawValue)\"" }.joined(separator: " or ")
      refuse(
        part, fields, "it requires \(wanted)",
        hint: "remove the key, or write an expectation with \(wanted)")
    }
  }

  private mutating func call(
    _ value: JSONValue, _ fields: Fields<ExpectationKey>, mayBeBare: Bool
  ) -> Expectation.Subject? {
    let call = self.call(named: value)
    let end = readParts(ScenarioFormat.endParts, fields)
    if !mayBeBare, !fields.hasAny(of: ExpectationKey.ofEnds) {
      let parts = ExpectationKey.ofEnds + [.anyOf]
      reportNothingExpected(fields.object, parts.map(\.rawValue))
    }
    return call.map {
      .call($0, status: end.status, message: end.message, channel: end.channel)
    }
  }

  private mutating func monitor(_ value: JSONValue, at key: JSONValue, _ profiles: [Profile])
    -> Expectation.Subject?
  {
    if let profile = profiles.first(where: { !$0.policy.monitorsReachability }) {
      report(
        .noMonitor, at: key, "the profile \"\(profile.name)\" has no monitor",
        hint: "write profiles with a monitor in \"profiles\", such as "
          + "\"\(Profile.socketsMonitor.name)\"")
    }
    return read(value, ScenarioFormat.notifications).map { .monitor(notifications: $0) }
  }

  mutating func reportNothingExpected(_ value: JSONValue, _ keys: [String]) {
    report(
      .nothingExpected, at: value, "this expectation expects nothing",
      hint: "add at least one of \(Excerpt.alternatives(keys))")
  }
}

// MARK: - Times

extension ScenarioBuilder {
  /// Reads the time of an expectation.
  private mutating func moment(_ fields: Fields<ExpectationKey>) -> Expectation.Moment? {
    switch fields.present(among: ExpectationKey.subjects).first {
    case nil, .call, .request: break
    case .ask:
      refuse(
        ExpectationKey.times, fields, "a question is answered when it is asked",
        hint: "remove the time")
      return nil
    case .kernel:
      refuse(
        ExpectationKey.times, fields, "the kernel's numbers apply to the whole run",
        hint: "remove the time")
      return nil
    default:
      refuse(
        [.within, .before, .after], fields,
        "only the end of a call or a request can have a time range",
        hint: "write \"at\", or remove the time to check at the end of the run")
    }
    let present = fields.present(among: ExpectationKey.times)
    for other in present.dropFirst() {
      guard let member = fields.member(other) else { continue }
      report(
        .severalTimes, at: member.key, "the expectation has more than one time",
        hint: "keep only one of \(Excerpt.alternatives(present.map(\.rawValue)))")
    }
    guard let key = present.first, let value = fields[key] else { return nil }
    switch key {
    case .within:
      return window(value)
    case .before:
      return instant(value, "\"before\"").map(Expectation.Moment.before)
    case .after:
      return reachable(value, "\"after\"").map(Expectation.Moment.after)
    default:
      return reachable(value, "\"at\"").map(Expectation.Moment.at)
    }
  }

  private mutating func window(_ value: JSONValue) -> Expectation.Moment? {
    let bounds = Array(value.elements.prefix(3))
    guard value.kind == .array, bounds.count == 2 else {
      wrongType(
        value, "\"within\"", wanted: "an array of two times", hint: "write [\"1s\", \"1.2s\"]")
      return nil
    }
    let first = reachable(bounds[0], "the beginning of \"within\"")
    let last = instant(bounds[1], "the end of \"within\"")
    guard let first, let last else { return nil }
    guard first <= last else {
      report(
        .timeBackwards, at: bounds[1], "the window ends before it begins",
        hint: "swap the two times")
      return nil
    }
    return .within(first, last)
  }

  /// Reads an instant that must not be later than the end of the run.
  mutating func reachable(_ value: JSONValue, _ owner: String) -> Instant? {
    guard let instant = instant(value, owner) else { return nil }
    if let until = script.configuration.until, instant > until {
      report(
        .expectationAfterUntil, at: value,
        "the run ends at \(until.text), before this expectation is evaluated",
        hint: "increase \"until\" in \"config\", or write an earlier time")
    }
    return instant
  }
}
