import FoundationEssentials
import Glibc
import HandoverCore
import HandoverLinux
import HandoverReport
import HandoverScenario

/// A problem with a file that cannot be read, and which therefore has no line number.
struct FileProblem: Hashable, CustomStringConvertible {
  var code: FileCode
  var file: String
  var message: String
  var hint: String

  var complaint: Complaint {
    Complaint(.error, code: code.rawValue, file: file, message: message, hint: hint)
  }

  var description: String { complaint.text() }
}

/// A search for scenario files.
struct ScenarioFiles {
  /// The maximum number of files in one run.
  static let maximumCount = 100_000
  /// The maximum number of names of files and folders that one run examines.
  static let maximumNames = 1_000_000

  /// The files to read, sorted by name, without duplicates.
  private(set) var files: [String] = []
  /// The directories that were searched.
  private(set) var directories: [String] = []
  /// The problems with files that cannot be read.
  private(set) var problems: [FileProblem] = []
  /// Whether some of the files are embedded in the executable instead of on disk.
  private(set) var areBundled = false
  /// The number of symbolic links that were skipped because they lead out of the named folder.
  private(set) var skippedLinks = 0
  private var nameCount = 0
  private let mayBeBundled: Bool
  /// The real path of the folder that is searched, or `nil` for a path that was named.
  private var root: String?
  /// The files and directories that were found, under any path.
  private var known: Set<FileIdentity> = []

  /// Finds the scenario files that some paths name.
  ///
  /// A file is used as it is. A directory is searched for `*.json`, except `*.schema.json`.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - mayBeBundled: Whether the embedded scenarios are used if there is no directory Scenarios.
  init(_ paths: [String], mayBeBundled: Bool = false) {
    self.mayBeBundled = mayBeBundled
    for path in paths {
      root = nil
      add(at: Self.withoutTrailingSlashes(path), isNamed: true)
    }
    files.sort()
  }

  private mutating func add(at path: String, isNamed: Bool) {
    // Standard input; a file with that name is ./-.
    if path == "-", isNamed {
      if !files.contains(path) { files.append(path) }
      return
    }
    guard files.count < Self.maximumCount, nameCount < Self.maximumNames else {
      guard !problems.contains(where: { $0.code == .tooManyFiles }) else { return }
      note(
        .tooManyFiles, path,
        "there are more than \(Self.maximumCount) scenario files or \(Self.maximumNames) names",
        "name fewer directories, or run them one after another")
      return
    }
    nameCount += 1
    guard !pointsOutside(path) else {
      skippedLinks += 1
      return
    }
    guard let kind = Self.kind(of: path) else {
      let bundled =
        mayBeBundled && BundledFiles.mayBeMeant(path) ? BundledFiles.files(at: path) : []
      guard bundled.isEmpty else {
        for file in bundled where isNew(file) { files.append(file) }
        areBundled = true
        return
      }
      if mayBeBundled, isNamed, addBundledScenario(path) { return }
      if path == BundledFiles.scenarios {
        note(
          .noSuchPath, path, "this directory has no folder Scenarios",
          "name files or folders, or change to the directory with Scenarios")
        return
      }
      note(
        .noSuchPath, path.isEmpty ? "\"\"" : path, "no such file or directory",
        mayBeBundled && isNamed
          ? "name a file, a folder or an id; `handover list` shows the ids"
          : "check the spelling; paths are relative to the current directory")
      return
    }
    let looksLikeScenario = path.hasSuffix(".json") && !path.hasSuffix(".schema.json")
    switch kind {
    case .directory where path.hasSuffix(".json"):
      note(
        .directoryNamedLikeFile, path, "a directory has the name of a scenario file",
        "rename the directory, because it is not searched")
    case .directory:
      walk(path)
    case .file:
      if isNamed || looksLikeScenario, isNew(path) { files.append(path) }
    case .other:
      guard isNamed || looksLikeScenario else { return }
      note(.notAFile, path, "this is neither a file nor a directory", "name a regular file")
    }
  }

