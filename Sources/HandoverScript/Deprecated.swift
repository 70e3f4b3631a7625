extension ChainScript {
  /// What ``index(of:)`` was called before.
  @available(*, deprecated, renamed: "index(of:)")
  public func place(of name: String) -> Int? { index(of: name) }
}
