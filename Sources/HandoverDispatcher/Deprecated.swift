extension URLLoader {
  /// What ``HTTPRequest`` was called before.
  @available(*, deprecated, renamed: "HTTPRequest")
  public typealias Load = HTTPRequest
  /// What ``HTTPRequestID`` was called before.
  @available(*, deprecated, renamed: "HTTPRequestID")
  public typealias LoadID = HTTPRequestID
}

/// What ``HTTPConnectionID`` was called before.
@available(*, deprecated, renamed: "HTTPConnectionID")
public typealias LoadConnectionID = HTTPConnectionID

extension RequestRefusal {
  /// What ``longLimitThrowing`` was called before.
  @available(*, deprecated, renamed: "longLimitThrowing")
  public static var heldBackThrowing: RequestRefusal { .longLimitThrowing }
  /// What ``longLimitFailing`` was called before.
  @available(*, deprecated, renamed: "longLimitFailing")
  public static var heldBackFailing: RequestRefusal { .longLimitFailing }
}

extension RequestEnd {
  /// What ``queueTimeout`` was called before.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: RequestEnd { .queueTimeout }
}

extension RequestOutcome {
  /// What ``queueTimeout`` was called before.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: RequestOutcome { .queueTimeout }
}

extension RequestErrorCode {
  /// What ``queueTimeout`` was called before.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: Int32 { queueTimeout }
}
