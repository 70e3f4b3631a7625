import HandoverCore

// The keywords that the scenario format shares with other modules.

extension AppState: FormatKeyword {
  static let setName = "appState"
  var meaning: String {
    switch self {
    case .foreground: "The application runs"
    case .background: "The application is suspended and receives nothing"
    case .backgroundRunning: "The application runs in the background, for example to play audio"
    }
  }
}

extension TimerClock: FormatKeyword {
  static let setName = "timerClock"
  var meaning: String {
    switch self {
    case .boot: "The clock includes the time in which the device sleeps"
    case .monotonic: "The clock stops while the device sleeps"
    }
  }
}

extension OverduePing: FormatKeyword {
  static let setName = "overduePing"
  var meaning: String {
    switch self {
    case .close: "The client closes the connection as soon as it runs again"
    case .waitAgain: "The client waits for the answer again, for the whole timeout"
    }
  }
}

extension CFStreamGeneration: FormatKeyword {
  static let setName = "cfstreamGeneration"
  var meaning: String {
    switch self {
    case .iomgr: "The older one: lost connections end calls UNAVAILABLE"
    case .eventEngine:
      "The newer one: lost connections end calls UNKNOWN; the end of a stream is not noticed"
    }
  }
}

extension ServerMigration: FormatKeyword {
  static let setName = "serverMigration"
  var meaning: String {
    switch self {
    case .allowed: "Connections can migrate"
    case .refused: "Connections cannot migrate"
    }
  }
}

extension MonitorWatch: FormatKeyword {
  static let setName = "monitorWatch"
  var meaning: String {
    switch self {
    case .defaultNetwork: "Changes of the default network's flags"
    case .anyNetwork:
      "Changes of every network: one that comes up sends its flags, one that goes down sends none"
    }
  }
}

extension NetworkKind: FormatKeyword {
  static let setName = "networkKind"
  var meaning: String {
    switch self {
    case .wifi, .ethernet: "A network with the flags Reachable"
    case .cellular: "A network with the flags Reachable and IsWWAN"
    case .vpn: "A network with the flags Reachable and TransientConnection"
    }
  }
}

extension InitialNetworkState: FormatKeyword {
  static let setName = "firstNetworkState"
  var meaning: String {
    switch self {
    case .down: "The network is not available"
    case .up: "The network is available in addition to the default network"
    case .default: "New connections use the network; at most one network is the default"
    }
  }
}

extension NetworkFamilies: FormatKeyword {
  static let setName = "networkFamilies"
  var meaning: String {
    switch self {
    case .both: "IPv4 and IPv6"
    case .ipv4: "IPv4 only"
    case .ipv6: "IPv6 only"
    }
  }
}

extension AddressAnswer: FormatKeyword {
  static let setName = "addressAnswer"
  var meaning: String {
    switch self {
    case .accept: "The address accepts if the server does"
    case .refuse: "The address refuses"
    case .nothing: "The address does not answer"
    }
  }
}

extension NetworkTransition: FormatKeyword {
  static let setName = "networkKeyword"
  var meaning: String {
    switch self {
    case .up: "The network becomes available; a linger ends"
    case .makeDefault: "New connections use the network; the previous default network stays up"
    case .losing: "The network goes down after the linger; another network is the default"
    case .down: "The network is gone"
    case .captive: "A captive portal blocks the network, and no packet passes"
    case .validated: "The portal is gone, and delayed packets arrive"
    }
  }
}

extension NetworkEnding: FormatKeyword {
  static let setName = "networkEnding"
  var meaning: String {
    switch self {
    case .silent: "Connections end without a report"
    case .reset: "Connections are reset"
    }
  }
}

extension NATChange: FormatKeyword {
  static let setName = "natKeyword"
  var meaning: String {
    switch self {
    case .forget: "The router forgets every flow"
    case .rebindPort: "The router gives every flow another port"
    case .rebindAddress: "The router gives every flow another address"
    }
  }
}

extension RoamChange: FormatKeyword {
  static let setName = "roamKeyword"
  var meaning: String {
    switch self {
    case .sameAddress: "Another access point; nothing is lost"
    case .newRouter: "The address stays; the router knows no flow"
    case .newAddress: "The device has another address; open connections keep the old one"
    }
  }
}

extension UnknownFlows: FormatKeyword {
  static let setName = "unknownFlows"
  var meaning: String {
    switch self {
    case .drop: "The packets are dropped"
    case .reset: "The packets are answered with a reset"
    }
  }
}

