import HandoverCore

// Bugs in requests: the dispatcher, its limits and threads, and the platform.
extension Mutant {
  static let ofRequests: [Mutant] = ofDispatchers + ofLimits + ofPlatforms + ofThreads

  private static let ofDispatchers: [Mutant] = [
    .dispatcher(
      .literalKeys, "The host of a key is not normalized.", ["U4"],
      by: ["connection-limits/admission/trailing-dot"]),
    .dispatcher(
      .sharedCondition, "A freed slot wakes one sleeper, perhaps of another endpoint.",
      ["U79", "U39"], by: ["connection-limits/defects/u79-slot-of-another-endpoint"]),
    .dispatcher(
      .lostRelease, "A slot freed between the check of a request and its wait wakes no request.",
      ["U80"], by: ["connection-limits/defects/u80-slot-freed-as-it-waits"]),
    .dispatcher(
      .leakedSlot, "A request that could not begin keeps its slot.", ["U81", "U59"],
      by: ["connection-limits/defects/u81-nothing-to-begin"]),
    .dispatcher(
      .deafQueue, "A request cannot be withdrawn while it waits.", ["U82"],
      by: ["connection-limits/defects/u82-cancel-in-the-queue"]),
    .dispatcher(
      .missingTimer, "The end of a request without a timeout stops a timer that does not exist.",
      ["U83", "U40"],
      by: ["connection-limits/time-outs/none", "connection-limits/defects/u83-no-time-out"]),
    .dispatcher(
      .keptOperations, "Data about a request is never removed.", ["U37"],
      by: ["connection-limits/time-outs/slot-is-freed"]),
    .dispatcher(
      .missedWakeUp, "A synchronous request that ends at the instant of its start is not woken.",
      ["U85"], by: ["connection-limits/defects/u85-no-network"]),
    .dispatcher(
      .countedRequests, "Requests are counted instead of connections.", ["U86"],
      by: ["connection-limits/defects/u86-requests-are-no-connections"]),
    .dispatcher(
      .unboundedBlocking, "The wait of a synchronous request has no limit.", ["U87"],
      by: ["connection-limits/defects/u87-blocked-for-ever"]),
  ]

