import HandoverExploration
import HandoverLinux

extension ExploreCommand {
  /// Returns the saved state of an earlier exploration, or `nil` if there is none.
  private func kept() throws -> [UInt8]? {
    guard let resume else { return nil }
    try FileCreation.require(resume, replacing: true)
    guard FileStatus(resume) != nil else { return nil }
    return try InputFile.bytes(
      of: resume, hint: "check its permissions, or name a new file")
  }

  /// Returns a new exploration, or the one that was saved in a file.
  ///
  /// - Parameters:
  ///   - new: Returns a new exploration.
  ///   - saved: Returns the exploration of a saved state.
  /// - Returns: The exploration.
  /// - Throws: ``ExitError`` after an error message if the saved state cannot be used.
  func resumed<Exploration: ~Copyable>(
    _ new: () -> Exploration, _ saved: ([UInt8]) throws(SavedFileProblem) -> Exploration
  ) throws -> Exploration {
    guard let bytes = try kept() else { return new() }
    do throws(SavedFileProblem) {
      return try saved(bytes)
    } catch {
      throw ExitError(printing: "\(resume ?? ""): error: \(Self.words(error))")
    }
  }

  private static func words(_ problem: SavedFileProblem) -> String {
    switch problem {
    case .foreign:
      "this is not the file of a stopped exploration\n    hint: name a new file"
    case .other:
      "the file belongs to a different exploration: its profile, options or version differ\n"
        + "    hint: use the same options, or name another file"
    case .damaged:
      "the file is truncated or was changed\n    hint: remove it, and start again"
    }
  }

  /// Saves the state of the exploration if `--resume` is given.
  func keep(_ checkpoint: (_ version: String) throws(FrontierProblem) -> [UInt8]) throws {
    guard let resume else { return }
    let bytes: [UInt8]
    do throws(FrontierProblem) {
      bytes = try checkpoint(version)
    } catch {
      throw ExitError(printing: "\(resume): error: cannot save the progress: \(error.text)")
    }
    try FileCreation.create(resume, with: bytes, replacing: true)
    printError("The progress is saved in \(resume). Run the same command again to continue.")
  }

  /// The memory limit of the frontier, and the file for the rest.
  var frontierRoom: FrontierRoom {
    FrontierRoom(limit: memory << 20) { () throws(FrontierProblem) in try FrontierFile() }
  }
}
