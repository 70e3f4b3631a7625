import HandoverCore

/// Saves a stopped exploration of a dispatcher as bytes, so that it can continue later.
extension DispatcherExplorer {
  private static func settings(_ setup: DispatcherSetup, _ version: String) -> [String] {
    [
      version, "dispatcher", "\(setup.limits.total)", "\(setup.limits.long)", "\(setup.requests)",
      "\(setup.endpoints)", "\(setup.isFull)", "\(setup.defects.rawValue)",
    ]
  }

  /// Returns every visited state and the frontier, as bytes.
  ///
  /// - Parameter version: The version of the dispatcher.
  /// - Returns: About 25 bytes per state, and more per state of the last depth.
  /// - Throws: A ``FrontierProblem`` if the spilled frontier cannot be read back.
  package func checkpoint(version: String) throws(FrontierProblem) -> [UInt8] {
    try search.checkpoint(Self.settings(setup, version))
  }

  /// Resumes a stopped exploration.
  ///
  /// - Parameters:
  ///   - bytes: The result of ``checkpoint(version:)``.
  ///   - setup: The setup.
  ///   - version: The version of the dispatcher.
  /// - Throws: A ``SavedFileProblem`` if the bytes are not a checkpoint of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: DispatcherSetup, version: String
  ) throws(SavedFileProblem) {
    self.init(setup)
    try search.resume(bytes, Self.settings(setup, version)) { DispatcherAction($0) != nil }
  }
}
