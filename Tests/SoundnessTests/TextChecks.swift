import Foundation

/// The limits of length.
enum Limit {
  static let columns = 100
  static let functionLines = 70
  static let fileLines = 600
}

/// Checks that the lexer understood the file, because otherwise the other checks prove nothing.
func checkUnderstood(_ file: SourceFile) -> [Complaint] {
  guard !file.isUnderstood else { return [] }
  return [
    file.complaint(
      line: file.lines.count, "a string or comment does not seem to end",
      why: "the rest of the file is not checked", remedy: "write it more simply, or fix Lexer.swift"
    )
  ]
}

/// Checks the lengths of lines, functions and the file.
func checkLengths(_ file: SourceFile) -> [Complaint] {
  var complaints: [Complaint] = []
  let linesOfCode = Set(file.tokens.map(\.line))
  for (index, line) in file.lines.enumerated()
  where line.utf8.count > Limit.columns && line.count > Limit.columns {
    // Text that is neither code nor comment is inside a literal, whose lines may have any length.
    let isComment = file.comments[index].contains { $0 != " " }
    guard linesOfCode.contains(index + 1) || isComment else { continue }
    complaints.append(
      file.complaint(
        line: index + 1, "\(line.count) columns, over \(Limit.columns)",
        why: "files are compared side by side", remedy: "break it"))
  }
  let lineCount = file.lines.count - (file.lines.last?.isEmpty == true ? 1 : 0)
  if lineCount > Limit.fileLines {
    complaints.append(
      file.complaint(
        line: lineCount, "\(lineCount) lines, over \(Limit.fileLines)",
        why: "one file covers one subject", remedy: "split it (`Type+Role.swift`)"))
  }
  for function in file.functions {
    let length = function.lastLine - function.firstLine + 1
    guard length > Limit.functionLines,
      !file.isAnnotated("// long: ", line: function.firstLine)
    else { continue }
    complaints.append(
      file.complaint(
        line: function.firstLine,
        "\(function.name) has \(length) lines, over \(Limit.functionLines)",
        why: "a function should fit on one screen",
        remedy: "split it, or give the reason above it in a comment `// long: reason`"))
  }
  return complaints
}

/// Checks that a comment leaves no unfinished work without an issue number.
///
/// A word in backticks is only mentioned.
func checkLeftovers(_ file: SourceFile) -> [Complaint] {
  file.comments.enumerated().flatMap {
    leftovers(path: file.path, line: $0.offset + 1, comment: $0.element)
  }
}

/// Checks the whole text of a script.
///
/// A `.txt` file that the command writes as a template for users may contain such marks.
func checkLeftovers(path: String, text: String) -> [Complaint] {
  guard isScript(path: path, text: text), !path.hasSuffix(".txt") else { return [] }
  return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
    leftovers(path: path, line: $0.offset + 1, comment: String($0.element))
  }
}