  /// Finds scenarios by an id, or by the beginning of ids.
  ///
  /// An id is a path below the folder of the scenarios. Lists and reports show this id.
  ///
  /// - Returns: Whether there is a scenario or folder with that name.
  private mutating func addBundledScenario(_ id: String) -> Bool {
    guard !id.isEmpty, !id.hasPrefix("/"), !id.hasPrefix("."), !id.hasSuffix(".json") else {
      return false
    }
    for path in ["\(BundledFiles.scenarios)/\(id).json", "\(BundledFiles.scenarios)/\(id)"] {
      let isOnDisk = Self.kind(of: path) != nil
      guard isOnDisk || BundledFiles.mayBeMeant(path) && !BundledFiles.files(at: path).isEmpty
      else { continue }
      add(at: path, isNamed: false)
      return true
    }
    return false
  }

  /// Returns whether a file was not found before, by this or another path.
  private mutating func isNew(_ path: String) -> Bool {
    known.insert(FileIdentity(ofAny: path)).inserted
  }

  /// Returns whether a path in the searched folder is a symbolic link to a target outside of it.
  ///
  /// A folder of scenarios may be a foreign repository, and diagnostics show lines of files.
  private func pointsOutside(_ path: String) -> Bool {
    guard let root else { return false }
    guard FileStatus(ofLink: path)?.isLink ?? false, let target = RealPath.of(path) else {
      return false
    }
    return RealPath.part(of: target, below: root) == nil
  }

  private mutating func walk(_ directory: String) {
    // A link may lead back to a directory that contains it.
    guard isNew(directory) else { return }
    if root == nil { root = RealPath.of(directory) }
    directories.append(directory)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      note(.unreadable, directory, "the directory cannot be read", "check its permissions")
      return
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      if nameCount >= Self.maximumNames, problems.contains(where: { $0.code == .tooManyFiles }) {
        return
      }
      add(at: directory == "/" ? "/\(name)" : "\(directory)/\(name)", isNamed: false)
    }
  }

  /// Reports on standard error how many symbolic links were skipped.
  func reportSkippedLinks() {
    guard skippedLinks > 0 else { return }
    let reason = skippedLinks == 1 ? "it leads" : "they lead"
    printError(
      "note: \(counted(skippedLinks, "symbolic link")) skipped, because \(reason) out of the "
        + "folder; name the target to include it")
  }

  private mutating func note(
    _ code: FileCode, _ file: String, _ message: String, _ hint: String
  ) {
    problems.append(FileProblem(code: code, file: file, message: message, hint: hint))
  }

  fileprivate enum Kind {
    case file
    case directory
    case other
  }

  fileprivate static func kind(of path: String) -> Kind? {
    // A link counts as its target; a dangling link counts as missing.
    FileStatus(path).map { $0.isDirectory ? .directory : $0.isRegular ? .file : .other }
  }

  /// Returns a path without the slashes at its end, except for the root.
  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Reads the bytes of a scenario file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - complain: A closure that receives the complaint if the file cannot be read.
  /// - Returns: The bytes, or `nil` if the file cannot be read or is too long.
  static func bytes(of file: String, _ complain: (Complaint) -> Void) -> [UInt8]? {
    let content =
      file == "-"
      ? BoundedFile.content(of: STDIN_FILENO, atMost: JSONReader.maximumByteCount)
      : BoundedFile.content(of: file)
    switch content {
    case .bytes(let bytes):
      return bytes
    case .tooLarge(let byteCount):
      let atLeast = JSONReader.maximumByteCount + 1
      complain(
        Complaint(ScenarioReader.refusal(ofFile: file, byteCount: byteCount ?? atLeast)))
    case .unreadable(let reason):
      if BundledFiles.mayBeMeant(file), let bytes = BundledFiles.bytes(of: file) { return bytes }
      let hint =
        switch reason {
        case EMFILE, ENFILE: LinuxError(call: file, errno: reason).advice ?? ""
        case _ where file == "-": "redirect a file, as in - < my.json"
        default: "check its permissions"
        }
      complain(
        FileProblem(
          code: .unreadable, file: file,
          message: "the file cannot be read: \(systemErrorText(reason))", hint: hint
        ).complaint)
    }
    return nil
  }
}

