extension URLDispatcherError.Code {
  /// What ``queueTimeout`` was called before.
  @available(*, deprecated, renamed: "queueTimeout")
  public static var heldBack: Self { queueTimeout }
}