  private static let ofLimits: [Mutant] = [
    .request(
      "total+1", "One request more than the limit may run.", ["A20", "U30", "U31", "A14"],
      by: [
        "connection-limits/platform/fifth-short-waits",
        "connection-limits/threads/never-more-than-the-limit",
      ]
    ) { $0.limit { (total: $0.total + 1, long: $0.long) } },
    .request(
      "total-1", "One request fewer than the limit may run.", ["U13"],
      by: ["connection-limits/admission/short-may-take-everything"]
    ) { $0.limit { (total: max(1, $0.total - 1), long: min($0.long, max(1, $0.total - 1))) } },
    .request(
      "long+1", "One long request more may run than the limit says.",
      ["A22", "A24", "U16", "U20", "U23"],
      by: [
        "connection-limits/article/control-requests-get-through",
        "connection-limits/prediction/is-no-reservation",
        "connection-limits/prediction/waiting-long-ones-count", "connection-limits/article/fails",
      ]
    ) { $0.limit { (total: $0.total, long: min($0.total, $0.long + 1)) } },
    .request(
      "long-is-total", "All running requests may be long.", ["A22", "U11"],
      by: [
        "connection-limits/admission/quarter-of-another-total",
        "connection-limits/admission/no-long-at-all",
      ]
    ) { $0.limit { (total: $0.total, long: $0.total) } },
    .request(
      "long-1", "One long request fewer than the limit may run.", ["A23", "U8", "U19"],
      by: [
        "connection-limits/article/told-in-advance", "connection-limits/admission/long-may-be-all",
      ]
    ) { $0.limit { (total: $0.total, long: $0.long == 0 ? 0 : $0.long - 1) } },
    .request(
      "long-none", "No long request may run.", ["A23"],
      by: ["connection-limits/article/told-in-advance"]
    ) { $0.limit { (total: $0.total, long: 0) } },
    .request(
      "no-limit", "There is no limit.", ["A20", "U31"],
      by: [
        "connection-limits/platform/fifth-short-waits", "connection-limits/order/twenty-downloads",
      ]
    ) { $0.limit { _ in (total: 1_000, long: 1_000) } },
    .request(
      "limit-cannot-be-set", "The long limit cannot be set at run time.", ["U10"],
      by: ["connection-limits/admission/limit-is-lowered"]
    ) { script in
      script.keepEntries { if case .dispatcher(_, .setLongLimit) = $0 { false } else { true } }
    },
    .request(
      "long-limit-doubled", "A new limit for long requests is higher by one.", [],
      by: ["connection-limits/pools/limit-of-one"]
    ) { script in
      script.changeEntries { action in
        if case .dispatcher(let pool, .setLongLimit(let long)) = action {
          .dispatcher(pool, .setLongLimit(long + 1))
        } else {
          action
        }
      }
    },
    .request(
      "never-closed", "The dispatcher is not closed.", ["U50", "U73"],
      by: [
        "connection-limits/threads/nothing-after-the-close",
        "connection-limits/cancel/close-ends-everything",
      ]
    ) { script in
      script.keepEntries { if case .dispatcher(_, .close) = $0 { false } else { true } }
    },
    .request(
      "throws-always", "A long request over its limit is refused, whatever its policy is.",
      ["A29", "A26", "A28", "U27", "U29"],
      by: [
        "connection-limits/policies/own-policy-wins", "connection-limits/cancel/frozen-by-ignore",
        "connection-limits/policies/enqueue", "connection-limits/article/polled",
      ]
    ) { $0.choose(.throw) },
    .request(
      "fails-always", "A long request over its limit fails, whatever its policy is.",
      ["A29", "A28"],
      by: ["connection-limits/policies/own-policy-wins", "connection-limits/article/polled"]
    ) { $0.choose(.fail) },
    .request(
      "enqueues-always", "A long request over its limit waits, whatever its policy is.",
      ["A27", "U25", "U26", "A29"],
      by: [
        "connection-limits/policies/fail", "connection-limits/policies/throw",
        "connection-limits/policies/own-policy-wins", "connection-limits/article/refused",
      ]
    ) { $0.choose(.enqueue) },
    .request(
      "ignores-always", "A long request over its limit is handed to the OS.",
      ["A24", "A29", "U27"],
      by: [
        "connection-limits/policies/own-policy-wins", "connection-limits/policies/enqueue",
        "connection-limits/article/fails",
      ]
    ) { $0.choose(.ignore) },
    .request(
      "takes-spare", "A long request over its limit uses a slot for short requests.",
      ["A22", "A29"],
      by: [
        "connection-limits/admission/quarter-of-another-total",
        "connection-limits/policies/own-policy-wins",
      ]
    ) { $0.choose(.takeSpare) },
    .request(
      "polls-always", "A long request over its limit is polled, whatever its policy is.",
      ["A29", "A27"],
      by: ["connection-limits/policies/own-policy-wins", "connection-limits/article/refused"]
    ) { $0.choose(.poll()) },
    .request(
      "own-policy-lost", "The policy of a request is ignored.", ["A29"],
      by: ["connection-limits/policies/own-policy-wins"]
    ) { $0.changeRequests { $0.policy = nil } },
    .request(
      "polls-x2", "A polled stream rests twice as long.", ["A28"],
      by: ["connection-limits/article/polled"]
    ) { script in
      func slower(_ policy: LongLimitPolicy) -> LongLimitPolicy {
        if case .poll(let every) = policy { .poll(every: every + every) } else { policy }
      }
      script.configuration.requests.policy = slower(script.configuration.requests.policy)
      script.changeRequests { $0.policy = $0.policy.map(slower) }
    },
    .request(
      "all-short", "Every request is treated as short.", ["A21", "U16", "U17"],
      by: [
        "connection-limits/article/control-requests-get-through",
        "connection-limits/admission/kind-is-the-callers-word",
      ]
    ) { $0.changeRequests { if $0.kind == .long { $0.kind = .short } } },
    .request(
      "all-long", "Every request is treated as long.", ["U17", "U13"],
      by: [
        "connection-limits/admission/short-may-take-everything",
        "connection-limits/admission/kind-is-the-callers-word",
      ]
    ) { $0.changeRequests { if $0.kind != .exempt { $0.kind = .long } } },
    .request(
      "all-exempt", "No request is counted.", ["A20", "U12"],
      by: ["connection-limits/pools/two-dispatchers", "connection-limits/order/twenty-downloads"]
    ) { $0.changeRequests { $0.kind = .exempt } },
    .request(
      "one-dispatcher", "All requests go through one dispatcher.", ["U12", "U64"],
      by: [
        "connection-limits/pools/after-the-close-a-new-one",
        "connection-limits/pools/limits-are-of-a-dispatcher",
      ]
    ) { script in
      script.changeRequests { $0.pool = 0 }
      for index in script.questions.indices { script.questions[index].pool = 0 }
    },
    .request(
      "answers-for-short", "Questions are answered as for short requests.",
      ["A23", "U19", "U5"],
      by: [
        "connection-limits/article/told-in-advance",
        "connection-limits/prediction/of-another-spelling",
      ]
    ) { script in
      for index in script.questions.indices { script.questions[index].kind = .short }
    },
    .request(
      "one-endpoint", "All hosts are the same endpoint.", ["U32", "A13", "U1", "U3"],
      by: [
        "connection-limits/article/two-names-of-one-machine",
        "connection-limits/admission/ports-are-endpoints",
        "connection-limits/platform/other-endpoints-are-free",
      ]
    ) { script in
      let first = script.hosts.first?.name
      script.changeHosts { if $0.name != nil { $0.name = first } }
    },
    .request(
      "ports-left-out", "The port is not in the key.", ["U1"],
      by: ["connection-limits/admission/ports-are-endpoints"]
    ) { script in
      script.changeHosts { host in
        let parts = host.name?.text.split(separator: ":") ?? []
        if parts.count == 2 { host.name = HostName("\(parts[0]):80") }
      }
    },
    .request(
      "written-endpoints", "Two spellings of a host are two endpoints.", ["U4"],
      by: ["connection-limits/admission/trailing-dot"]
    ) { script in
      for index in script.hosts.indices where script.hosts[index].name != nil {
        script.hosts[index].name = HostName("written-\(index):80")
      }
    },
    .report(
      "untold-limit", "The user is not notified that the limit is reached.", ["A25"],
      by: ["connection-limits/article/told-in-advance"],
      .request { fact in if case .limitReached = fact { [] } else { [fact] } }),
    .report(
      "limit-told-twice", "The user is notified twice that the limit is reached.", ["A25"],
      by: ["connection-limits/article/told-in-advance"],
      .request { fact in if case .limitReached = fact { [fact, fact] } else { [fact] } }),
    .report(
      "refused-as-failed", "A refused request is also reported as timed out.",
      [], by: ["connection-limits/cancel/after-the-close"],
      .request { fact in
        if case .arrived(let request, .refused?) = fact {
          [fact, .ended(request: request, .timedOut)]
        } else {
          [fact]
        }
      }),
    .report(
      "slots-stay", "Freed slots are not reported.", ["U37"],
      by: ["connection-limits/time-outs/slot-is-freed"],
      .request { fact in if case .slotReleased = fact { [] } else { [fact] } }),
    .report(
      "answers-no", "Questions are answered with a refusal.", ["A23", "U19"],
      by: ["connection-limits/article/told-in-advance"],
      .request { fact in
        if case .answered(let question, .startsNow) = fact {
          [.answered(question: question, .refused(.longLimitFailing))]
        } else {
          [fact]
        }
      }),
    .report(
      "answers-yes", "Questions are answered with a promise.", ["A23", "U19", "U20"],
      by: [
        "connection-limits/article/told-in-advance",
        "connection-limits/prediction/waiting-long-ones-count",
      ],
      .request { fact in
        if case .answered(let question, .refused) = fact {
          [.answered(question: question, .startsNow)]
        } else {
          [fact]
        }
      }),
    .report(
      "told-end-of-request-twice", "Requests are notified of their end twice.", ["U37"],
      by: ["connection-limits/time-outs/slot-is-freed"],
      .request { fact in if case .ended = fact { [fact, fact] } else { [fact] } }),
    .report(
      "untold-end-of-request", "Requests are not notified of their end.", ["A4"],
      by: [
        "connection-limits/article/four-streams-live",
        "connection-limits/article/fifth-stream-freezes",
      ],
      .request { fact in if case .ended = fact { [] } else { [fact] } }),
    .report(
      "position+1", "A waiting request receives the place after its own.",
      ["U33", "U30"],
      by: ["connection-limits/order/first-come", "connection-limits/pools/one-dispatcher"],
      .request { fact in
        if case .arrived(let request, .waits(let position)?) = fact {
          [.arrived(request: request, .waits(position: position + 1))]
        } else {
          [fact]
        }
      }),
    .request(
      "last-come-first", "Requests start in reverse order.",
      ["U69"], by: ["connection-limits/threads/never-more-than-the-limit"]
    ) { $0.reverseTogether { if case .request = $0 { true } else { false } } },
  ]

