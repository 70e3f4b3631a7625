public import HandoverMachines

extension ChainScript {
  /// What ``index(of:)`` was called before.
  @available(*, deprecated, renamed: "index(of:)")
  public func place(of name: String) -> Int? { index(of: name) }
}

extension Device {
  /// What ``apply(_:path:up:down:)`` was called before.
  @available(*, deprecated, renamed: "apply(_:path:up:down:)")
  public mutating func take(
    _ next: ReachabilityFlags, path named: PathIndex?, up: PathSet, down: PathSet
  ) -> Move {
    apply(next, path: named, up: up, down: down)
  }
}
