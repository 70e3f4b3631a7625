import HandoverCore
import HandoverJSON
import HandoverThreadPoolMachine

private enum LimitsKey: String, FieldKey {
  case preset, total, long, platform, policy, poll, chargesWaiting, keepAlive, threads

  static let vocabulary = Vocabulary<Self>()
}

private enum ThreadsKey: String, FieldKey {
  case idle, collect

  static let vocabulary = Vocabulary<Self>()
}

private enum RequestKey: String, FieldKey {
  case id, host, kind, responds, takes, every, timeout, deadline, policy, poll, pool

  static let vocabulary = Vocabulary<Self>()
}

private enum QuestionKey: String, FieldKey {
  case id, host, kind, policy, poll, pool

  static let vocabulary = Vocabulary<Self>()
}

private enum DispatcherKey: String, FieldKey {
  case `do`, long, pool

  static let vocabulary = Vocabulary<Self>()
}

private enum RequestsKey: String, FieldKey {
  case host, running, waiting, frozen, ended, open, opened, most, limitReached
  case threads, idleThreads, threadsMade, mostThreads

  static let vocabulary = Vocabulary<Self>()

  static let ofThreads: [RequestsKey] = [.threads, .idleThreads, .threadsMade, .mostThreads]
}

/// The kinds of requests, as the file names them.
private enum KindWord: String, CaseIterable {
  case short, long, synchronous, websocket

  var kind: RequestKind {
    switch self {
    case .short: .short
    case .long: .long
    case .synchronous: .synchronous
    case .websocket: .exempt
    }
  }
}

private enum PolicyWord: String, CaseIterable {
  case `throw`, fail, enqueue, ignore
  case takeSpare = "take-spare"
  case poll
}

private enum DispatcherWord: String, CaseIterable {
  case limit, close
}

// MARK: - Settings

extension ScenarioBuilder {
  mutating func readRequests(_ value: JSONValue) {
    guard let fields = fields(value, "\"requests\"", LimitsKey.self) else { return }
    var requests = RequestConfiguration()
    if let limits = limits(fields) { requests.limits = limits }
    let connections = UInt32(1)...UInt32(ScenarioLimits.connections)
    requests.platform = fields[.platform].flatMap { self.integer($0, "\"platform\"", connections) }
    if let policy = policy(fields, .policy, .poll) { requests.policy = policy }
    if let charges = fields[.chargesWaiting].flatMap({ self.boolean($0, "\"chargesWaiting\"") }) {
      requests.chargesWaiting = charges
    }
    if let keepAlive = interval(fields[.keepAlive], "\"keepAlive\"") {
      requests.keepAlive = keepAlive
    }
    requests.threads = threads(fields)
    script.configuration.requests = requests
  }

  /// Reads the thread settings, or returns `nil` if the run has no threads.
  private mutating func threads(_ fields: Fields<LimitsKey>) -> ThreadConfiguration? {
    guard let member = fields.member(.threads) else { return nil }
    judgeHasDispatcher(at: member.key)
    var threads = ThreadConfiguration(
      idle: .seconds(ThreadPoolTimes.idleSeconds),
      collect: .seconds(ThreadPoolTimes.collectionSeconds))
    // A value of the wrong type has been reported, and the default settings replace it.
    guard let settings = self.fields(member.value, "\"threads\"", ThreadsKey.self) else {
      return threads
    }
    if let idle = interval(settings[.idle], "\"idle\"") { threads.idle = idle }
    if let collect = interval(settings[.collect], "\"collect\"", mustPass: true) {
      threads.collect = collect
    }
    return threads
  }

  /// Reports expectations about threads if the run has none.
  private mutating func judgeHaveThreads<Key: FieldKey>(
    _ keys: [Key], _ fields: Fields<Key>, _ profiles: [Profile]
  ) {
    for key in fields.present(among: keys) {
      guard let member = fields.member(key) else { continue }
      if script.configuration.requests.threads == nil {
        report(
          .noThreads, at: member.key, "the run has no thread pool",
          hint: "add \"requests\": { \"threads\": {} } to \"config\"")
      } else {
        judgeHaveDispatchers(profiles, at: member.key)
      }
    }
  }