  private static let ofPlatforms: [Mutant] = [
    .request(
      "platform+1", "The system allows one connection more.", ["A1", "A3", "A10", "A5"],
      by: [
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/article/downloads-freeze",
      ]
    ) { script in
      let limit = script.configuration.requests.platformLimit
      script.configuration.requests.platform = limit + 1
    },
    .request(
      "platform-1", "The system allows one connection fewer.", ["A2", "A30", "U9"],
      by: [
        "connection-limits/article/four-streams-live",
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/platform/less-than-the-total",
      ]
    ) { script in
      let limit = script.configuration.requests.platformLimit
      script.configuration.requests.platform = max(1, limit - 1)
    },
    .request(
      "platform-unlimited", "The system does not limit connections.",
      ["A1", "A3", "A4", "A11", "F19", "U9", "U24"],
      by: [
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/platform/less-than-the-total",
        "connection-limits/pools/idle-connections-are-closed-in-time",
        "connection-limits/article/which-error-was-it",
      ]
    ) { $0.configuration.requests.platform = 10_000 },
    .request(
      "no-keep-alive", "Connections are closed with their last request.", ["F19"],
      by: [
        "connection-limits/pools/own-pool-has-an-idle-one",
        "connection-limits/pools/idle-connections-are-closed-in-time",
      ]
    ) { $0.configuration.requests.keepAlive = .zero },
    .request(
      "keep-alive-1min", "Connections are kept for a minute more.", ["F19"],
      by: [
        "connection-limits/cancel/late-answer",
        "connection-limits/pools/idle-connections-are-closed-in-time",
      ]
    ) { script in
      script.configuration.requests.keepAlive =
        script.configuration.requests.keepAlive + .minutes(1)
    },
    .request(
      "one-stream", "A connection carries one request at a time.", ["U86"],
      by: [
        "connection-limits/http2/cancel-ends-one-stream",
        "connection-limits/defects/u86-requests-are-no-connections",
      ]
    ) { $0.changeHosts { $0.streams = nil } },
    .request(
      "charges-waiting", "A timeout begins with the arrival of its request.", ["U41", "U31"],
      by: [
        "connection-limits/time-outs/waiting-is-not-charged",
        "connection-limits/platform/fifth-short-does-not-time-out",
      ]
    ) { $0.configuration.requests.chargesWaiting = true },
    .request(
      "time-outs-doubled", "Timeouts are twice as long.", ["U40", "U43", "A4"],
      by: [
        "connection-limits/time-outs/usual-one-is-a-minute",
        "connection-limits/time-outs/whole-transfer",
        "connection-limits/article/fifth-stream-freezes",
      ]
    ) {
      $0.changeRequests {
        let timeout = $0.timeout ?? ClientKind.urlLoading.requestTimeout
        $0.timeout = timeout + timeout
      }
    },
    .request(
      "no-time-outs", "Requests have no timeout.", ["U40", "U43", "U44", "A4"],
      by: [
        "connection-limits/time-outs/usual-one-is-a-minute",
        "connection-limits/time-outs/whole-transfer",
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/time-outs/slot-is-freed",
      ]
    ) { $0.changeRequests { $0.timeout = .zero } },
    .request(
      "usual-time-out", "A request without a timeout gets a timeout of one minute.", ["U40"],
      by: ["connection-limits/time-outs/none"]
    ) { $0.changeRequests { if $0.timeout == .zero { $0.timeout = nil } } },
    .request(
      "long-time-out-is-whole", "The timeout of a long request limits its whole duration.",
      ["U42"], by: ["connection-limits/time-outs/long-until-the-response"]
    ) {
      $0.changeRequests {
        guard $0.kind == .long, $0.deadline == nil else { return }
        $0.deadline = $0.timeout ?? ClientKind.urlLoading.requestTimeout
      }
    },
    .request(
      "slow-requests", "Servers take ten seconds longer for each request.", ["A6"],
      by: ["connection-limits/article/seconds-are-not-noticed"]
    ) { script in
      script.changeRequests { if let takes = $0.takes { $0.takes = takes + .seconds(10) } }
    },
    .report(
      "time-out-of-the-system", "A timeout is reported as a lost connection.",
      ["U44", "A4", "A11", "U59"],
      by: [
        "connection-limits/article/which-error-was-it",
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/time-outs/slot-is-freed",
      ],
      .request { fact in
        if case .ended(let request, .timedOut) = fact {
          [.ended(request: request, .connectionLost)]
        } else if case .ended(let request, .failed(code: -1001)) = fact {
          [.ended(request: request, .failed(code: -1005))]
        } else {
          [fact]
        }
      }),
    .report(
      "unfrozen", "Frozen requests are not reported.", ["A3", "A26"],
      by: [
        "connection-limits/article/fifth-stream-freezes",
        "connection-limits/cancel/frozen-by-ignore",
      ],
      .request { fact in if case .froze = fact { [] } else { [fact] } }),
    .report(
      "uncarried", "The connection of a request is not reported.", [],
      by: ["connection-limits/article/download-thaws-in-time"],
      .request { fact in if case .carried = fact { [] } else { [fact] } }),
    .report(
      "unopened-by-platform", "Opened connections are not reported.", ["A2", "A30"],
      by: [
        "connection-limits/article/four-streams-live",
        "connection-limits/article/fifth-stream-freezes",
      ],
      .request { fact in if case .connectionOpened = fact { [] } else { [fact] } }),
  ]

