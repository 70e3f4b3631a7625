// The keywords of timeline entries.
extension ScriptAction {
  package var traceName: String {
    switch self {
    case .flags: "flags"
    case .path: "path"
    case .app: "app"
    case .makeCall: "make"
    case .startCall: "call"
    case .cancel: "cancel"
    case .finish: "finish"
    case .send: "send"
    case .disconnect: "disconnect"
    case .server, .address: "server"
    case .names, .answer: "names"
    case .transport: "transport"
    case .monitor: "monitor"
    case .receive: "receive"
    case .interceptor: "interceptor"
    case .request: "request"
    case .cancelRequest: "cancelRequest"
    case .ask: "ask"
    case .dispatcher: "dispatcher"
    case .network: "network"
    case .signal: "signal"
    case .power: "device"
    }
  }
}