extension ScenarioFiles {
  /// Rejects a folder if a command requires a single scenario file; nothing in the folder is read.
  ///
  /// - Throws: ``ExitError`` after an error message.
  static func refuseFolder(_ path: String) throws {
    guard path != "-", kind(of: path) == .directory else { return }
    throw ExitError(
      printing: "\(path): error: this is a folder\n    hint: name one scenario file in it")
  }

  /// Returns the only file that a path names.
  ///
  /// - Throws: ``ExitError`` after an error message if there is none, or if there are several.
  static func only(_ files: [String], of path: String) throws -> String {
    guard let file = files.first else {
      throw ExitError(
        .nothingRan,
        printing: "\(path): error: the file contains no scenario\n    hint: name a scenario file")
    }
    guard files.count == 1 else {
      throw ExitError(
        printing: "\(path): error: this names \(files.count) scenarios\n"
          + "    hint: name one scenario, such as \(file)")
    }
    return file
  }
}

extension Reading {
  /// Returns the only scenario, which a path names, after showing the complaints.
  ///
  /// - Throws: ``ExitError`` if there is none without errors, or if there are several.
  func onlyScenario(of path: String) throws -> Scenario {
    if errorCount > 0 { throw ExitError(.badInput) }
    _ = try ScenarioFiles.only(files, of: path)
    return scenarios[0]
  }
}

/// Scenarios that were read, and the complaints about the other files.
struct Reading {
  var scenarios: [Scenario] = []
  /// Diagnostics and problems, in the order of the files.
  var complaints: [Complaint] = []
  var errorCount = 0
  var warningCount = 0
  /// All files that were examined.
  private(set) var files: [String] = []
  var fileCount: Int { files.count }
  private let printsWarnings: Bool

  /// Reads all files that some paths name.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - printsWarnings: Whether to include complaints about files that can be run nevertheless.
  ///   - tellsOrigin: Whether to report that the embedded scenarios are used.
  init(_ paths: [String], printsWarnings: Bool = false, tellsOrigin: Bool = true) {
    self.printsWarnings = printsWarnings
    let found = ScenarioFiles(paths, mayBeBundled: true)
    for problem in found.problems { add(problem) }
    if tellsOrigin { found.reportSkippedLinks() }
    if found.areBundled, tellsOrigin {
      printError(
        "No Scenarios/ directory here; using the scenarios bundled with handover \(version).")
    }
    var firstFile: [String: String] = [:]
    for file in found.files {
      files.append(file)
      read(file)
      guard let scenario = scenarios.last, scenario.file == file else { continue }
      if let other = firstFile.updateValue(file, forKey: scenario.id) {
        complaints.append(
          Complaint(
            .error, code: FileCode.duplicateID.rawValue, file: file,
            message: "\(SafeText.line(other)) has the same id \"\(scenario.id)\"",
            hint: "change one of the two ids, because results are identified by id"))
        errorCount += 1
        scenarios.removeLast()
      }
    }
  }

  private mutating func read(_ file: String) {
    var complaint: Complaint?
    guard let bytes = ScenarioFiles.bytes(of: file, { complaint = $0 }) else {
      if let complaint { complaints.append(complaint) }
      errorCount += 1
      return
    }
    let reading = ScenarioReader.read(file: file, bytes: bytes) {
      name throws(LinkTrace.Problem) in try TraceFiles.trace(name, of: file)
    }
    let lines = reading.diagnostics.isEmpty ? nil : FileLines(bytes)
    for diagnostic in reading.diagnostics {
      switch diagnostic.severity {
      case .error: errorCount += 1
      case .warning: warningCount += 1
      }
      if printsWarnings || reading.scenario == nil {
        complaints.append(Complaint(diagnostic, in: lines))
      }
    }
    if let scenario = reading.scenario { scenarios.append(scenario) }
  }

  /// Prints the complaints to standard error.
  func showComplaints(_ color: ColorChoice = .auto) { Self.show(complaints, color) }

  static func show(_ complaints: [Complaint], _ color: ColorChoice = .auto) {
    let style = Style.of(.error, color)
    for complaint in complaints {
      StandardStream.error.show(complaint.text(style: style) + "\n", isColored: style.isColored)
    }
  }

  private mutating func add(_ problem: FileProblem) {
    complaints.append(problem.complaint)
    errorCount += 1
  }
}
