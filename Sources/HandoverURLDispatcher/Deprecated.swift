extension URLDispatcherError.Code {
  /// The former name of ``queueTimeout``.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: Self { queueTimeout }
}
