import Glibc
import HandoverLinux

/// The state of scenario files at one instant.
struct ScenarioSnapshot {
  /// The existing files.
  private(set) var versions: [String: FileStatus.Version] = [:]
  /// The directories in which a file could be saved, created or renamed.
  private(set) var directories: [String] = []

  /// Creates a snapshot of the files that some paths name.
  init(_ paths: [String]) {
    let found = ScenarioFiles(paths, mayBeBundled: true)
    for file in found.files { versions[file] = FileStatus(file)?.version }
    // An id such as stalls/killed is not in a directory stalls, and embedded files are in none.
    let named = paths.filter { path in
      FileStatus(Self.parent(of: path)) != nil
        || ScenarioFiles([path], mayBeBundled: true).files.isEmpty
    }
    let onDisk = found.files.filter { versions[$0] != nil }
    var seen: Set<String> = []
    directories = (found.directories + (named + onDisk).map(Self.parent)).filter {
      seen.insert($0).inserted
    }
    // A directory Scenarios that is created here replaces the embedded files.
    if directories.isEmpty { directories = ["."] }
  }

  /// Returns the differences from an older snapshot.
  func changes(since old: ScenarioSnapshot) -> ScenarioChanges {
    ScenarioChanges(
      changed: versions.keys.filter { file in
        old.versions[file].map { $0 != versions[file] } ?? false
      }.sorted(),
      new: versions.keys.filter { old.versions[$0] == nil }.sorted(),
      removed: old.versions.keys.filter { versions[$0] == nil }.sorted())
  }

  private static func parent(of path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    parts.removeLast()
    guard !parts.isEmpty else { return "." }
    let parent = parts.joined(separator: "/")
    return parent.isEmpty ? "/" : parent
  }
}

/// The changes of scenario files.
struct ScenarioChanges: Hashable {
  var changed: [String]
  var new: [String]
  var removed: [String]

  var isEmpty: Bool { changed.isEmpty && new.isEmpty && removed.isEmpty }

  /// The files that are new or changed.
  var touched: Set<String> { Set(changed + new) }

  /// A short description, such as `2 changed, 1 removed: a.json, b.json, c.json`.
  var description: String {
    let counts = [(changed, "changed"), (new, "new"), (removed, "removed")]
      .filter { !$0.0.isEmpty }.map { "\($0.0.count) \($0.1)" }
    let names = (changed + new + removed).sorted()
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return counts.joined(separator: ", ") + ": " + names.prefix(3).joined(separator: ", ") + more
  }
}