extension DirectionalLoss: FormatKeyword {
  static let setName = "lossKeyword"
  var meaning: String {
    switch self {
    case .none: "No packets are lost"
    case .requests: "Packets from the device are lost"
    case .answers: "Packets to the device are lost"
    }
  }
}

extension MTUSignal: FormatKeyword {
  static let setName = "mtuSignal"
  var meaning: String {
    switch self {
    case .icmp: "The sender of a longer packet receives an ICMP message"
    case .none: "Longer packets are dropped without a message"
    }
  }
}

extension LinkDirection: FormatKeyword {
  static let setName = "linkDirection"
  var meaning: String {
    switch self {
    case .both: "Packets in both directions"
    case .up: "Packets from the device"
    case .down: "Packets to the device"
    }
  }
}

extension ServerFault: FormatKeyword {
  static let setName = "serverKeyword"
  var meaning: String {
    switch self {
    case .close: "The server ends its open connections in an orderly way (FIN)"
    case .reset: "The server resets its open connections (RST)"
    case .silent: "The server stops reading and answering; its kernel still acknowledges"
    case .goaway: "The server accepts no new calls on its open connections; running calls continue"
    case .refuse: "The server refuses new connections; open ones stay"
    case .accept: "The server accepts and answers; this ends silent and refuse"
    }
  }
}

extension DNSFault: FormatKeyword {
  static let setName = "namesKeyword"
  var meaning: String {
    switch self {
    case .fail: "Lookups fail immediately, including those in progress"
    case .hang: "Lookups get no answer"
    case .resolve: "Lookups succeed immediately, including those that hang"
    }
  }
}

extension ConnectionFault: FormatKeyword {
  static let setName = "transportKeyword"
  var meaning: String {
    switch self {
    case .stall: "Writes are accepted; nothing is acknowledged, and nothing arrives"
    case .stallAcked:
      "Everything is acknowledged and discarded, as by a proxy, so TCP never times out"
    case .blackholeConnect: "Connection attempts get no answer"
    case .reset: "The peer resets open connections"
    case .fin: "The peer ends open connections in an orderly way"
    case .halfClose: "The peer closes its sending direction only"
    case .kill: "The local kernel destroys open connections, including stalled ones"
    case .resume: "Ends stall, stall-acked and blackhole-connect"
    }
  }
}

extension MonitorFault: FormatKeyword {
  static let setName = "monitorKeyword"
  var meaning: String {
    switch self {
    case .duplicate: "The last delivered callback is delivered again, now"
    case .delay: "The next callback is delayed by the time in by"
    case .miss: "The next callback is lost"
    case .overrun: "Pending callbacks are lost, and the flags are read again now"
    }
  }
}

extension ConnectionLimitsPreset: FormatKeyword {
  static let setName = "limitsPreset"
  var meaning: String { "\(limits.total) in total, \(limits.long) of them long" }
}

extension AdmissionKind: FormatKeyword {
  static let setName = "admission"
  var meaning: String {
    switch self {
    case .startsNow: "The request starts immediately"
    case .waits: "The request waits in the queue"
    case .refused: "The request is rejected"
    case .freezes: "The request is passed to the platform, and freezes there"
    case .polls: "The request becomes a series of short requests"
    }
  }
}

extension RequestBody: FormatKeyword {
  static let setName = "requestBody"
  var meaning: String {
    switch self {
    case .none: "A GET without a body"
    case .repeatable: "A POST whose body can be sent again"
    case .oneShot: "A POST whose body can be sent once"
    }
  }
}

extension RequestOutcome: FormatKeyword {
  static let setName = "requestOutcome"
  var meaning: String {
    switch self {
    case .finished: "The response is complete"
    case .failed: "The platform reported an error"
    case .notStarted: "The platform could not start the request (U59)"
    case .lost: "The connection of the request broke"
    case .timedOut: "The timeout passed while the request ran (U44)"
    case .queueTimeout: "The timeout or the deadline passed while a limit delayed the request"
    case .deadlineExceeded: "The deadline passed while the request ran"
    case .cancelled: "The user cancelled the request"
    case .closed: "The dispatcher was closed"
    case .refused: "The dispatcher rejected the request (U25, U26)"
    }
  }
}

extension Expectation.ChannelRelation: FormatKeyword {
  static let setName = "channelRelation"
  var meaning: String {
    switch self {
    case .new: "A channel that was created for the call"
    case .same: "A channel that existed before the call"
    }
  }
}

