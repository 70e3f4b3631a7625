import CBundle
import HandoverLinux
import HandoverReport

/// The files of the repository that are embedded in the executable, for use when they are not on
/// disk.
///
/// The files are accessed in place; nothing is read until it is needed.
enum BundledFiles {
  /// The folder of the bundled scenarios, and the paths of the other embedded files.
  static let scenarios = "Scenarios"
  static let items = "Fixtures/Documents/items.json"
  static let reasons = "Fixtures/Documents/reasons.json"
  static let backends = "Fixtures/Backends"
  static let schema = "Fixtures/Schemas/scenario-1.schema.json"

  /// Returns whether a path may refer to an embedded file; if the folder exists on disk, none is
  /// used.
  static func mayBeMeant(_ path: String) -> Bool {
    isNamed(path) && FileStatus(scenarios) == nil
  }

  /// Returns whether a path names the folder of the bundled scenarios or a file below it.
  static func isNamed(_ path: String) -> Bool {
    plain(path).split(separator: "/").first.map(String.init) == scenarios
  }

  /// Returns the embedded files that a path refers to: the file itself, or the files below it.
  static func files(at path: String) -> [String] {
    let path = plain(path)
    return (0..<handover_file_count()).map(Self.path).filter {
      $0 == path || $0.hasPrefix(path + "/")
    }
  }

  /// Returns the bytes of an embedded file, or `nil` if there is no such file.
  static func bytes(of path: String) -> [UInt8]? {
    let path = plain(path)
    guard let index = (0..<handover_file_count()).first(where: { Self.path($0) == path }) else {
      return nil
    }
    let file = unsafe handover_file_at(index).pointee
    return unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  private static func path(_ index: Int) -> String {
    unsafe String(cString: handover_file_at(index).pointee.path)
  }

  private static func plain(_ path: String) -> String {
    var path = Substring(path)
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    return String(path)
  }
}

/// This command on this system.
enum Executable {
  /// The description of the harness for reports.
  static var harness: Harness {
    let commit = unsafe String(cString: handover_commit())
    var harness = Harness(version: version, commit: commit.isEmpty ? nil : commit)
    harness.kernel = SystemText.kernel
    return harness
  }
}

/// The ids of the bundled scenarios, derived from their paths, for shell completion.
enum ScenarioIDs {
  /// Returns the ids that begin with a prefix, from disk or else from the executable.
  static func beginning(_ arguments: [String], _ index: Int, _ word: String) -> [String] {
    let folder = BundledFiles.scenarios
    let files = ScenarioFiles([folder], mayBeBundled: true).files
    return files.map { String($0.dropFirst(folder.count + 1).dropLast(5)) }
      .filter { $0.hasPrefix(word) }
  }
}
