import Foundation

/// The root of the package.
let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// One run of the built command, as a user would start it.
struct CommandLineRun {
  var status: Int32
  var output: String
  var errors: String

  /// The output from the failures on.
  ///
  /// A report begins with a line for each scenario, and a test shows only the beginning of a long
  /// string.
  var failures: String {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0 == "Failed" || $0 == "Without a verdict (ERROR)" } ?? 0
    return lines[start...].joined(separator: "\n") + errors
  }

  /// The command that `swift test` built together with these tests.
  static let command = products.appending(path: "handover")

  /// The directory of the build products.
  private static var products: URL {
    // On Linux the tests are a separate executable, in a scratch path that the caller chooses.
    Bundle.main.bundleURL
  }

  /// Creates the result of a run that has ended.
  init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs the command in the root of the package.
  init(
    _ arguments: String..., environment: [String: String] = [:], as user: UInt32? = nil
  ) throws {
    try self.init(arguments, environment: environment, as: user)
  }

  init(
    command: URL = Self.command, _ arguments: [String], environment: [String: String] = [:],
    as user: UInt32? = nil
  ) throws {
    let process = Process()
    process.executableURL = command
    process.arguments = arguments
    if let user {
      // setpriv (util-linux) drops root permanently before the command starts.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", command.path] + arguments
    }
    var all = ProcessInfo.processInfo.environment
    for name in [
      "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS", "GITHUB_STEP_SUMMARY",
    ] {
      all[name] = nil
    }
    process.environment = all.merging(environment) { $1 }
    process.currentDirectoryURL = packageRoot
    // Files instead of pipes, because a full pipe would block the command.
    let scratch = try ScratchDirectory()
    let (out, err) = (scratch.url.appending(path: "out"), scratch.url.appending(path: "err"))
    for file in [out, err] { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try Data(contentsOf: out), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: err), as: UTF8.self)
  }
}

/// A temporary directory that is deleted with its owner.
final class ScratchDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "handover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns a copy of the command that every user can reach, wherever the package is.
  func copyOfCommand() throws -> URL {
    let copy = url.appending(path: "handover")
    try FileManager.default.copyItem(at: CommandLineRun.command, to: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy.path)
    return copy
  }

  /// Writes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