extension Expectation.Level: FormatKeyword {
  static let setName = "level"
  var meaning: String {
    switch self {
    case .must: "An unmet expectation is a failure"
    case .should: "An unmet expectation is reported, and is not a failure"
    }
  }
}

// MARK: - Calls and interceptors

extension CallKind: FormatKeyword {
  static let setName = "callKind"
  var meaning: String {
    switch self {
    case .unary: "One request, one response"
    case .streaming: "One request, several responses"
    case .clientStreaming: "Several requests, which end with finish, and one response"
    case .bidi: "Several requests, which end with finish, and several responses"
    }
  }
}

extension CallSafety: FormatKeyword {
  static let setName = "callSafety"
  var meaning: String {
    switch self {
    case .standard: "No guarantee; POST"
    case .idempotent: "The call can be repeated without harm; PUT"
    case .cacheable: "The call can be answered from a cache; GET"
    }
  }
}

extension RepeatableCalls: FormatKeyword {
  static let setName = "repeatableCalls"
  var meaning: String {
    switch self {
    case .idempotent: "Calls with the safety idempotent or cacheable"
    case .any: "All calls, although a server may process one twice"
    }
  }
}

extension MarshallerKind: FormatKeyword {
  static let setName = "marshaller"
  var meaning: String {
    switch self {
    case .reversed: "Strings are written and read in reverse"
    case .unwritable: "No message can be marshaled"
    case .unreadable: "No message can be unmarshaled"
    }
  }
}

extension InterceptorQueueChoice: FormatKeyword {
  static let setName = "linkQueues"
  var meaning: String {
    switch self {
    case .own: "One queue for both directions (I12)"
    case .separate: "One queue for each direction (L50)"
    case .shared: "One queue for the interceptors of this name in all calls"
    case .concurrent: "One queue for each direction, on the threads of a concurrent queue (L50)"
    }
  }
}

extension GateAction: FormatKeyword {
  static let setName = "interceptorKeyword"
  var meaning: String {
    switch self {
    case .hold: "Holds all events that arrive from now on; a cancel passes"
    case .release: "Forwards the held events, and later ones directly"
    case .message: "Forwards a generated message to the user"
    case .close: "Forwards a generated close to the user"
    case .cancel: "Cancels the next interceptor"
    case .start: "Starts the next interceptor, even if it was started before"
    case .shutDown: "Leaves the chain"
    }
  }
}

extension ChainStep: FormatKeyword {
  static let setName = "chainStep"
  var meaning: String {
    switch self {
    case .start: "The start of the call"
    case .write: "A message to send"
    case .finish: "The end of the requests"
    case .cancel: "A cancel by the user"
    case .receive: "A request for more messages"
    case .metadata: "The headers of the server"
    case .message: "A message of the response"
    case .rawMessage: "A message with the deprecated method"
    case .close: "The end of the call, with status and trailers"
    case .writeDone: "The completion of a write"
    case .answer: "The answer to a question of the interceptor, or an action of the timeline"
    case .deadline: "The deadline of the interceptor"
    }
  }
}

extension InterceptorViolation: FormatKeyword {
  static let setName = "interceptorBreach"
  var meaning: String {
    switch self {
    case .closedTwice: "A second close was forwarded (I16)"
    case .forwardedAfterClose: "An event was forwarded after the close (I16)"
    case .forwardedAfterShutDown: "An event was forwarded after the shutdown (I22)"
    case .metadataAfterMessage: "Initial metadata was forwarded after a message (I15)"
    case .startedTwice: "The next interceptor was started twice (I27)"
    case .finishedBeforeStart: "The requests were finished before the start (I27)"
    case .finishedTwice: "The requests were finished twice (I17)"
    case .writtenAfterFinish: "A message was written after the requests were finished (I27)"
    case .renewedBeforeClose: "The rest of the chain was created again before it had closed"
    case .rawMessage: "A message was sent with the deprecated method (I30)"
    case .closeNotForwarded: "The call is over for the interceptor, but no close followed (I24)"
    case .notShutDown: "The call is over for the interceptor, but it did not shut down (I24)"
    case .nextLeftRunning: "The interceptor left, but the next one still runs (I18)"
    case .transportChanged: "Another transport was chosen than the call was opened with (I28)"
    case .nothingToStart: "Neither an interceptor nor a transport could be created (I11, R6)"
    }
  }
}
