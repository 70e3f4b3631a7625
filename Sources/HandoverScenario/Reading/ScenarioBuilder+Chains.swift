import HandoverCore

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
    var settings = InterceptorSettings()
    guard read(value, ScenarioFormat.interceptor, into: &settings) else { return }
    let link = settings.link
    func location(_ key: String) -> JSONMember? {
      value.members.first { $0.key.text == key }
    }
    let known = script.configuration.chain.links
    guard !known.contains(where: { $0.name == link.name }) else {
      return report(
        .duplicateInterceptor, at: location("name")?.value ?? value,
        "the interceptor name \(Excerpt.quoted(link.name)) is used twice",
        hint: "give each interceptor a different \"name\"")
    }
    if link.isGlobal, known.contains(where: \.isGlobal) {
      return report(
        .duplicateInterceptor, at: location("global")?.key ?? value,
        "there is more than one global interceptor",
        hint: "remove one of the two, because a process has one global interceptor")
    }
    script.configuration.chain.links.append(link)
  }

  /// Reads the options that an interceptor changes, in the notation of a call's options.
  mutating func readOptions(_ value: JSONValue, of rewrite: inout RewriteScript) {
    var call = ScriptCall(id: "", host: 0, kind: .unary, takes: nil)
    readOptions(value, of: &call)
    if let token = value.members.first(where: { $0.key.text == "token" }) {
      report(
        .keyOutOfPlace, at: token.key,
        "\"token\" has no effect here: an interceptor receives a call after its token",
        hint: "add an interceptor of the kind \"token\", which makes calls wait for a token")
    }
    rewrite.options = call.options
    let hasFlowControl = value.members.contains {
      $0.key.text == "flowControl" && $0.value.kind != .null
    }
    if hasFlowControl { rewrite.hasFlowControl = call.hasFlowControl }
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

  mutating func texts(_ value: JSONValue, _ owner: String) -> [String] {
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
    _ count: Int, _ owner: String, at location: JSONValue, limit: Int = ScenarioLimits.headers
  ) -> Bool {
    guard count >= limit else { return true }
    report(
      .tooManyHeaders, at: location, "\(owner) has more than \(limit) elements",
      hint: "remove elements")
    return false
  }

  /// Reads the name of an interceptor, and returns its index.
  mutating func link(_ value: JSONValue) -> Int? {
    guard let name = name(value, "the name of an interceptor") else { return nil }
    if let index = script.configuration.chain.index(of: name) { return index }
    reportUnknown(
      .unknownInterceptor, at: value, "unknown interceptor \(Excerpt.quoted(name))", name,
      names: script.configuration.chain.links.map(\.name),
      hint: "add it to \"interceptors\" in \"config\"")
    return nil
  }

  /// Reports an interceptor that the timeline cannot control.
  mutating func judgeIsScripted(_ link: Int, at name: JSONValue) {
    guard script.configuration.chain.links[link].kind != .gate else { return }
    report(
      .interceptorNotScripted, at: name,
      "the timeline cannot control the interceptor \(Excerpt.quoted(name.text ?? ""))",
      hint: "write \"kind\": \"gate\" in the interceptor, or remove the entry")
  }

  /// Reads a list of keywords, in the order of the file.
  mutating func keywords<Keyword: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _ owner: String
  ) -> [Keyword] {
    guard has(value, .array, owner) else { return [] }
    var keywords: [Keyword] = []
    for element in value.elements {
      guard isWithin(keywords.count, owner, at: element, limit: ScenarioLimits.keywords) else {
        return keywords
      }
      if let keyword: Keyword = keyword(element, "an element of \(owner)") {
        keywords.append(keyword)
      }
    }
    return keywords
  }
}
