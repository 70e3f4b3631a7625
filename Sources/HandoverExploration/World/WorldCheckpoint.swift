import HandoverCore

/// Saves a stopped exploration of a world as bytes, so that it can continue later.
extension WorldExplorer {
  private static func settings(_ setup: WorldSetup, _ version: String) -> [String] {
    [version, "world"] + setup.client.settings
      + [
        "\(setup.events.rawValue)", "\(setup.maximumPending)", setup.fault?.rawValue ?? "",
        "\(setup.client.longestDelay?.microseconds ?? 0)",
      ]
  }

  /// Returns every visited state and the frontier, as bytes.
  ///
  /// - Parameter version: The version of the client.
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
  ///   - version: The version of the client.
  /// - Throws: A ``SavedFileProblem`` if the bytes are not a checkpoint of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: WorldSetup, version: String
  ) throws(SavedFileProblem) {
    self.init(setup)
    try search.resume(bytes, Self.settings(setup, version)) { WorldAction($0) != nil }
  }
}
