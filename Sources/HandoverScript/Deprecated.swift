public import HandoverMachines

extension ChainScript {
  /// The previous name of ``index(of:)``.
  @available(*, deprecated, renamed: "index(of:)")
  public func place(of name: String) -> Int? { index(of: name) }
}

extension Device {
  /// The previous name of ``apply(_:path:up:down:)``.
  @available(*, deprecated, renamed: "apply(_:path:up:down:)")
  public mutating func take(
    _ next: ReachabilityFlags, path named: PathIndex?, up: PathSet, down: PathSet
  ) -> Move {
    apply(next, path: named, up: up, down: down)
  }
}
