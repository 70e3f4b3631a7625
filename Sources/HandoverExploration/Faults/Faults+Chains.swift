import HandoverCore

// Bugs in the interceptors of calls.
extension Mutant {
  static let ofChains: [Mutant] =
    chainCreationMutants + interceptorMutants + wrongUserEvents

  private static let chainCreationMutants: [Mutant] = [
    .request(
      "links-reversed", "Requests pass the interceptors from the last to the first.",
      ["I1", "L11"], by: ["interceptors/chain/order"]
    ) { $0.changeOrder { $0.reversed() } },
    .request(
      "global-first", "The global interceptor comes before those of the call.",
      [], by: ["interceptors/chain/global-is-off"]
    ) { script in
      let all = script.configuration.chain.links
      script.changeOrder { links in
        links.filter { all[$0].isGlobal } + links.filter { !all[$0].isGlobal }
      }
    },
    .request(
      "made-lazily", "Each interceptor is created only when something is forwarded to it.",
      ["L17", "L18"], by: ["interceptors/chain/made-when-the-call-starts"]
    ) { $0.configuration.chain.isEager = false },
    .request(
      "made-at-once", "All interceptors are created with the call.", ["I4"],
      by: ["interceptors/chain/cancel-while-it-waits"]
    ) { $0.configuration.chain.isEager = true },
    .request(
      "no-global", "There is no global interceptor.", ["L8", "I33"],
      by: ["interceptors/chain/global-comes-last"]
    ) { $0.changeLinks { if $0.isGlobal { $0.kind = .none } } },
    .request(
      "global-always-on", "A global factory that returns nothing creates an interceptor anyway.",
      ["I34"], by: ["interceptors/chain/global-is-off"]
    ) { $0.changeLinks { if $0.isGlobal, $0.kind == .none { $0.kind = .forward } } },
    .request(
      "nothing-makes-a-link", "A factory that returns nothing creates an interceptor anyway.",
      ["I5"],
      by: ["interceptors/chain/no-factory-makes-anything"]
    ) { $0.changeLinks { if !$0.isGlobal, $0.kind == .none { $0.kind = .forward } } },
    .request(
      "intercepted-legacy", "Calls of the older interface also pass the interceptors.",
      ["I35", "L35"],
      by: ["interceptors/chain/legacy-call"]
    ) { $0.changeCalls { $0.isLegacy = false } },
    .request(
      "no-chain", "Calls go to the transport without their interceptors.", ["L24", "L28", "L26"],
      by: ["interceptors/chain/order", "interceptors/chain/no-factory-makes-anything"]
    ) { $0.changeCalls { $0.isLegacy = true } },
    .request(
      "cancel-closes", "The base interceptor sends a close on a cancel.",
      ["L22", "L21", "I20"], by: ["interceptors/chain/cancel-is-forwarded"]
    ) { $0.configuration.chain.closesOnCancel = true },
    .request(
      "cancel-only-forwards", "The base interceptor only forwards a cancel.", ["I18", "I19"],
      by: ["interceptors/chain/cancel"]
    ) { $0.configuration.chain.closesOnCancel = false },
    .request(
      "turns-in-order", "The queues of interceptors take turns in order.", [],
      by: ["interceptors/chain/suspended-as-calls-start"]
    ) { $0.configuration.chain.isShuffled = false },
    .request(
      "list-can-change", "An interceptor can remove the interceptors behind it.", ["I3", "L25"],
      by: ["interceptors/chain/rewrite-interceptors-lazily"]
    ) { script in
      let links = script.configuration.chain.links
      let rewrites = links.contains { link in
        if case .rewrite(let rewriting) = link.kind { rewriting.links != nil } else { false }
      }
      guard rewrites, let last = links.indices.last else { return }
      script.configuration.chain.links[last].kind = .none
    },
  ]

