import HandoverCore

// MARK: - Starts of calls

extension ScenarioBuilder {
  /// Reads a call that the timeline creates; by default, the call starts immediately.
  mutating func madeCall(_ value: JSONValue) -> ScriptAction? {
    var created = CreatedCall()
    _ = read(value, ScenarioFormat.call, into: &created)
    guard let index = insert(created.call, at: value) else { return nil }
    guard !created.starts else { return .startCall(index) }
    callsToStart.insert(index)
    return .makeCall(index)
  }

  /// Reads the start of a call that was created before.
  mutating func startOfCall(named value: JSONValue) -> ScriptAction? {
    guard let id = name(value, "the call's id") else { return nil }
    guard let index = calls.index(of: id) else {
      callsNotYetStarted.append(EarlyName(location: value, id: id, isStart: true))
      return nil
    }
    guard callsToStart.remove(index) != nil else {
      report(
        .callStartsTwice, at: value, "the call \(Excerpt.quoted(id)) is started twice",
        hint: "remove this entry, or add \"starts\": false to the call")
      return nil
    }
    return .startCall(index)
  }

  private mutating func insert(_ call: ScriptCall, at value: JSONValue) -> Int? {
    // A call without a valid ID has already been reported, and nothing can refer to it.
    guard !call.id.isEmpty, hasRoomForID(at: value), hasRoom(for: call, at: value) else {
      return nil
    }
    let (index, isNew) = calls.insert(call.id)
    guard isNew else { return nil }
    script.calls.append(call)
    return index
  }

  /// Reports an ID that a call or a request already has.
  mutating func reportIfUsed(_ id: String, at value: JSONValue) {
    let isCall = calls.index(of: id) != nil
    guard isCall || requests.index(of: id) != nil else { return }
    let kind = isCall ? "call" : "request"
    report(
      .duplicateCall, at: value, "the \(kind) id \(Excerpt.quoted(id)) is used twice",
      hint: "give each \(kind) a different id")
  }

  /// Returns whether the timeline can have one more call, request or question.
  mutating func hasRoomForID(at value: JSONValue) -> Bool {
    let count = script.calls.count + script.requests.count + script.questions.count
    guard count >= ScenarioLimits.calls else { return true }
    report(
      .tooManyCalls, at: value,
      "there are more than \(ScenarioLimits.calls) calls, requests and questions",
      hint: "split the scenario into several")
    return false
  }
}

// MARK: - Options

extension ScenarioBuilder {
  mutating func readOptions(_ value: JSONValue, of call: inout ScriptCall) {
    guard has(value, .object, "\"options\"") else { return }
    var others: [String] = []
    for member in value.members {
      let name = member.key.text ?? ""
      guard !FreeKeys.contains(name) else { continue }
      guard let option = CallOption.all.first(where: { $0.name == name })?.option else {
        let names = CallOption.all.map(\.name)
        reportUnknown(
          .unknownKey, at: member.key, "a call has no option \(Excerpt.quoted(name))", name,
          names: names)
        continue
      }
      switch option {
      case .time(let path):
        guard let time = interval(member.value, "\"\(name)\"") else { continue }
        // Zero selects the default, except for the keepalive timeout, which can be zero.
        let isKept = time > .zero || path == \.keepaliveTimeout
        call.options[keyPath: path] = isKept ? time : nil
      case .other:
        if let text = optionText(member.value, name) { others.append("\(name)=\(text)") }
      case .ignored:
        guard member.value.kind == .array || member.value.kind == .object else { continue }
        wrongType(member.value, "\"\(name)\"", wanted: "a string, a number or a boolean")
      case .flowControl:
        guard member.value.kind != .null else { continue }
        if let isOn = boolean(member.value, "\"flowControl\"") { call.hasFlowControl = isOn }
      case .token:
        call.tokenDelay = interval(member.value, "\"token\"")
      }
    }
    call.options.others = others.sorted()
  }

  /// Reads the value of an option that only distinguishes channels, as a string.
  private mutating func optionText(_ value: JSONValue, _ name: String) -> String? {
    switch value.kind {
    case .true: return "true"
    case .false: return "false"
    case .text: return text(value, "\"\(name)\"")
    case .number: return integer(value, "\"\(name)\"", Int64.min...Int64.max).map(String.init)
    case .null, .array, .object:
      wrongType(value, "\"\(name)\"", wanted: "a string, an integer or a boolean")
      return nil
    }
  }
}

// MARK: - References to calls

extension ScenarioBuilder {
  /// Reads the ID of a call that must have started by now.
  ///
  /// If `orRequest` is true, a later entry may make a request with this ID.
  mutating func startedCall(named value: JSONValue, orRequest: Bool = false) -> Int? {
    // Consecutive entries often refer to the same call, whose ID was validated before.
    if let latestCall, value.isWritten(like: latestCall.node) { return latestCall.index }
    guard let id = name(value, "the call's id") else { return nil }
    if let index = calls.index(of: id), !callsToStart.contains(index) {
      latestCall = (index, value.node)
      return index
    }
    callsNotYetStarted.append(EarlyName(location: value, id: id, mayBeRequest: orRequest))
    return nil
  }

  /// Reads the ID of a call that must have started by now and can send messages.
  mutating func sendingCall(named value: JSONValue, _ owner: String) -> Int? {
    guard let index = startedCall(named: value) else { return nil }
    guard script.calls[index].kind.requestIsCompleteAtStart else { return index }
    report(
      .callSendsNothing, at: value,
      "\(owner) names a \(script.calls[index].kind.rawValue) call, whose request is complete at "
        + "its start",
      hint: "write \"kind\": \"client-streaming\" or \"bidi\" in the call, or remove the entry")
    return nil
  }

  /// Reads the ID of a call that the timeline starts before or after this entry.
  mutating func call(named value: JSONValue) -> Int? {
    guard let id = name(value, "the call's id") else { return nil }
    if let index = calls.index(of: id) { return index }
    reportUnknownCall(id, at: value)
    return nil
  }

  /// Reports calls that were used before their start or that never start.
  mutating func judgeCallsNotYetStarted() {
    for named in callsNotYetStarted {
      let id = Excerpt.quoted(named.id)
      if let call = calls.index(of: named.id) {
        judge(named, id, isStarted: !callsToStart.contains(call))
      } else if named.mayBeRequest, requests.index(of: named.id) != nil {
        report(
          .callNotStarted, at: named.location, "the request \(id) is made after this entry",
          hint: "move this entry after the entry that makes the request")
      } else {
        reportUnknownCall(named.id, at: named.location, orRequest: named.mayBeRequest)
      }
    }
  }

  private mutating func judge(_ named: EarlyName, _ id: String, isStarted: Bool) {
    if named.isStart {
      report(
        .callNotStarted, at: named.location, "the call \(id) is made after this entry",
        hint: "move this entry after the entry that makes the call")
    } else if isStarted {
      report(
        .callNotStarted, at: named.location, "the call \(id) starts after this entry",
        hint: "move this entry after the entry that starts the call")
    } else {
      report(
        .callNotStarted, at: named.location, "the call \(id) is made and never starts",
        hint: "add an entry with \"start\" before this one")
    }
  }

  private mutating func reportUnknownCall(
    _ id: String, at location: JSONValue, orRequest: Bool = false
  ) {
    let names = orRequest ? calls.names + requests.names : calls.names
    reportUnknown(
      .unknownCall, at: location,
      "no call \(orRequest ? "or request " : "")has the id \(Excerpt.quoted(id))", id,
      names: names,
      hint: "start the call in the timeline, or write the id of a call that is started there")
  }
}