  /// Returns the limits of the preset, modified by the other keys.
  ///
  /// Without a preset, a quarter of the total is reserved for short requests.
  private mutating func limits(_ fields: Fields<LimitsKey>) -> ConnectionLimits? {
    let preset: ConnectionLimitsPreset? = fields[.preset].flatMap { self.word($0, "\"preset\"") }
    let total = fields[.total].flatMap {
      self.integer($0, "\"total\"", 1...UInt32(ScenarioLimits.connections))
    }
    let long = fields[.long].flatMap { self.longLimit($0) }
    let quarter = total.flatMap { try? ConnectionLimits(keepingQuarterOf: $0) }
    let limits = preset?.limits ?? quarter ?? RequestConfiguration().limits
    do throws(ConnectionLimitsError) {
      return try ConnectionLimits(total: total ?? limits.total, long: long ?? limits.long)
    } catch {
      if let value = fields[.long] ?? fields[.total] {
        reportLongAboveTotal(long ?? limits.long, total ?? limits.total, at: value)
      }
      return nil
    }
  }

  private mutating func longLimit(_ value: JSONValue) -> UInt32? {
    integer(value, "\"long\"", 0...UInt32(ScenarioLimits.connections))
  }

  private mutating func reportLongAboveTotal(_ long: UInt32, _ total: UInt32, at value: JSONValue) {
    report(
      .longAboveTotal, at: value,
      "the limit for long requests is \(long), more than the total of \(total)",
      hint: "write \"long\" from 0 to \(total), or increase \"total\" in \"config\"")
  }

  /// Reads the policy at the long limit, or returns `nil` if the file has none.
  private mutating func policy<Key: FieldKey>(_ fields: Fields<Key>, _ policy: Key, _ poll: Key)
    -> LongLimitPolicy?
  {
    let word: PolicyWord? = fields[policy].flatMap { self.word($0, "\"policy\"") }
    // A misspelled policy has been reported, so the keys that depend on it cannot be checked.
    if word != .poll, word != nil || fields[policy] == nil {
      refuse(
        [poll], fields, "it requires \"policy\": \"poll\"",
        hint: "remove the key, or write \"policy\": \"poll\"")
    }
    switch word {
    case .throw: return .throw
    case .fail: return .fail
    case .enqueue: return .enqueue
    case .ignore: return .ignore
    case .takeSpare: return .takeSpare
    case .poll:
      return .poll(every: interval(fields[poll], "\"poll\"", mustPass: true) ?? .seconds(1))
    case nil: return nil
    }
  }
}

// MARK: - Entries

extension ScenarioBuilder {
  mutating func request(_ value: JSONValue) -> ScriptAction? {
    let owner = "a request"
    guard let fields = fields(value, owner, RequestKey.self) else { return nil }
    let id = required(.id, fields, owner).flatMap { self.requestID($0) }
    let host = required(.host, fields, owner).flatMap { self.host($0, "the host") }
    let kind = kind(fields[.kind], usual: .short)
    var request = ScriptRequest(id: id ?? "", host: host ?? 0, kind: kind ?? .short, takes: nil)
    request.takes = interval(fields[.takes], "\"takes\"") ?? Self.usualDuration(request.kind)
    request.responds = interval(fields[.responds], "\"responds\"") ?? .zero
    judgeResponse(request, fields)
    request.every = interval(fields[.every], "\"every\"", mustPass: true)
    if let timeout = interval(fields[.timeout], "\"timeout\"") { request.timeout = timeout }
    request.deadline = interval(fields[.deadline], "\"deadline\"")
    request.policy = policy(of: kind, fields, .policy, .poll)
    request.pool = fields[.pool].flatMap { self.pool($0) } ?? 0
    return insert(request, at: value)
  }

  private mutating func judgeResponse(_ request: ScriptRequest, _ fields: Fields<RequestKey>) {
    guard let value = fields[.responds], let takes = request.takes,
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
    let owner = "a question"
    guard let fields = fields(value, owner, QuestionKey.self) else { return nil }
    let id = required(.id, fields, owner).flatMap { self.questionID($0) }
    let host = required(.host, fields, owner).flatMap { self.host($0, "the host") }
    let kind = kind(fields[.kind], usual: .long)
    let policy = policy(of: kind, fields, .policy, .poll)
    let pool = fields[.pool].flatMap { self.pool($0) } ?? 0
    guard let id, hasRoomForID(at: value) else { return nil }
    let (index, isNew) = questions.insert(id)
    guard isNew else { return nil }
    script.questions.append(
      ScriptQuestion(id: id, host: host ?? 0, kind: kind ?? .long, policy: policy, pool: pool))
    return .ask(index)
  }