  private static let interceptorMutants: [Mutant] = [
    .request(
      "headers-stay", "Interceptors cannot change headers.", ["L1"],
      by: ["interceptors/chain/rewrite-headers"]
    ) { $0.changeRewriting { $0.metadata = [] } },
    .request(
      "trailers-stay", "Interceptors cannot change trailers.", ["L1"],
      by: ["interceptors/chain/rewrite-headers"]
    ) { $0.changeRewriting { $0.trailers = [] } },
    .request(
      "messages-stay", "Interceptors cannot change messages.", ["L1", "L29"],
      by: ["interceptors/chain/marshaller", "interceptors/chain/rewrite-messages"]
    ) { $0.changeRewriting { $0.prefix = "" } },
    .request(
      "answers-stay", "Interceptors cannot change the messages of the server.",
      ["L1", "L3"], by: ["interceptors/chain/rewrite-messages", "interceptors/chain/bidi"]
    ) { $0.changeRewriting { $0.answerPrefix = "" } },
    .request(
      "host-stays", "Interceptors cannot change the destination.", ["L2", "I28"],
      by: ["interceptors/chain/rewrite-host"]
    ) { $0.changeRewriting { $0.host = nil } },
    .request(
      "path-stays", "Interceptors cannot change the path.", ["L2", "I28"],
      by: ["interceptors/chain/rewrite-path"]
    ) { $0.changeRewriting { $0.path = nil } },
    .request(
      "verb-stays", "Interceptors cannot change the verb.", ["L2"],
      by: ["interceptors/chain/rewrite-verb"]
    ) { $0.changeRewriting { $0.safety = nil } },
    .request(
      "options-stay", "Interceptors cannot change the options of the channel.", ["L2", "I28"],
      by: ["interceptors/chain/rewrite-channel-options"]
    ) { $0.changeRewriting { $0.options = ChannelOptions() } },
    .request(
      "deadline-stays", "Interceptors cannot change the deadline.", ["L2", "I28"],
      by: ["interceptors/chain/rewrite-deadline"]
    ) { $0.changeRewriting { $0.deadline = nil } },
    .request(
      "flow-control-stays", "Interceptors cannot change the flow control.", ["L2"],
      by: ["interceptors/chain/rewrite-flow-control"]
    ) { $0.changeRewriting { $0.hasFlowControl = nil } },
    .request(
      "no-flow-control", "Messages arrive although they were not requested.", ["I36", "I38"],
      by: ["interceptors/chain/flow-control-holds-the-close", "interceptors/chain/flow-control"]
    ) { $0.changeCalls { $0.hasFlowControl = false } },
    .request(
      "always-flow-control", "Messages arrive only if they are requested.", ["I36"],
      by: ["interceptors/chain/flow-control-off"]
    ) { $0.changeCalls { $0.hasFlowControl = true } },
    .request(
      "no-marshaller", "Interceptors receive messages as bytes.",
      ["L9", "L30", "L42", "L43"], by: ["interceptors/chain/marshaller"]
    ) { $0.changeCalls { $0.marshaller = nil } },
    .request(
      "all-marshalled", "Every message is serialized in the same way.", ["L41"],
      by: ["interceptors/chain/marshaller"]
    ) { $0.changeCalls { if $0.marshaller == nil { $0.marshaller = .reversed } } },
    .request(
      "writes-reversed", "Messages of one instant are processed from the last to the first.",
      ["L31", "I12", "I14", "I40"],
      by: [
        "interceptors/chain/queues-own", "interceptors/chain/queues-concurrent",
        "interceptors/chain/several-writes",
      ]
    ) { $0.reverseTogether { if case .send = $0 { true } else { false } } },
    .request(
      "no-mocks", "An interceptor cannot answer by itself.", ["L4", "I26"],
      by: ["interceptors/chain/made-when-needed"]
    ) { $0.changeLinks { if case .mock = $0.kind { $0.kind = .forward } } },
    .request(
      "no-cache", "Interceptors of different calls share nothing.", ["L7", "L10"],
      by: ["interceptors/cache/wifi-to-cellular"]
    ) { $0.changeLinks { if case .cache = $0.kind { $0.kind = .forward } } },
    .request(
      "no-link-tokens", "An interceptor cannot obtain a token.", [],
      by: ["interceptors/chain/cancel-while-it-waits"]
    ) { $0.changeLinks { if case .token = $0.kind { $0.kind = .forward } } },
    .request(
      "no-retries", "An interceptor cannot call again.", [], by: ["interceptors/retry/deadline"]
    ) { $0.changeLinks { if case .retry = $0.kind { $0.kind = .forward } } },
    .request(
      "one-gate-for-all", "A command for an interceptor of one call affects all calls.",
      ["L6", "I9", "L20"], by: ["interceptors/chain/state-of-one-call"]
    ) { script in
      let calls = script.calls.indices
      script.reportLinksLast()
      var entries: ContiguousArray<ScriptEntry> = script.entries
      for index in entries.indices {
        guard case .interceptor(let link, let call, let word, let code) = entries[index].action,
          let other = calls.first(where: { $0 != call })
        else { continue }
        entries[index].action = .interceptor(link, call: other, word, code)
      }
      script.entries = entries
    },
    .request(
      "gates-stay-open", "An interceptor cannot hold anything back.", ["I24", "I25"],
      by: ["interceptors/chain/does-not-shut-down", "interceptors/chain/hijack"]
    ) { $0.keepEntries { if case .interceptor(_, _, .hold, _) = $0 { false } else { true } } },
    .request(
      "no-own-messages", "An interceptor cannot deliver its own messages to the user.",
      ["I25", "I16"],
      by: ["interceptors/chain/message-after-the-close", "interceptors/chain/hijack"]
    ) { $0.keepEntries { if case .interceptor(_, _, .message, _) = $0 { false } else { true } } },
    .request(
      "no-own-close", "An interceptor cannot close by itself.", ["I16", "I25"],
      by: ["interceptors/chain/message-after-the-close", "interceptors/chain/hijack"]
    ) { $0.keepEntries { if case .interceptor(_, _, .close, _) = $0 { false } else { true } } },
    .request(
      "no-own-cancel", "An interceptor cannot cancel the interceptors behind it.", ["I25"],
      by: ["interceptors/chain/hijack"]
    ) { $0.keepEntries { if case .interceptor(_, _, .cancel, _) = $0 { false } else { true } } },
    .request(
      "no-leaving", "An interceptor cannot leave the chain.", ["L15", "I22"],
      by: ["interceptors/chain/shuts-down-early"]
    ) { script in
      script.keepEntries { if case .interceptor(_, _, .shutDown, _) = $0 { false } else { true } }
    },
    .request(
      "no-second-start", "An interceptor cannot start the interceptors behind it.", [],
      by: ["interceptors/chain/starts-twice"]
    ) { $0.keepEntries { if case .interceptor(_, _, .start, _) = $0 { false } else { true } } },
    .request(
      "cancels-are-lost", "A cancel does not pass the interceptors.", ["I17", "I21", "L12"],
      by: [
        "interceptors/chain/cancel-before-the-start", "interceptors/chain/requests-out-of-order",
      ]
    ) { $0.keepEntries { if case .cancel = $0 { false } else { true } } },
    .request(
      "finishes-are-lost", "The end of the requests does not pass the interceptors.",
      ["L12", "I27"], by: ["interceptors/chain/requests-out-of-order"]
    ) { $0.keepEntries { if case .finish = $0 { false } else { true } } },
    .request(
      "writes-are-lost", "Messages do not pass the interceptors.", ["L12", "I27"],
      by: ["interceptors/chain/requests-out-of-order"]
    ) { $0.keepEntries { if case .send = $0 { false } else { true } } },
  ]