  private static let ofThreads: [Mutant] = [
    .request(
      "no-threads", "Requests are run without threads.", ["A19", "A14", "U66", "U67"],
      by: [
        "connection-limits/threads/made-when-needed",
        "connection-limits/threads/each-endpoint-has-its-own",
        "connection-limits/threads/never-more-than-the-limit",
      ]
    ) { $0.configuration.requests.threads = nil },
    .request(
      "idle-doubled", "Threads may be idle for twice as long and 5 s more.", ["U70", "A17", "A32"],
      by: [
        "connection-limits/threads/collected-when-idle",
        "connection-limits/threads/times-of-ones-own",
      ]
    ) { script in
      guard let threads = script.configuration.requests.threads else { return }
      script.configuration.requests.threads?.idle = threads.idle + threads.idle + .seconds(5)
    },
    .request(
      "collected-at-once", "Threads end as soon as they are idle.",
      ["A18", "U70", "A32"],
      by: [
        "connection-limits/threads/taken-again-in-time",
        "connection-limits/threads/times-of-ones-own",
      ]
    ) { script in
      guard script.configuration.requests.threads != nil else { return }
      script.configuration.requests.threads?.idle = .zero
      script.configuration.requests.threads?.collect = .milliseconds(1)
    },
    .request(
      "collected-late", "Threads are collected twice as late.", ["A17", "U70"],
      by: ["connection-limits/threads/collected-when-idle"]
    ) { script in
      guard let threads = script.configuration.requests.threads else { return }
      script.configuration.requests.threads?.collect = threads.collect + threads.collect
    },
    .report(
      "unmade-threads", "New threads are not reported.", ["U67", "A18", "A14"],
      by: [
        "connection-limits/threads/never-more-than-the-limit",
        "connection-limits/threads/made-when-needed",
      ],
      .request { fact in if case .thread(.made, _, _, _) = fact { [] } else { [fact] } }),
    .report(
      "threads-made-twice", "Each thread is created twice.", ["A14", "U67"],
      by: ["connection-limits/threads/never-more-than-the-limit"],
      .request { fact in
        if case .thread(.made, let number, let host, let pool) = fact {
          [fact, .thread(.made, number + 100, host: host, pool: pool)]
        } else {
          [fact]
        }
      }),
    .report(
      "uncollected", "Threads are never collected.", ["A17", "U70"],
      by: ["connection-limits/threads/collected-when-idle"],
      .request { fact in if case .thread(.collected, _, _, _) = fact { [] } else { [fact] } }),
    .report(
      "restless-threads", "Threads never become idle.", ["U70"],
      by: [
        "connection-limits/threads/made-when-needed",
        "connection-limits/threads/collected-when-idle",
      ],
      .request { fact in if case .thread(.rests, _, _, _) = fact { [] } else { [fact] } }),
    .report(
      "threads-outlive", "Threads outlive their pool.", ["U73"],
      by: ["connection-limits/threads/nothing-after-the-close"],
      .request { fact in if case .thread(.ended, _, _, _) = fact { [] } else { [fact] } }),
    .report(
      "next-thread", "Requests are run by the next thread.", ["A16", "A18", "U69"],
      by: [
        "connection-limits/threads/never-more-than-the-limit",
        "connection-limits/threads/made-when-needed",
      ],
      .request { fact in
        if case .runsOn(let request, let thread) = fact {
          [.runsOn(request: request, thread: thread + 1)]
        } else {
          [fact]
        }
      }),
    .report(
      "unrun", "The thread of a request is not reported.", ["A16", "A19"],
      by: [
        "connection-limits/threads/each-endpoint-has-its-own",
        "connection-limits/threads/never-more-than-the-limit",
      ],
      .request { fact in if case .runsOn = fact { [] } else { [fact] } }),
    .report(
      "unwaited", "A waiting request is reported as started immediately.",
      ["A15", "U30", "U74", "U33"],
      by: [
        "connection-limits/threads/any-number-may-wait", "connection-limits/order/first-come",
        "connection-limits/pools/one-dispatcher",
      ],
      .request { fact in
        if case .arrived(let request, .waits?) = fact {
          [.arrived(request: request, .startsNow)]
        } else {
          [fact]
        }
      }),
  ]
}

extension Script {
  /// Changes the limits of the dispatcher.
  ///
  /// The platform's limits do not change.
  fileprivate mutating func limit(_ change: (ConnectionLimits) -> (total: UInt32, long: UInt32)) {
    let platform = configuration.requests.platformLimit
    let (total, long) = change(configuration.requests.limits)
    guard let limits = try? ConnectionLimits(total: total, long: long) else { return }
    configuration.requests.limits = limits
    configuration.requests.platform = platform
  }

  /// Selects the policy for all requests that the long limit delays.
  fileprivate mutating func choose(_ policy: LongLimitPolicy) {
    configuration.requests.policy = policy
    changeRequests { $0.policy = nil }
    for index in questions.indices { questions[index].policy = nil }
  }
}
