import HandoverCore

// MARK: - Settings

extension ScenarioBuilder {
  /// Reports an expectation about threads if the run has none.
  mutating func judgeHaveThreads(at key: JSONValue) {
    guard script.configuration.requests.threads == nil else {
      return judgeHaveDispatchers(expectedProfiles, at: key)
    }
    report(
      .noThreads, at: key, "the run has no thread pool",
      hint: "add \"requests\": { \"threads\": {} } to \"config\"")
  }

  /// Returns the limits of the preset, modified by the other keys.
  ///
  /// Without a preset, a quarter of the total is reserved for short requests.
  mutating func limits(_ fields: Fields<TableKey>) -> ConnectionLimits? {
    let preset: ConnectionLimitsPreset? = fields["preset"].flatMap {
      self.keyword($0, "\"preset\"")
    }
    let total = fields["total"].flatMap {
      self.integer($0, "\"total\"", 1...UInt32(ScenarioLimits.connections))
    }
    let long = fields["long"].flatMap {
      self.integer($0, "\"long\"", 0...UInt32(ScenarioLimits.connections))
    }
    let quarter = total.flatMap { try? ConnectionLimits(reservingQuarterOf: $0) }
    let limits = preset?.limits ?? quarter ?? RequestConfiguration().limits
    do throws(ConnectionLimitsError) {
      return try ConnectionLimits(total: total ?? limits.total, long: long ?? limits.long)
    } catch {
      if let value = fields["long"] ?? fields["total"] {
        reportLongAboveTotal(long ?? limits.long, total ?? limits.total, at: value)
      }
      return nil
    }
  }

  mutating func reportLongAboveTotal(_ long: UInt32, _ total: UInt32, at value: JSONValue) {
    report(
      .longAboveTotal, at: value,
      "the limit for long requests is \(long), more than the total of \(total)",
      hint: "write \"long\" from 0 to \(total), or increase \"total\" in \"config\"")
  }
}

// MARK: - Entries

extension ScenarioBuilder {
  mutating func request(_ value: JSONValue) -> ScriptAction? {
    var request = ScenarioFormat.request.defaultValue
    _ = read(value, ScenarioFormat.request, into: &request)
    return insert(request, at: value)
  }

  mutating func judgeResponse(_ request: ScriptRequest, _ fields: Fields<TableKey>) {
    guard let value = fields["responds"], let takes = request.takes,
      let responds = request.responds, responds > takes
    else { return }
    report(
      .timeBackwards, at: value,
      "the response ends after \(takes.text), before it begins after \(responds.text)",
      hint: "write a shorter \"responds\", or a longer \"takes\"")
  }

  private mutating func insert(_ request: ScriptRequest, at value: JSONValue) -> ScriptAction? {
    // A request without a valid ID has already been reported, and nothing can refer to it.
    guard !request.id.isEmpty, hasRoomForID(at: value), hasRoom(for: request, at: value) else {
      return nil
    }
    let (index, isNew) = requests.insert(request.id)
    guard isNew else { return nil }
    script.requests.append(request)
    return .request(index)
  }

  mutating func ask(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    judgeHasDispatcher(at: key)
    var question = ScenarioFormat.question.defaultValue
    _ = read(value, ScenarioFormat.question, into: &question)
    guard !question.id.isEmpty, hasRoomForID(at: value) else { return nil }
    let (index, isNew) = questions.insert(question.id)
    guard isNew else { return nil }
    script.questions.append(question)
    return .ask(index)
  }

  mutating func dispatcherCommand(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    judgeHasDispatcher(at: key)
    return read(value, ScenarioFormat.dispatcherCommand).map { command in
      .dispatcher(
        command.pool, command.action == .close ? .close : .setLongLimit(command.long))
    }
  }

  // MARK: Parts

  /// Reads the name of a pool; a new name creates a pool.
  mutating func pool(_ value: JSONValue) -> Int? {
    guard let text = name(value, "the name of a pool") else { return nil }
    if let index = pools.index(of: text) { return index }
    guard pools.names.count < Script.maximumPoolCount else {
      report(
        .tooManyPools, at: value, "there are more than \(Script.maximumPoolCount) pools",
        hint: "reuse the name of a pool, such as \"\(pools.names[0])\"")
      return nil
    }
    return pools.insert(text).index
  }

  mutating func questionID(_ value: JSONValue) -> String? {
    guard let id = name(value, "the question's id") else { return nil }
    if questions.index(of: id) != nil {
      report(
        .duplicateCall, at: value, "the question id \(Excerpt.quoted(id)) is used twice",
        hint: "give each question a different id")
    }
    return id
  }
}