  private static let wrongUserEvents: [Mutant] = [
    .report(
      "unheard-messages", "The user receives no message.", [],
      by: ["interceptors/chain/rewrite-path"],
      .withoutChain { if case .received(_, .message, _) = $0 { true } else { false } }),
    .report(
      "messages-heard-twice", "The user receives each message twice.", ["I36"],
      by: ["interceptors/chain/flow-control-early"],
      .chain { fact in
        if case .received(_, .message, _) = fact { [fact, fact] } else { [fact] }
      }),
    .report(
      "metadata-before-messages", "Initial metadata come alone, with the request.",
      ["I29", "I15"], by: ["interceptors/chain/metadata-with-the-first-message"],
      .chain { fact in
        if case .took(let call, let link, .finish) = fact {
          [fact, .took(call: call, link: link, .metadata)]
        } else {
          [fact]
        }
      }),
    .report(
      "metadata-last", "Initial metadata come after the first message.", ["I15", "L13"],
      by: ["interceptors/chain/metadata-with-the-first-message", "interceptors/chain/order"],
      .swapped { body in
        if case .chain(.took(_, _, .metadata)) = body { true } else { false }
      } behind: { body in
        if case .chain(.took(_, _, .message)) = body { true } else { false }
      }),
    .report(
      "no-write-done", "The end of a write is not reported.", ["I39", "L13", "I40"],
      by: ["interceptors/chain/several-writes", "interceptors/chain/order"],
      .withoutChain { if case .took(_, _, .writeDone) = $0 { true } else { false } }),
    .report(
      "write-done-twice", "The end of a write is reported twice.", ["I40"],
      by: ["interceptors/chain/several-writes"],
      .chain { fact in
        if case .took(_, _, .writeDone) = fact { [fact, fact] } else { [fact] }
      }),
    .report(
      "unheard-close", "The user does not receive the close.", ["I24"],
      by: ["interceptors/chain/close-is-swallowed"],
      .withoutChain { if case .closed = $0 { true } else { false } }),
    .report(
      "close-heard-twice", "The user receives the close twice.", ["I19", "I16"],
      by: ["interceptors/chain/cancel", "interceptors/chain/message-after-the-close"],
      .chain { fact in if case .closed = fact { [fact, fact] } else { [fact] } }),
    .report(
      "close-without-trailers", "The close arrives without its trailers.", ["L1", "I6"],
      by: ["interceptors/chain/rewrite-headers", "interceptors/chain/no-factory-makes-anything"],
      .withoutChain { if case .trailer = $0 { true } else { false } }),
    .report(
      "unsent-headers", "Headers are not sent.", ["L1"], by: ["interceptors/chain/rewrite-headers"],
      .withoutChain { if case .sentHeader = $0 { true } else { false } }),
    .report(
      "unsent-chain-messages", "Messages are not sent behind the interceptors.",
      ["I40", "I27", "I6"],
      by: [
        "interceptors/chain/requests-out-of-order", "interceptors/chain/no-factory-makes-anything",
        "interceptors/chain/several-writes",
      ],
      .withoutChain { if case .sentMessage = $0 { true } else { false } }),
    .report(
      "chain-messages-sent-twice", "Messages are sent twice behind the interceptors.",
      ["I27", "I40"],
      by: ["interceptors/chain/requests-out-of-order", "interceptors/chain/several-writes"],
      .chain { fact in if case .sentMessage = fact { [fact, fact] } else { [fact] } }),
    .report(
      "messages-overtake", "A message is sent after the one that follows.", ["I40", "I14", "L34"],
      by: ["interceptors/chain/queues-concurrent", "interceptors/chain/several-writes"],
      .swapped { body in
        if case .chain(.sentMessage) = body { true } else { false }
      } behind: { body in
        if case .chain(.sentMessage) = body { true } else { false }
      }),
    .report(
      "unmade-links", "The creation of interceptors is not reported.", ["L17", "I4"],
      by: ["interceptors/chain/made-at-once"],
      .withoutChain { if case .linkMade = $0 { true } else { false } }),
    .report(
      "untold-breaches", "Violations by interceptors are not reported.",
      ["L19"], by: ["interceptors/chain/does-not-shut-down"],
      .withoutChain { if case .broke = $0 { true } else { false } }),
    .report(
      "start-taken-twice", "Interceptors receive the start twice.", ["L12"],
      by: ["interceptors/chain/cancel-before-the-start", "interceptors/chain/flow-control"],
      .chain { fact in if case .took(_, _, .start) = fact { [fact, fact] } else { [fact] } }
    ),
    .report(
      "cancel-not-forwarded", "Interceptors do not receive a cancel.", ["L21", "L22", "I17"],
      by: ["interceptors/chain/cancel-is-forwarded", "interceptors/chain/cancel-before-the-start"],
      .withoutChain { if case .took(_, _, .cancel) = $0 { true } else { false } }),
    .report(
      "close-not-forwarded", "Interceptors do not receive the close.", ["L21"],
      by: ["interceptors/chain/cancel-is-forwarded"],
      .withoutChain { if case .took(_, _, .close) = $0 { true } else { false } }),
    .report(
      "finish-before-write", "The end of the requests overtakes the last write.",
      ["L12"],
      by: ["interceptors/chain/cancel-before-the-start", "interceptors/chain/flow-control"],
      .swapped { body in
        if case .chain(.took(_, _, .write)) = body { true } else { false }
      } behind: { body in
        if case .chain(.took(_, _, .finish)) = body { true } else { false }
      }),
    .report(
      "message-after-close", "A message of the server arrives after the close.",
      ["I15", "L34", "I13"],
      by: [
        "interceptors/chain/metadata-after-a-message", "interceptors/chain/queues-concurrent",
        "interceptors/chain/turns-drawn",
      ],
      .swapped { body in
        if case .chain(.received(_, .message, _)) = body { true } else { false }
      } behind: { body in
        if case .chain(.closed) = body { true } else { false }
      }),
    .report(
      "unattempted", "The call of the last interceptor is not reported.", ["L28", "I6"],
      by: ["interceptors/chain/no-factory-makes-anything"],
      .withoutChain { if case .attempted = $0 { true } else { false } }),
    .report(
      "attempted-twice", "The call is made twice.", ["L28", "I27"],
      by: ["interceptors/chain/starts-twice", "interceptors/chain/no-factory-makes-anything"],
      .chain { fact in if case .attempted = fact { [fact, fact] } else { [fact] } }),
    .report(
      "chain-cancelled-as-ok", "A cancelled call closes OK.", ["I20", "I18"],
      by: ["interceptors/chain/cancel", "interceptors/chain/cancel-is-forwarded"],
      .chain { fact in
        if case .closed(let call, let end) = fact, end.code == .cancelled {
          [.closed(call: call, CallEnd(.ok, .empty))]
        } else {
          [fact]
        }
      }),
    .report(
      "chain-cancelled-by-link", "A call that its user cancels closes as one that a link ended.",
      ["I20"], by: ["interceptors/chain/cancel-is-forwarded"],
      .chain { fact in
        if case .closed(let call, .cancelled) = fact {
          [.closed(call: call, CallEnd(.cancelled, .cancelledByLink))]
        } else {
          [fact]
        }
      }),
    .report(
      "raw-messages", "The user receives bytes.", ["L43", "L30"],
      by: ["interceptors/chain/marshaller"],
      .chain { fact in
        if case .received(let call, .message, let text) = fact {
          [.received(call: call, .rawMessage, text: text)]
        } else {
          [fact]
        }
      }),
  ]
}

extension Script {
  /// Changes the order of the interceptors in the chain.
  ///
  /// The interceptors keep their indices in the script, because reports and entries refer to them.
  /// Their behavior is exchanged instead.
  fileprivate mutating func changeOrder(_ order: ([Int]) -> [Int]) {
    let links = configuration.chain.links
    for (position, index) in order(Array(links.indices)).enumerated() {
      configuration.chain.links[position].kind = links[index].kind
      configuration.chain.links[position].queues = links[index].queues
    }
  }
}
