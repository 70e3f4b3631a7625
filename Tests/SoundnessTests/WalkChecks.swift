/// A walk through the files that a page draws as a tree, in which the caller is above its callees.
struct DrawnWalk: Hashable, Sendable {
  /// One file on the walk.
  struct Step: Hashable, Sendable {
    /// The number before the step.
    var number: Int
    var indentation: Int
    /// The name of the file, without its folder and its extension.
    var file: String
    /// The called symbol.
    var symbol: String
    /// The line of the page.
    var line: Int
    /// The caller, by its index among the steps, or `nil` at the margin.
    var caller: Int?
  }

  var steps: [Step] = []

  /// Parses the walk in the blocks of a page.
  init(_ text: String) {
    var isBlock = false
    // The latest step of each depth, whose callees may follow.
    var open: [Int] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isBlock.toggle() }
      guard isBlock, let found = line.wholeMatch(of: Self.notation) else { continue }
      let indentation = found.output.2.count
      while let last = open.last, steps[last].indentation >= indentation { open.removeLast() }
      steps.append(
        Step(
          number: Int(found.output.1) ?? 0, indentation: indentation,
          file: String(found.output.3), symbol: String(found.output.4), line: index + 1,
          caller: open.last))
      open.append(steps.count - 1)
    }
  }

  /// The notation of a step: `12   File+Part: symbol   what happens`.
  private static var notation: Regex<(Substring, Substring, Substring, Substring, Substring)> {
    /\ *([0-9]+)( +)([A-Za-z]+(?:\+[A-Za-z]+)?): ([A-Za-z]+) {2,}[^ ].*/
  }
}

/// Checks that a walk on a page visits existing files, each once, and that each file calls the
/// next.
///
/// - Parameters:
///   - path: The page.
///   - text: The text of the page.
///   - sources: The source files.
///   - limit: The maximum number of files on the walk.
///   - callers: The folder of the files that call the steps at the margin.
/// - Returns: A complaint for each error.
func checkWalk(
  path: String, text: String, sources: [SourceFile], limit: Int, calledFrom callers: String
) -> [Complaint] {
  let steps = DrawnWalk(text).steps
  var complaints: [Complaint] = []
  func complain(_ step: DrawnWalk.Step, _ what: String, _ remedy: String) {
    complaints.append(
      Complaint(
        path: path, line: step.line, what: what,
        why: "the walk must match the code", remedy: remedy))
  }
  func files(_ name: String) -> [SourceFile] {
    sources.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix("/\(name).swift") }
  }
  for (index, step) in steps.enumerated() {
    if step.number != index + 1 {
      complain(step, "\(step.file) is not number \(step.number)", "number the steps in order")
    }
    if index >= limit {
      complain(step, "the walk enters over \(limit) files", "shorten the walk")
    }
    if steps[..<index].contains(where: { $0.file == step.file }) {
      complain(step, "\(step.file) is entered again", "visit it once")
    }
    let own = files(step.file)
    guard own.count == 1 else {
      complain(step, "there are \(own.count) files \(step.file)", "name an existing file")
      continue
    }
    if !own[0].declaredNames.all.contains(step.symbol) {
      complain(step, "\(step.file) does not declare \(step.symbol)", "name the called symbol")
    }
    // `callAsFunction` is called by the name of its type.
    let called = step.symbol == "callAsFunction" ? step.file : step.symbol
    let above = step.caller.map { files(steps[$0].file) }
    let calling = above ?? sources.filter { $0.path.hasPrefix(callers) }
    if !calling.contains(where: { $0.calls(called) }) {
      complain(
        step, "\(step.caller.map { steps[$0].file } ?? callers) does not call \(called)",
        "draw the step below the file that calls it")
    }
  }
  return complaints
}

extension SourceFile {
  /// Whether a symbol with that name is called in the file.
  fileprivate func calls(_ name: String) -> Bool {
    tokens.indices.contains { index in
      tokens[index].text == name && token(index + 1)?.text == "("
        && token(index - 1)?.text != "func"
    }
  }
}