  mutating func dispatcherCommand(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    judgeHasDispatcher(at: key)
    let owner = "\"dispatcher\""
    guard let fields = fields(value, owner, DispatcherKey.self) else { return nil }
    let pool = fields[.pool].flatMap { self.pool($0) } ?? 0
    guard
      let word: DispatcherWord = required(.do, fields, owner).flatMap({
        self.word($0, "a dispatcher")
      })
    else { return nil }
    switch word {
    case .close:
      refuse(
        .long, fields, "it requires \"do\": \"limit\"",
        hint: "remove \"long\", or write \"do\": \"limit\"")
      return .dispatcher(pool, .close)
    case .limit:
      guard let value = required(.long, fields, "a limit"), let long = longLimit(value) else {
        return nil
      }
      let total = script.configuration.requests.limits.total
      if long > total { reportLongAboveTotal(long, total, at: value) }
      return .dispatcher(pool, .setLongLimit(long))
    }
  }

  // MARK: Parts

  /// Reads the kind, or returns `nil` if it is invalid, which is then reported.
  private mutating func kind(_ value: JSONValue?, usual: RequestKind) -> RequestKind? {
    guard let value else { return usual }
    let word: KindWord? = word(value, "the kind of a request")
    return word?.kind
  }

  /// Reads the policy of a request or question, which must be long.
  private mutating func policy<Key: FieldKey>(
    of kind: RequestKind?, _ fields: Fields<Key>, _ policy: Key, _ poll: Key
  ) -> LongLimitPolicy? {
    // If the kind is unknown, the keys that depend on it cannot be checked.
    guard kind == .long || kind == nil else {
      refuse(
        [policy, poll], fields, "only long requests count towards the limit for long requests",
        hint: "remove the key, or write \"kind\": \"long\"")
      return nil
    }
    return self.policy(fields, policy, poll)
  }

  /// Returns the default duration of the server's answer.
  private static func usualDuration(_ kind: RequestKind) -> Interval? {
    switch kind {
    case .short, .synchronous: .milliseconds(10)
    case .long, .exempt: nil
    }
  }

  /// Reads the name of a pool; a new name creates a pool.
  private mutating func pool(_ value: JSONValue) -> Int? {
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

  private mutating func requestID(_ value: JSONValue) -> String? {
    guard let id = name(value, "the request's id") else { return nil }
    reportIfTaken(id, at: value)
    return id
  }

  private mutating func questionID(_ value: JSONValue) -> String? {
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
      otherwise: "make the request in the timeline, or write the id of a request that is made there"
    )
    return nil
  }

  private mutating func question(named value: JSONValue) -> Int? {
    guard let id = name(value, "the question's id") else { return nil }
    if let index = questions.index(of: id) { return index }
    reportUnknown(
      .unknownCall, at: value, "no question has the id \(Excerpt.quoted(id))", id,
      names: questions.names,
      otherwise:
        "add the question to the timeline, or write the id of a question that is asked there")
    return nil
  }
}

// MARK: - Profiles

extension ScenarioBuilder {
  /// Reports a key that is only valid for request profiles, or only for call profiles.
  ///
  /// The key is reported if one of the profiles is of the other sort.
  mutating func judgeProfiles(
    _ profiles: [Profile], makeRequests: Bool, _ name: String, at key: JSONValue
  ) {
    guard let other = profiles.first(where: { $0.makesRequests != makeRequests }) else { return }
    let wanted = Profile.known.filter(\.makesRequests).map(\.name).joined(separator: " and ")
    report(
      .wrongProfile, at: key,
      makeRequests
        ? "\"\(name)\" requires the profiles \(wanted), "
          + "and the scenario names \"\(other.name)\""
        : "\"\(name)\" does not work with the profiles \(wanted), "
          + "and the scenario names \"\(other.name)\"",
      hint: "change \"profiles\", or write a separate scenario")
  }

  private mutating func judgeHasDispatcher(at key: JSONValue) {
    // If no profile makes requests, this has already been reported.
    guard sorts.someMakeRequests,
      !profiles.contains(where: \.dispatchesRequests)
    else { return }
    report(
      .noDispatcher, at: key, "none of the scenario's profiles has a dispatcher",
      hint: "add \"\(Profile.urlDispatcher.name)\" to \"profiles\"")
  }