// MARK: - References to requests

extension ScenarioBuilder {
  /// Reads the cancellation of a call or a request.
  mutating func cancellation(_ value: JSONValue) -> ScriptAction? {
    guard let id = value.text, let index = requests.index(of: id) else {
      return startedCall(named: value, orRequest: true).map(ScriptAction.cancel)
    }
    return .cancelRequest(index)
  }

  /// Reads the ID of a request that the timeline makes before or after this entry.
  private mutating func request(named value: JSONValue) -> Int? {
    guard let id = name(value, "the request's id") else { return nil }
    if let index = requests.index(of: id) { return index }
    reportUnknown(
      .unknownCall, at: value, "no request has the id \(Excerpt.quoted(id))", id,
      names: requests.names,
      hint: "make the request in the timeline, or write the id of a request that is made there"
    )
    return nil
  }

  private mutating func question(named value: JSONValue) -> Int? {
    guard let id = name(value, "the question's id") else { return nil }
    if let index = questions.index(of: id) { return index }
    reportUnknown(
      .unknownCall, at: value, "no question has the id \(Excerpt.quoted(id))", id,
      names: questions.names,
      hint:
        "add the question to the timeline, or write the id of a question that is asked there")
    return nil
  }
}

// MARK: - Profiles

extension ScenarioBuilder {
  /// Reports a key about a kind of work that one of the profiles does not take.
  mutating func judgeProfiles(
    _ profiles: [Profile], take work: ClientKind.Work, _ name: String, at key: JSONValue
  ) {
    guard let other = profiles.first(where: { $0.client.work != work }) else { return }
    let requesting = Profile.known.filter { $0.client.work == .requests }.map(\.name)
      .joined(separator: ", ")
    let problem =
      switch work {
      case .calls: "does not work with"
      case .requests: "requires one of"
      }
    report(
      .wrongProfile, at: key,
      "\"\(name)\" \(problem) the profiles \(requesting), and the scenario names "
        + "\"\(other.name)\"",
      hint: "change \"profiles\", or write a separate scenario")
  }

  mutating func judgeHasDispatcher(at key: JSONValue) {
    // If no profile makes requests, this has already been reported.
    guard work.hasRequests, !profiles.contains(where: \.client.hasDispatcher)
    else { return }
    report(
      .noDispatcher, at: key, "none of the scenario's profiles has a dispatcher",
      hint: "add \"\(Profile.urlDispatcher.name)\" to \"profiles\"")
  }

  mutating func judgeHaveDispatchers(_ profiles: [Profile], at key: JSONValue) {
    let profile = profiles.first { $0.client.work == .requests && !$0.client.hasDispatcher }
    guard let profile else { return }
    report(
      .noDispatcher, at: key, "the profile \"\(profile.name)\" has no dispatcher",
      hint:
        "write the profile with a dispatcher, \"\(Profile.urlDispatcher.name)\", in \"profiles\"")
  }
}

// MARK: - Expectations

extension ScenarioBuilder {
  mutating func requestSubject(
    _ value: JSONValue, _ fields: Fields<ExpectationKey>, mayBeBare: Bool
  ) -> Expectation.Subject? {
    let request = self.request(named: value)
    let wanted = readParts(ScenarioFormat.requestParts, fields)
    let parts = ExpectationKey.ofRequests + ExpectationKey.times
    if !mayBeBare, !fields.hasAny(of: parts) {
      reportNothingExpected(fields.object, parts.map(\.rawValue))
    }
    return request.map { .request($0, wanted) }
  }

  mutating func answerSubject(
    _ value: JSONValue, _ fields: Fields<ExpectationKey>, _ profiles: [Profile], at key: JSONValue
  ) -> Expectation.Subject? {
    judgeHaveDispatchers(profiles, at: key)
    let question = self.question(named: value)
    let wanted = readParts(ScenarioFormat.answerParts, fields)
    if !fields.hasAny(of: ExpectationKey.ofAnswers) {
      reportNothingExpected(fields.object, ExpectationKey.ofAnswers.map(\.rawValue))
    }
    return question.map { .ask($0, wanted) }
  }

  /// Reads a list of requests that hold slots.
  mutating func requests(_ value: JSONValue, _ owner: String) -> [Int]? {
    guard has(value, .array, owner) else { return nil }
    var requests: [Int] = []
    for (index, element) in value.elements.enumerated() {
      // The number of concurrent holders cannot exceed the number of connections.
      guard isWithin(index, owner, at: element, limit: ScenarioLimits.connections) else { break }
      if let request = self.request(named: element) { requests.append(request) }
    }
    return requests
  }
}
