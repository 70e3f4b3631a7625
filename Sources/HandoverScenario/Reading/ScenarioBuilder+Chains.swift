import HandoverCore
import HandoverJSON

private enum LinkKey: String, FieldKey {
  case kind, name, queues, global
  case host, path, safety, metadata, prefix, answerPrefix, trailers
  case deadline, failFast, options, interceptors
  case token, takes, expires, keep, messages, status, calls, attempts, backoff

  static let vocabulary = Vocabulary<Self>()

  /// The keys of every interceptor.
  static let common: [LinkKey] = [.kind, .name, .queues, .global]
}

/// The kinds of interceptors, as the file names them.
private enum LinkWord: String, CaseIterable {
  case forward, none, logging, metrics, rewrite, token, cache, mock, retry, gate

  /// The additional keys of this kind of interceptor.
  var keys: [LinkKey] {
    switch self {
    case .forward, .none, .logging, .metrics, .gate: []
    case .rewrite:
      [
        .host, .path, .safety, .metadata, .prefix, .answerPrefix, .trailers, .deadline, .failFast,
        .options, .interceptors,
      ]
    case .token: [.token, .takes, .expires]
    case .cache: [.keep]
    case .mock: [.path, .takes, .messages, .status]
    case .retry: [.calls, .attempts, .backoff]
    }
  }
}

private enum ChainKey: String, FieldKey {
  case creation, cancel, turns

  static let vocabulary = Vocabulary<Self>()
}

private enum Creation: String, CaseIterable {
  case lazy, eager
}

private enum BaseCancel: String, CaseIterable {
  case forward, close
}

private enum Turns: String, CaseIterable {
  case ordered, drawn
}

private enum ReceiveKey: String, FieldKey {
  case call, messages

  static let vocabulary = Vocabulary<Self>()
}

private enum CommandKey: String, FieldKey {
  case name, call, `do`, status

  static let vocabulary = Vocabulary<Self>()
}

private enum InterceptorKey: String, FieldKey {
  case name, call, made, sees, breaks

  static let vocabulary = Vocabulary<Self>()
}

private enum ChainSubjectKey: String, FieldKey {
  case call, attempts, links, host, path, metadata, sent, heard, trailers, breaks

  static let vocabulary = Vocabulary<Self>()
}

// MARK: - Settings

extension ScenarioBuilder {
  mutating func readInterceptors(_ value: JSONValue) {
    guard has(value, .array, "\"interceptors\"") else { return }
    for (index, element) in value.elements.enumerated() {
      guard index < ScenarioLimits.links else {
        report(
          .tooManyLinks, at: element, "there are more than \(ScenarioLimits.links) interceptors",
          hint: "remove interceptors that the scenario does not need")
        return
      }
      readLink(element)
    }
  }

  private mutating func readLink(_ value: JSONValue) {
    let owner = "an interceptor"
    guard let fields = fields(value, owner, LinkKey.self),
      let word: LinkWord = required(.kind, fields, owner).flatMap({
        self.word($0, "the kind of an interceptor")
      })
    else { return }
    refuse(
      LinkKey.allCases.filter { !LinkKey.common.contains($0) && !word.keys.contains($0) }, fields,
      "interceptors of the kind \(word.rawValue) do not have this key",
      hint: word.keys.isEmpty
        ? "remove the key" : "write \(Excerpt.alternatives(word.keys.map(\.rawValue)))")
    let name = fields[.name].flatMap { self.name($0, "the name of an interceptor") }
    let isGlobal = fields[.global].flatMap { self.boolean($0, "\"global\"") } ?? false
    let link = LinkScript(
      name: name ?? word.rawValue, kind: kind(word, fields),
      queues: fields[.queues].flatMap { self.word($0, "\"queues\"") } ?? .own, isGlobal: isGlobal)
    let known = script.configuration.chain.links
    guard !known.contains(where: { $0.name == link.name }) else {
      return report(
        .duplicateInterceptor, at: fields[.name] ?? value,
        "the interceptor name \(Excerpt.quoted(link.name)) is used twice",
        hint: "give each interceptor a different \"name\"")
    }
    if isGlobal, known.contains(where: \.isGlobal) {
      return report(
        .duplicateInterceptor, at: fields.member(.global)?.key ?? value,
        "there is more than one global interceptor",
        hint: "remove one of the two, because a process has one global interceptor")
    }
    script.configuration.chain.links.append(link)
  }

