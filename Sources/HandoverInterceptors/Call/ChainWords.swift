/// The words for what goes along a chain, the same in scenarios, traces and reports.
public enum ChainWords {
  /// The word for a request.
  public static func name(of request: ChainRequest) -> String {
    switch request {
    case .start: "start"
    case .write: "write"
    case .finish: "finish"
    case .cancel: "cancel"
    case .receiveNextMessages: "receive"
    }
  }

  /// The word for a response.
  public static func name(of response: ChainResponse) -> String {
    switch response {
    case .initialMetadata: "metadata"
    case .message: "message"
    case .close: "close"
    case .writeDone: "write-done"
    case .rawMessage: "raw-message"
    }
  }
}
