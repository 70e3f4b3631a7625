import Foundation

/// The files of the repository, read once for all checks.
struct Tree: Sendable {
  /// Every file that git tracks or would add, from the root of the package, in order.
  let paths: [String]
  /// The contents of the text files.
  let texts: [(path: String, text: String)]
  /// The Swift files among them.
  let sources: [SourceFile]

  /// Returns the tree that contains this file.
  static func current() throws -> Tree { try shared.get() }

  private static let shared = Result { try Tree(root: root) }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private init(root: URL) throws {
    paths = try Self.listedFiles(root: root)
    texts = paths.compactMap { path in
      guard let data = try? Data(contentsOf: root.appending(path: path)),
        let text = String(data: data, encoding: .utf8)
      else { return nil }
      return (path, text)
    }
    sources = texts.filter { $0.path.hasSuffix(".swift") }.map {
      SourceFile(path: $0.path, text: $0.text)
    }
  }

  /// The folders directly under Sources that contain a Swift file.
  var targetFolders: Set<String> { Set(sources.compactMap(\.target)) }

  /// Returns the contents of the file at the path.
  func text(of path: String) throws -> String {
    guard let found = texts.first(where: { $0.path == path }) else {
      throw TreeError(description: "\(path) does not exist")
    }
    return found.text
  }

  /// Returns the files that git lists, without ignored and deleted ones.
  private static func listedFiles(root: URL) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = root
    process.arguments = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TreeError(description: "git could not list the files; run this in a clone")
    }
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
      .sorted()
  }
}

/// The tree could not be read.
struct TreeError: Error, CustomStringConvertible {
  var description: String
}