  private mutating func kind(_ word: LinkWord, _ fields: Fields<LinkKey>) -> LinkKind {
    switch word {
    case .forward: return .forward
    case .none: return .none
    case .logging: return .logging
    case .metrics: return .metrics
    case .gate: return .gate
    case .rewrite: return .rewrite(rewrite(fields))
    case .token:
      let token = fields[.token].flatMap { value in
        value.kind == .null ? nil : self.name(value, "\"token\"")
      }
      return .token(
        fields[.token] == nil ? "token" : token,
        takes: interval(fields[.takes], "\"takes\"") ?? .zero,
        expires: interval(fields[.expires], "\"expires\"", mustPass: true))
    case .cache:
      return .cache(keep: interval(fields[.keep], "\"keep\"", mustPass: true) ?? .minutes(1))
    case .mock: return .mock(mock(fields))
    case .retry:
      let attempts = fields[.attempts].flatMap { self.integer($0, "\"attempts\"", 2...100) }
      let backoff = fields[.backoff].flatMap { self.backoff($0) }
      let calls = fields[.calls].flatMap { self.word($0, "\"calls\"") as RepeatableCalls? }
      return .retry(
        attempts: attempts ?? 3, backoff: backoff ?? BackoffConfiguration(),
        calls: calls ?? .idempotent)
    }
  }

  private mutating func rewrite(_ fields: Fields<LinkKey>) -> RewriteScript {
    var rewrite = RewriteScript()
    rewrite.host = fields[.host].flatMap { self.host($0, "the host") }
    rewrite.path = fields[.path].flatMap { self.name($0, "\"path\"") }
    rewrite.safety = fields[.safety].flatMap { self.word($0, "\"safety\"") }
    if let metadata = fields[.metadata] { rewrite.metadata = headers(metadata, "\"metadata\"") }
    if let prefix = fields[.prefix].flatMap({ self.name($0, "\"prefix\"") }) {
      rewrite.prefix = prefix
    }
    if let prefix = fields[.answerPrefix].flatMap({ self.name($0, "\"answerPrefix\"") }) {
      rewrite.answerPrefix = prefix
    }
    if let trailers = fields[.trailers] { rewrite.trailers = headers(trailers, "\"trailers\"") }
    rewrite.deadline = interval(fields[.deadline], "\"deadline\"")
    rewrite.failFast = fields[.failFast].flatMap { self.boolean($0, "\"failFast\"") }
    if let options = fields[.options] { readOptions(options, of: &rewrite) }
    if let named = fields[.interceptors], has(named, .array, "\"interceptors\"") {
      rewrite.links = named.elements.prefix(ScenarioLimits.links).compactMap { self.link($0) }
    }
    return rewrite
  }

  /// Reads the options that an interceptor changes, in the notation of a call's options.
  private mutating func readOptions(_ value: JSONValue, of rewrite: inout RewriteScript) {
    var call = ScriptCall(id: "", host: 0, kind: .unary, takes: nil)
    readOptions(value, of: &call)
    if let token = value.members.first(where: { $0.key.text == "token" }) {
      report(
        .keyOutOfPlace, at: token.key,
        "\"token\" has no effect here: an interceptor receives a call after its token",
        hint: "add an interceptor of the kind \"token\", which makes calls wait for a token")
    }
    rewrite.options = call.options
    let saysFlowControl = value.members.contains {
      $0.key.text == "flowControl" && $0.value.kind != .null
    }
    if saysFlowControl { rewrite.hasFlowControl = call.hasFlowControl }
  }

