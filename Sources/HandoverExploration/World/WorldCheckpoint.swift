import HandoverMachines

/// An exploration of a world that was stopped, as bytes, so that it goes on another day.
extension WorldExplorer {
  private static func words(_ setup: WorldSetup, _ version: String) -> [String] {
    [version, "world"] + setup.client.words
      + [
        "\(setup.events.rawValue)", "\(setup.atOnce)", setup.fault?.rawValue ?? "",
        "\(setup.client.longestDelay?.microseconds ?? 0)",
      ]
  }

  /// Everything that was seen, and what is to be looked at next.
  ///
  /// - Parameter version: the version of the client.
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
  ///   - version: the version of the client.
  /// - Throws: why the bytes are no exploration of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: WorldSetup, version: String
  ) throws(CheckpointProblem) {
    self.init(setup)
    try search.resume(bytes, Self.words(setup, version)) { WorldAct($0) != nil }
  }
}
