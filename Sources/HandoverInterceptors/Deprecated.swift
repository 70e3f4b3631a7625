extension LinkID {
  /// What ``position`` was called before.
  @available(*, deprecated, renamed: "position")
  public var place: Int32 { position }
}