  private mutating func mock(_ fields: Fields<LinkKey>) -> MockScript {
    var mock = MockScript()
    mock.path = fields[.path].flatMap { self.name($0, "\"path\"") }
    mock.takes = interval(fields[.takes], "\"takes\"") ?? .zero
    if let messages = fields[.messages] { mock.messages = texts(messages, "\"messages\"") }
    mock.status = fields[.status].flatMap { self.status($0) } ?? .ok
    return mock
  }

  mutating func readChain(_ value: JSONValue) {
    guard let fields = fields(value, "\"chain\"", ChainKey.self) else { return }
    let creation: Creation? = fields[.creation].flatMap { self.word($0, "\"creation\"") }
    let turns: Turns? = fields[.turns].flatMap { self.word($0, "\"turns\"") }
    let cancel: BaseCancel? = fields[.cancel].flatMap { self.word($0, "\"cancel\"") }
    script.configuration.chain.isEager = creation != .lazy
    script.configuration.chain.closesOnCancel = cancel == .close
    // A setting for chains overrides the general setting.
    if let turns { script.configuration.chain.isShuffled = turns == .drawn }
  }

  // MARK: Parts

  /// Reads keys with strings as values, in the order of the file.
  mutating func headers(_ value: JSONValue, _ owner: String) -> [ScriptHeader] {
    guard has(value, .object, owner) else { return [] }
    var headers: [ScriptHeader] = []
    for member in value.members where !FreeKeys.contains(member.key.text ?? "") {
      guard isWithin(headers.count, owner, at: member.key) else { return headers }
      let key = name(member.key, "the key of a header")
      let text = self.text(member.value, "a header", limit: ScenarioLimits.nameByteCount)
      if let key, let text { headers.append(ScriptHeader(key, text)) }
    }
    return headers
  }

  private mutating func texts(_ value: JSONValue, _ owner: String) -> [String] {
    guard has(value, .array, owner) else { return [] }
    var texts: [String] = []
    for element in value.elements {
      guard isWithin(texts.count, owner, at: element) else { return texts }
      let text = self.text(element, "an element of \(owner)", limit: ScenarioLimits.nameByteCount)
      if let text { texts.append(text) }
    }
    return texts
  }

  mutating func isWithin(
    _ count: Int, _ owner: String, at place: JSONValue, limit: Int = ScenarioLimits.headers
  ) -> Bool {
    guard count >= limit else { return true }
    report(
      .tooManyHeaders, at: place, "\(owner) has more than \(limit) elements",
      hint: "remove elements")
    return false
  }

  private mutating func status(_ value: JSONValue) -> StatusCode? {
    member(value, "\"status\"", .unknownStatus, among: StatusCode.allCases, named: \.name)
  }

  /// Reads the name of an interceptor, and returns its index.
  private mutating func link(_ value: JSONValue) -> Int? {
    guard let name = name(value, "the name of an interceptor") else { return nil }
    if let index = script.configuration.chain.index(of: name) { return index }
    reportUnknown(
      .unknownInterceptor, at: value, "unknown interceptor \(Excerpt.quoted(name))", name,
      names: script.configuration.chain.links.map(\.name),
      otherwise: "add it to \"interceptors\" in \"config\"")
    return nil
  }
}

// MARK: - Entries

extension ScenarioBuilder {
  mutating func receive(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"receive\""
    guard let fields = fields(value, owner, ReceiveKey.self) else { return nil }
    let call = required(.call, fields, owner).flatMap { self.startedCall(named: $0) }
    let count = required(.messages, fields, owner).flatMap {
      self.integer($0, "\"messages\"", 0...ScenarioLimits.count)
    }
    guard let call, let count else { return nil }
    return .receive(call, count: count)
  }