private func leftovers(path: String, line: Int, comment: String) -> [Complaint] {
  guard comment.contains("TODO") || comment.contains("FIXME") else { return [] }
  let meant = comment.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
  var complaints: [Complaint] = []
  if meant.contains("FIXME") {
    complaints.append(
      Complaint(
        path: path, line: line, what: "FIXME", why: "known bugs are fixed before they are merged",
        remedy: "fix it"))
  }
  if meant.contains(/TODO(?![ (]*#[0-9])/) {
    complaints.append(
      Complaint(
        path: path, line: line, what: "TODO without a number",
        why: "it would be forgotten", remedy: "open an issue and write `TODO(#12): …`"))
  }
  return complaints
}

/// Checks that a tracked text contains no path that exists on one machine only.
func checkMachinePaths(path: String, text: String) -> [Complaint] {
  var positions = ["work", "home", "root"].map { "/\($0)/" }
  let makesItsOwn = isScript(path: path, text: text) && text.contains("mktemp")
  if !path.hasPrefix("Tests/"), !makesItsOwn { positions.append("/\("tmp")/") }
  return occurrences(of: positions, in: text).compactMap {
    // Inside a longer path the same letters are an ordinary folder.
    if let before = $0.before, before.isLetter || before.isNumber || "._-~}*)".contains(before) {
      return nil
    }
    return Complaint(
      path: path, line: $0.line, what: "\($0.needle) is a path on one machine",
      why: "the package must work wherever it is cloned",
      remedy: "derive the path from the file's own path, or use mktemp")
  }
}

/// Checks that a tracked text names no host of a package registry, except the dependencies in
/// Package.swift.
func checkRegistries(path: String, text: String) -> [Complaint] {
  let hosts = [
    ["github", "com"], ["githubusercontent", "com"], ["ghcr", "io"], ["pypi", "org"],
    ["pythonhosted", "org"], ["debian", "org"], ["ubuntu", "com"], ["npmjs", "org"],
    ["npmjs", "com"], ["crates", "io"], ["golang", "org"], ["maven", "org"], ["rubygems", "org"],
    ["docker", "io"], ["docker", "com"], ["quay", "io"], ["swiftpackageindex", "com"],
  ].map { $0.joined(separator: ".") }
  return occurrences(of: hosts, in: text).compactMap {
    if let before = $0.before, before.isLetter || before.isNumber || before == "-" { return nil }
    if path.split(separator: "/").last == "Package.swift", $0.needle == hosts[0],
      $0.text.contains(".package(url:")
    {
      return nil
    }
    // Pages link to specifications, bug reports and other projects on the forge. Some pages are
    // made from data by a script.
    let makesPages = [".md", ".json", ".py"].contains { path.hasSuffix($0) }
    if makesPages, $0.needle == hosts[0], $0.text.contains("](https://\(hosts[0])/") {
      return nil
    }
    // The import path of a Go package begins with a host.
    if path.hasSuffix(".go"), $0.text.hasPrefix("\t\"") {
      return nil
    }
    return Complaint(
      path: path, line: $0.line, what: "\($0.needle) is the host of a package registry",
      why: "each machine configures where packages come from",
      remedy: "name the package only")
  }
}

/// Checks that a file is of a kind that belongs in the repository.
func checkTracked(path: String) -> [Complaint] {
  func complaint(_ what: String, _ why: String, _ remedy: String) -> [Complaint] {
    [Complaint(path: path, line: 1, what: what, why: why, remedy: remedy)]
  }
  let parts = path.split(separator: "/")
  let name = parts.last ?? ""
  if name == "Package.resolved" {
    return complaint(
      "Package.resolved is tracked", "the users of a library choose the versions",
      "git rm --cached")
  }
  if parts.contains(where: { $0.hasPrefix(".build") }) {
    return complaint("a build folder is tracked", "it belongs to one machine", "git rm --cached -r")
  }
  let compiled = [".o", ".swiftmodule", ".swiftdoc", ".swiftsourceinfo"]
  if compiled.contains(where: { name.hasSuffix($0) }) {
    return complaint("a compiled file is tracked", "it belongs to one machine", "git rm --cached")
  }
  // A forge accepts workflows only as YAML.
  if name.hasSuffix(".yml") || name.hasSuffix(".yaml"), parts.first != ".github" {
    return complaint("a YAML file", "the project uses only JSON", "write it as JSON")
  }
  return []
}

/// Whether a text is run by a shell, an interpreter or make.
private func isScript(path: String, text: String) -> Bool {
  let name = path.split(separator: "/").last ?? ""
  return text.hasPrefix("#!") || name == "Makefile" || name.hasSuffix(".sh")
    || name.hasSuffix(".py") || name.hasSuffix(".mk")
}

/// A needle on a line of a text.
private struct Occurrence {
  var needle: String
  /// The line, counted from 1.
  var line: Int
  /// The text of the line.
  var text: Substring
  /// The character directly before the needle, or `nil` at the start of the line.
  var before: Character?
}

/// Returns the occurrences of each needle in a text, needle by needle.
private func occurrences(of needles: [String], in text: String) -> [Occurrence] {
  // Few texts contain any needle, and only `Data` searches fast enough in a debug build.
  let bytes = Data(text.utf8)
  let present = needles.filter { bytes.range(of: Data($0.utf8)) != nil }
  guard !present.isEmpty else { return [] }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return present.flatMap { needle in
    lines.enumerated().flatMap { index, line in
      line.ranges(of: needle).map { range in
        let before = line[..<range.lowerBound].last
        return Occurrence(needle: needle, line: index + 1, text: line, before: before)
      }
    }
  }
}

extension SourceFile {
  /// A function with a body; nested functions count separately too.
  struct Function: Hashable, Sendable {
    var name: String
    var firstLine: Int
    var lastLine: Int
  }

  /// Every `func` and `init` with a body.
  var functions: [Function] {
    tokens.indices.compactMap { index in
      let token = tokens[index]
      let isInitializer = token.isKeyword("init")
      guard isInitializer || token.isKeyword("func"), self.token(index - 1)?.text != ".",
        let open = bodyStart(after: index), let close = closingBracket(of: open)
      else { return nil }
      let name = isInitializer ? "init" : tokens[index + 1].text
      return Function(name: name, firstLine: token.line, lastLine: tokens[close].line)
    }
  }

  /// Returns the index of the brace that opens the body of the declaration at the index, or `nil`
  /// if it has none.
  private func bodyStart(after declaration: Int) -> Int? {
    var depth = 0
    for index in declaration + 1..<tokens.count {
      let token = tokens[index]
      switch token.text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0: return index
      case "}" where depth == 0: return nil
      default:
        // A protocol requirement ends at the next declaration.
        if depth == 0, index > declaration + 1, token.isWord, !token.isQuoted,
          token.line > tokens[index - 1].line, declarationWords.contains(token.text)
        {
          return nil
        }
      }
    }
    return nil
  }
}

private let declarationWords: Set<String> = [
  "actor", "associatedtype", "case", "class", "deinit", "enum", "extension", "fileprivate", "final",
  "func", "init", "internal", "let", "mutating", "nonisolated", "nonmutating", "package",
  "private", "protocol", "public", "static", "struct", "subscript", "typealias", "var",
]

/// Checks that the files and folders that a page names in backticks exist.
///
/// The first column of the tab-separated table of mutants is checked too.
func checkNamedPaths(path: String, text: String, paths: [String]) -> [Complaint] {
  let isTable = path == "Tests/Tools/mutants-equal"
  guard isTable || path.hasSuffix(".md") else { return [] }
  let found = Set(paths)
  let expression =
    isTable
    ? /^(?<path>[^\t ]+)\t/ : /`(?<path>(?:Sources|Tests|Fixtures|Scenarios)\/[^`\s*…<>{}]*)`/
  return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
    index, line in
    line.matches(of: expression).compactMap { match -> Complaint? in
      let named = String(match.path)
      let folder = named.hasSuffix("/") ? named : named + "/"
      guard !found.contains(named), !paths.contains(where: { $0.hasPrefix(folder) }) else {
        return nil
      }
      return Complaint(
        path: path, line: index + 1, what: "\(named) does not exist",
        why: "readers cannot find the file",
        remedy: "name its present path, or remove the line")
    }
  }
}
