import HandoverCore

// The keywords that only the format has; the reader translates them.

enum LinkState: String, FormatKeyword {
  case up, down
}

enum UplinkKeyword: String, FormatKeyword {
  case up, down
}

enum OrderKeyword: String, FormatKeyword {
  case file, drawn
}

/// The elements of an order: kinds of events that are due at one instant, and observers of a
/// change.
enum OrderRank: String, FormatKeyword {
  case entries, callbacks, transport, deadlines, pool, calls

  var kind: InstantOrder.Kind? { InstantOrder.Kind(rawValue: rawValue) }
  var observer: ObserverOrder? { ObserverOrder(rawValue: rawValue) }
}

enum FirstReading: String, FormatKeyword {
  case unreadable
}

enum PowerKeyword: String, FormatKeyword {
  case sleep, wake, airplane
  case airplaneOff = "airplane-off"

  init(_ power: DevicePower) {
    switch power {
    case .sleep: self = .sleep
    case .wake: self = .wake
    case .airplane(let isOn): self = isOn ? .airplane : .airplaneOff
    }
  }
}

enum AddressKeyword: String, FormatKeyword {
  case same, new
}

/// The kinds of requests.
enum KindKeyword: String, FormatKeyword {
  case short, long, synchronous, websocket

  init(_ kind: RequestKind) {
    switch kind {
    case .short: self = .short
    case .long: self = .long
    case .synchronous: self = .synchronous
    case .exempt: self = .websocket
    }
  }

  var kind: RequestKind {
    switch self {
    case .short: .short
    case .long: .long
    case .synchronous: .synchronous
    case .websocket: .exempt
    }
  }
}

enum PolicyKeyword: String, FormatKeyword {
  case `throw`, fail, enqueue, ignore
  case takeSpare = "take-spare"
  case poll
}

enum DispatcherKeyword: String, FormatKeyword {
  case limit, close
}

/// The kinds of interceptors.
enum LinkKeyword: String, FormatKeyword {
  case forward, none, logging, metrics, rewrite, token, cache, mock, retry, gate
}

enum Creation: String, FormatKeyword {
  case lazy, eager
}

enum BaseCancel: String, FormatKeyword {
  case forward, close
}

enum Turns: String, FormatKeyword {
  case ordered, drawn
}

// MARK: - Meanings

extension LinkState {
  static let setName = "linkState"
  var meaning: String {
    switch self {
    case .up: "The network stays up although the device leaves it"
    case .down: "A network that stayed up is lost now"
    }
  }
}

extension UplinkKeyword {
  static let setName = "uplinkKeyword"
  var meaning: String {
    switch self {
    case .up: "Hosts behind the router are reachable"
    case .down: "No host behind the router is reachable"
    }
  }
}

extension OrderKeyword {
  static let setName = "orderKeyword"
  var meaning: String {
    switch self {
    case .file: "Entries, callbacks, transport events, deadlines"
    case .drawn: "A random order, determined by the seed"
    }
  }
}

extension OrderRank {
  static let setName = "orderRank"
  var meaning: String {
    switch self {
    case .entries: "The entries of the timeline"
    case .callbacks: "Reachability callbacks"
    case .transport: "Events of connections and tokens"
    case .deadlines: "Deadlines that are due"
    case .pool: "The channel pool is notified of a category change before the calls"
    case .calls: "The calls are notified of a category change before the channel pool"
    }
  }
}

extension FirstReading {
  static let setName = "firstReading"
  var meaning: String { "The first read of the flags fails (M8)" }
}

extension PowerKeyword {
  static let setName = "powerKeyword"
  var meaning: String {
    switch self {
    case .sleep: "The process stops, and the radio is off"
    case .wake: "The application returns to its previous state"
    case .airplane: "Airplane mode is on: every network with a radio goes down"
    case .airplaneOff: "Airplane mode is off: the networks that it took down come up"
    }
  }
}

extension AddressKeyword {
  static let setName = "addressKeyword"
  var meaning: String {
    switch self {
    case .same: "The device keeps its address"
    case .new: "The device has another address, and open connections end"
    }
  }
}

extension KindKeyword {
  static let setName = "requestKind"
  var meaning: String {
    switch self {
    case .short: "A round trip of a few seconds (U15)"
    case .long: "A stream, or another request that takes minutes (U16)"
    case .synchronous: "A request whose caller waits for it (U14)"
    case .websocket: "A WebSocket, to which no limit applies"
    }
  }
}

extension PolicyKeyword {
  static let setName = "limitPolicy"
  var meaning: String {
    switch self {
    case .throw: "The request is rejected with an error that is thrown (U25)"
    case .fail: "The request is rejected with an error that is reported (U26)"
    case .enqueue: "The request waits for a long slot (U27)"
    case .ignore: "The request is passed to the platform, and freezes there"
    case .takeSpare: "The request takes a slot for short requests, or freezes if none is left (U27)"
    case .poll: "The request becomes a series of short requests"
    }
  }
}

extension DispatcherKeyword {
  static let setName = "dispatcherKeyword"
  var meaning: String {
    switch self {
    case .limit: "Sets the long limit; running requests continue"
    case .close: "Ends all requests, and rejects later ones"
    }
  }
}

extension LinkKeyword {
  static let setName = "interceptorKind"
  var meaning: String {
    switch self {
    case .forward: "Forwards everything"
    case .none: "Has a factory that creates no interceptor (I5, I34)"
    case .logging: "Logs every event, and changes nothing"
    case .metrics: "Counts calls, messages and times, and changes nothing"
    case .rewrite: "Changes the host, path, verb, headers, messages and trailers"
    case .token: "Adds an access token to calls, which wait until they have one (C6)"
    case .cache: "Answers cacheable calls with earlier answers"
    case .mock: "Answers calls without a server"
    case .retry: "Repeats calls after network failures"
    case .gate: "Performs the actions in the timeline, correct or not"
    }
  }
}

extension Creation {
  static let setName = "chainCreation"
  var meaning: String {
    switch self {
    case .lazy: "Each interceptor is created for the first event that it receives (I4)"
    case .eager: "All interceptors are created when the call starts (L17)"
    }
  }
}

extension BaseCancel {
  static let setName = "chainCancel"
  var meaning: String {
    switch self {
    case .forward: "The cancel is forwarded (L50)"
    case .close: "The cancel is forwarded, and the call is closed towards the user (I18)"
    }
  }
}

extension Turns {
  static let setName = "chainTurns"
  var meaning: String {
    switch self {
    case .ordered: "The queue with the oldest task"
    case .drawn: "A random queue, determined by the seed"
    }
  }
}