  mutating func interceptorCommand(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"interceptor\""
    guard let fields = fields(value, owner, CommandKey.self) else { return nil }
    let named = required(.name, fields, owner)
    let link = named.flatMap { self.link($0) }
    let call = required(.call, fields, owner).flatMap { self.startedCall(named: $0) }
    let word: GateAction? = required(.do, fields, owner).flatMap {
      self.word($0, "an interceptor")
    }
    let status = fields[.status].flatMap { self.status($0) }
    if let word, word != .close {
      refuse(
        .status, fields, "it requires \"do\": \"close\"",
        hint: "remove the key, or write \"do\": \"close\"")
    }
    if let link, let named, script.configuration.chain.links[link].kind != .gate {
      report(
        .interceptorNotScripted, at: named,
        "the timeline cannot control the interceptor \(Excerpt.quoted(named.text ?? ""))",
        hint: "write \"kind\": \"gate\" in the interceptor, or remove the entry")
    }
    guard let link, let call, let word else { return nil }
    return .interceptor(link, call: call, word, status ?? .ok)
  }
}

// MARK: - Expectations

extension ScenarioBuilder {
  mutating func interceptorSubject(_ value: JSONValue) -> Expectation.Subject? {
    let owner = "\"interceptor\""
    guard let fields = fields(value, owner, InterceptorKey.self) else { return nil }
    let link = required(.name, fields, owner).flatMap { self.link($0) }
    var wanted = InterceptorExpectation()
    wanted.call = fields[.call].flatMap { self.call(named: $0) }
    wanted.made = fields[.made].flatMap { self.boolean($0, "\"made\"") }
    wanted.sees = fields[.sees].map { self.words($0, "\"sees\"") }
    wanted.breaks = fields[.breaks].map { self.words($0, "\"breaks\"") }
    if !fields.hasAny(of: [.made, .sees, .breaks]) {
      reportNothingExpected(value, ["made", "sees", "breaks"])
    }
    return link.map { .interceptor($0, wanted) }
  }

  mutating func chainSubject(_ value: JSONValue) -> Expectation.Subject? {
    let owner = "\"chain\""
    guard let fields = fields(value, owner, ChainSubjectKey.self) else { return nil }
    let call = required(.call, fields, owner).flatMap { self.call(named: $0) }
    var wanted = ChainExpectation()
    wanted.attempts = count(fields[.attempts], "\"attempts\"")
    if let links = fields[.links], has(links, .array, "\"links\"") {
      wanted.links = links.elements.prefix(ScenarioLimits.links).compactMap { self.link($0) }
    }
    wanted.host = fields[.host].flatMap { self.host($0, "the host") }
    wanted.path = fields[.path].flatMap { self.name($0, "\"path\"") }
    wanted.metadata = fields[.metadata].map { self.headers($0, "\"metadata\"") }
    wanted.sent = fields[.sent].map { self.texts($0, "\"sent\"") }
    wanted.heard = fields[.heard].map { self.texts($0, "\"heard\"") }
    wanted.trailers = fields[.trailers].map { self.headers($0, "\"trailers\"") }
    wanted.breaks = fields[.breaks].map { self.words($0, "\"breaks\"") }
    if !fields.hasAny(of: ChainSubjectKey.allCases.filter { $0 != .call }) {
      reportNothingExpected(
        value, ChainSubjectKey.allCases.filter { $0 != .call }.map(\.rawValue))
    }
    return call.map { .chain($0, wanted) }
  }

  /// Reads a list of keywords, in the order of the file.
  private mutating func words<Word: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _ owner: String
  ) -> [Word] {
    guard has(value, .array, owner) else { return [] }
    var words: [Word] = []
    for element in value.elements {
      guard isWithin(words.count, owner, at: element, limit: ScenarioLimits.words) else {
        return words
      }
      if let word: Word = word(element, "an element of \(owner)") { words.append(word) }
    }
    return words
  }
}
