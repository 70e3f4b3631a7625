extension URLLoader {
  /// The former name of ``HTTPRequest``.
  @available(*, deprecated, renamed: "HTTPRequest")
  public typealias Load = HTTPRequest
  /// The former name of ``HTTPRequestID``.
  @available(*, deprecated, renamed: "HTTPRequestID")
  public typealias LoadID = HTTPRequestID
}

/// The former name of ``HTTPConnectionID``.
@available(*, deprecated, renamed: "HTTPConnectionID")
public typealias LoadConnectionID = HTTPConnectionID

extension RequestRefusal {
  /// The former name of ``longLimitThrowing``.
  @available(*, deprecated, renamed: "longLimitThrowing")
  public static var heldBackThrowing: RequestRefusal { .longLimitThrowing }
  /// The former name of ``longLimitFailing``.
  @available(*, deprecated, renamed: "longLimitFailing")
  public static var heldBackFailing: RequestRefusal { .longLimitFailing }
}

extension RequestEnd {
  /// The former name of ``queueTimeout``.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: RequestEnd { .queueTimeout }
}

extension RequestOutcome {
  /// The former name of ``queueTimeout``.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: RequestOutcome { .queueTimeout }
}

extension RequestErrorCode {
  /// The former name of ``queueTimeout``.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: Int32 { queueTimeout }
}
