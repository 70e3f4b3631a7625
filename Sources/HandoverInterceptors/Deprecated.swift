extension LinkID {
  /// The former name of ``position``.
  @available(*, deprecated, renamed: "position")
  public var place: Int32 { position }
}