  private mutating func judgeHaveDispatchers(_ profiles: [Profile], at key: JSONValue) {
    guard let profile = profiles.first(where: { $0.makesRequests && !$0.dispatchesRequests }) else {
      return
    }
    report(
      .noDispatcher, at: key, "the profile \"\(profile.name)\" has no dispatcher",
      hint:
        "write the profile with a dispatcher, \"\(Profile.urlDispatcher.name)\", in \"profiles\"")
  }
}

// MARK: - Expectations

extension ScenarioBuilder {
  mutating func requestSubject(
    _ value: JSONValue, _ fields: Fields<ExpectationKey>, _ profiles: [Profile], mayBeBare: Bool
  ) -> Expectation.Subject? {
    let request = self.request(named: value)
    var wanted = RequestExpectation()
    wanted.outcome = fields[.outcome].flatMap { self.word($0, "\"outcome\"") }
    wanted.code = fields[.code].flatMap { self.integer($0, "\"code\"", Int32.min...Int32.max) }
    wanted.admission = fields[.admission].flatMap { self.word($0, "\"admission\"") }
    wanted.position = position(fields)
    wanted.begins = fields[.begins].flatMap { self.reachable($0, "\"begins\"") }
    wanted.polls = count(fields[.polls], "\"polls\"")
    wanted.thread = fields[.thread].flatMap {
      self.integer($0, "\"thread\"", 1...ScenarioLimits.count)
    }
    judgeHaveThreads([.thread], fields, profiles)
    for key in fields.present(among: [.admission, .position]) {
      if let member = fields.member(key) { judgeHaveDispatchers(profiles, at: member.key) }
    }
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
    var wanted = AnswerExpectation()
    wanted.answer = fields[.answer].flatMap { self.word($0, "\"answer\"") }
    wanted.position = position(fields)
    if let holders = fields[.holders], has(holders, .array, "\"holders\"") {
      wanted.holders = []
      for (index, element) in holders.elements.enumerated() {
        // The number of concurrent holders cannot exceed the number of connections.
        guard isWithin(index, "\"holders\"", at: element, limit: ScenarioLimits.connections) else {
          break
        }
        if let request = self.request(named: element) { wanted.holders?.append(request) }
      }
    }
    if !fields.hasAny(of: ExpectationKey.ofAnswers) {
      reportNothingExpected(fields.object, ExpectationKey.ofAnswers.map(\.rawValue))
    }
    return question.map { .ask($0, wanted) }
  }

  private mutating func position(_ fields: Fields<ExpectationKey>) -> Int? {
    fields[.position].flatMap { self.integer($0, "\"position\"", 1...ScenarioLimits.count) }
  }

  mutating func requestsSubject(
    _ value: JSONValue, _ profiles: [Profile], at key: JSONValue
  ) -> Expectation.Subject? {
    judgeProfiles(profiles, makeRequests: true, "requests", at: key)
    let owner = "\"requests\""
    guard let fields = fields(value, owner, RequestsKey.self) else { return nil }
    let host = required(.host, fields, owner).flatMap { self.hostSelector($0, "the host") }
    var wanted = RequestsExpectation()
    wanted.running = count(fields[.running], "\"running\"")
    wanted.waiting = count(fields[.waiting], "\"waiting\"")
    wanted.frozen = count(fields[.frozen], "\"frozen\"")
    wanted.ended = count(fields[.ended], "\"ended\"")
    wanted.open = count(fields[.open], "\"open\"")
    wanted.opened = count(fields[.opened], "\"opened\"")
    wanted.most = count(fields[.most], "\"most\"")
    wanted.limitReached = count(fields[.limitReached], "\"limitReached\"")
    wanted.threads = count(fields[.threads], "\"threads\"")
    wanted.idleThreads = count(fields[.idleThreads], "\"idleThreads\"")
    wanted.threadsMade = count(fields[.threadsMade], "\"threadsMade\"")
    wanted.mostThreads = count(fields[.mostThreads], "\"mostThreads\"")
    judgeHaveThreads(RequestsKey.ofThreads, fields, profiles)
    let parts = RequestsKey.allCases.filter { $0 != .host }
    if !fields.hasAny(of: parts) {
      reportNothingExpected(value, parts.map(\.rawValue))
    }
    return host.map { .requests($0, wanted) }
  }
}
