import HandoverDispatcher
import HandoverMachines

/// An exploration of a dispatcher that was stopped, as bytes, so that it goes on another day.
extension DispatcherExplorer {
  private static func words(_ setup: DispatcherSetup, _ version: String) -> [String] {
    [
      version, "dispatcher", "\(setup.limits.total)", "\(setup.limits.long)", "\(setup.requests)",
      "\(setup.endpoints)", "\(setup.isFull)", "\(setup.defects.rawValue)",
    ]
  }

  /// Everything that was seen, and what is to be looked at next.
  ///
  /// - Parameter version: the version of the dispatcher.
  /// - Returns: some 25 bytes a state, and more of the last depth.
  /// - Throws: why what waits to be looked at cannot be had back.
  package func checkpoint(version: String) throws(FrontierProblem) -> [UInt8] {
    try search.checkpoint(Self.words(setup, version))
  }

  /// Takes up an exploration that was stopped.
  ///
  /// - Parameters:
  ///   - bytes: what ``checkpoint(version:)`` made.
  ///   - setup: the setup.
  ///   - version: the version of the dispatcher.
  /// - Throws: why the bytes are no exploration of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: DispatcherSetup, version: String
  ) throws(CheckpointProblem) {
    self.init(setup)
    try search.resume(bytes, Self.words(setup, version)) { DispatcherAct($0) != nil }
  }
}
