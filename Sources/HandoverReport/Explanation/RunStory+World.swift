import HandoverCore
import HandoverEngine

// Sentences about the world around the client.
extension RunStory {
  mutating func describe(_ fact: WorldFact) {
    if append(fact.sentence(self)) { describeInContext(fact) }
  }

  /// Adds a sentence from a fact's description.
  ///
  /// - Returns: whether the fact needs a sentence that depends on the records around it.
  mutating func append(_ sentence: FactSentence) -> Bool {
    switch sentence {
    case .none: break
    case .inContext: return true
    case .text(let text, let items): say(text, items: items)
    case .counted(let one, let before, let after, let count, let items):
      paragraphs.fold(
        Repeatable(one: one, before: before, after: after, items: items), count: Int(count),
        at: now)
    }
    return false
  }

  /// Describes a fact that adjacent records may already cover, or cover differently.
  private mutating func describeInContext(_ fact: WorldFact) {
    switch fact {
    case .entryPlayed(let index): describe(entry: Int(index))
    case .deviceMoved: describeMove()
    case .appMoved(let app):
      // If the timeline's entry caused this, its sentence already covers it.
      guard lastAction == nil else { break }
      say(
        app.runs
          ? "the app is in the background, and runs"
          : "the app is suspended in the background, and receives nothing")
    case .attemptBegan(_, _, let path): describeAttempt(on: path)
    case .connectionStalled(let id): describeStall(of: id)
    case .serverReadRequest(_, let call):
      // The sentence about the request already covers this.
      if case .effect(.startStream(let id, _)) = body(-1), run.index(of: id) == Int(call) { break }
      say("the server reads the request of \(names.call(Int(call)))")
    case .networkChanged(let path, let event):
      // If the timeline's entry names the network, its sentence already covers this.
      if case .world(.entryPlayed) = body(-1), case .network = lastAction { break }
      say("\(names.path(path)) \(event.phrase)")
    case .callUnfinished(let call): describeUnfinished(Int(call))
    default: break
    }
  }

  private mutating func describe(entry index: Int) {
    guard index < script.entries.count else { return }
    let action = script.entries[index].action
    lastAction = action
    let text = EntryPhrases(script).text(of: action, after: run.flags)
    switch action {
    case .flags(let next, _, _, _):
      let others = run.flags.symmetricDifference(next)
      let isSilent = !others.isEmpty && others.isDisjoint(with: Self.decisiveFlags)
      say(text, items: isSilent ? ["M4"] : [])
    case .cancel(let call), .finish(let call), .send(let call, _):
      guard call < calls.count, run.calls[call].end != nil else { return say(text) }
      say("\(text), which has ended already, so nothing follows", "C5")
    default: say(text)
    }
  }

  /// The flags that determine the category.
  private static let decisiveFlags: ReachabilityFlags = [.reachable, .connectionRequired, .isWWAN]

  private mutating func describeMove() {
    let category = NetworkCategory(run.flags)
    let isFirst = lastMove == nil
    let before = isFirst ? category : lastMove?.to ?? category
    lastMove = Move(at: now, from: before, to: category, wasInBackground: run.app.isInBackground)
    for index in calls.indices
    where run.calls[index].isBound && run.calls[index].end == nil && calls[index].changedAt == nil {
      calls[index].changedAt = now
    }
  }

  private mutating func describeAttempt(on path: PathIndex?) {
    guard case .effect(.openConnection(_, let channel)) = body(-1) else {
      say("an attempt to connect begins \(names.way(path))")
      return
    }
    let end = suffix(channel.endpoint, "to")
    let wasFailed: Bool
    if case .effect(.channelMoved(_, .transientFailure, _)) = body(-2) {
      wasFailed = true
    } else {
      wasFailed = false
    }
    let verb = wasFailed ? "tries again" : "begins"
    let how = path == nil ? ", but there is no network" : " over \(path.map(names.path) ?? "")"
    say("the channel\(end) \(verb) to connect\(how)", items: wasFailed ? ["D4"] : [])
  }

  private mutating func describeStall(of id: ConnectionID) {
    let name = connections.name(id)
    let what =
      run.wasOpen(id)
      ? "\(name) stalls: the socket gives no error and still accepts writes"
      : "\(name) gets no answer any more, and no error"
    if profile.transport.migration != nil {
      say("data sent on \(name) is lost, without an error")
      return
    }
    if let move = lastMove, move.at == now, isByMove {
      say(what, move.wasInBackground ? "D8b" : "D8a")
      return
    }
    if case .transport(_, .stallAcked) = lastAction {
      say("\(name) stalls: what is written to it is acknowledged, and never arrives")
    } else {
      say(what)
    }
  }

  /// Whether the last entry is a network change.
  private var isByMove: Bool {
    switch lastAction {
    case .flags, .path: true
    default: false
    }
  }

  private mutating func describeUnfinished(_ call: Int) {
    let isWithoutDeadline = call < script.calls.count && script.calls[call].deadline == nil
    var text = "\(names.call(call)) still has no end"
    if isWithoutDeadline { text += ", and no deadline that would end it" }
    if call < calls.count, let changedAt = calls[call].changedAt {
      text += ", \(now.since(changedAt).exactText) after the change"
    }
    say(text, items: isWithoutDeadline ? ["P16"] : [])
  }
}

// The names that the descriptions of facts use.
extension RunStory: FactNames {
  func connection(_ id: ConnectionID) -> String { connections.name(id) }
  func call(_ index: UInt32) -> String { names.call(Int(index)) }
  func path(_ path: PathIndex) -> String { names.path(path) }
  func way(_ path: PathIndex?) -> String { names.way(path) }
  func host(_ index: UInt32, after preposition: String) -> String {
    names.suffix(preposition, host: Int(index))
  }
  func address(_ position: UInt32, of host: UInt32) -> String {
    script.address(Int(position), of: Int(host))
  }
  func request(_ index: UInt32) -> String { names.request(Int(index)) }
  func question(_ index: UInt32) -> String { "asked \(names.question(Int(index)))" }
  func dispatcher(_ pool: UInt32) -> String { names.dispatcher(Int(pool)) }
  func link(_ link: UInt16) -> String { names.link(Int(link)) }
  func text(_ index: UInt32) -> String {
    index < texts.count ? VisibleText.of(texts[Int(index)]) : "?"
  }
}
