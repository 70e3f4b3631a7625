/// Checks that a pure target uses nothing that differs between two runs.
///
/// A lock decides nothing, so the table may allow one to guard what its user's threads share.
func checkPurity(_ file: SourceFile, table: [String: ModuleArrows]) -> [Complaint] {
  guard let part = file.part(in: table), let arrows = table[part], arrows.isPure else { return [] }
  let mayLock = arrows.platform.contains("Synchronization")
  return file.tokens.indices.compactMap { index in
    let token = file.tokens[index]
    guard token.isWord, !token.isQuoted, !(mayLock && token.text == "Mutex"),
      let ban = Ban.words[token.text],
      ban.meets(file, index)
    else { return nil }
    return file.complaint(
      line: token.line, "\(part) uses \(ban.spelling)", why: ban.why, remedy: ban.remedy)
  }
}

/// Returns the names of the constants of profiles and transports.
func constantsOfParts(_ files: [SourceFile]) -> Set<String> {
  Set(
    files.filter { $0.target != nil }.flatMap { file in
      file.tokens.indices.compactMap { index in
        guard file.tokens[index].text == "static" else { return nil }
        let words = (1..<5).map { file.token(index + $0)?.text }
        guard words[0] == "let", words[2] == "=",
          words[3] == "Profile" || words[3] == "TransportModel"
        else { return nil }
        return words[1]
      }
    })
}

/// Checks that no code compares a profile or a transport with a particular one.
///
/// Every difference is a property of the profile, so that a new profile needs no change elsewhere.
///
/// - Parameters:
///   - file: The file.
///   - constants: The constants of both types; see ``constantsOfParts(_:)``.
/// - Returns: A complaint for each comparison.
func checkParts(_ file: SourceFile, constants: Set<String>) -> [Complaint] {
  guard file.target != nil, !file.path.hasPrefix("Sources/HandoverCore/Machines/Profile/") else {
    return []
  }
  return file.tokens.indices.compactMap { index in
    guard
      file.comparesParts(at: index, constants) || file.comparesName(at: index)
        || file.switchesOverPart(at: index)
    else { return nil }
    return file.complaint(
      line: file.tokens[index].line, "compares with a particular profile or transport",
      why: "a new profile would need a change here too",
      remedy: "give the Profile or TransportModel a property for it")
  }
}

extension SourceFile {
  /// Whether `==` or `!=` is at an index.
  ///
  /// An operator is split into its characters.
  private func isComparison(at index: Int) -> Bool {
    ["=", "!"].contains(tokens[index].text) && token(index + 1)?.text == "="
      && token(index + 1)?.followsSpace == false
  }

  /// Whether a constant is at an index, with or without its type.
  private func isConstant(at index: Int, _ constants: Set<String>) -> Bool {
    if ["Profile", "TransportModel"].contains(token(index)?.text) {
      return token(index + 1)?.text == "."
    }
    return token(index)?.text == "." && token(index + 1).map { constants.contains($0.text) } == true
  }

  /// Whether a comparison like `… == .sockets` or `profile.transport == …` is at an index.
  fileprivate func comparesParts(at index: Int, _ constants: Set<String>) -> Bool {
    guard isComparison(at: index) else { return false }
    let isOfProfile = token(index - 1)?.text == "transport" && token(index - 3)?.text == "profile"
    return isOfProfile || isConstant(at: index + 2, constants)
  }

  /// Whether a comparison like `profile.name == "sockets"`, or `transport.name != …` with a string
  /// or a constant's name, is at an index.
  fileprivate func comparesName(at index: Int) -> Bool {
    guard isComparison(at: index), token(index - 1)?.text == "name",
      ["profile", "transport"].contains(token(index - 3)?.text), let right = token(index + 2)
    else { return false }
    return right.text.hasPrefix("\"") || ["Profile", "TransportModel", "."].contains(right.text)
  }

  /// Whether a switch over a profile or transport, with cases like `case .sockets`, is at an index.
  fileprivate func switchesOverPart(at index: Int) -> Bool {
    guard tokens[index].isKeyword("switch") else { return false }
    let subject = (1...8).prefix { token(index + $0)?.text != "{" }
    guard let last = subject.last, last < 8 else { return false }
    return ["profile", "transport"].contains(token(index + last)?.text)
      && token(index + last + 1)?.text == "{"
  }
}

/// Checks that the switches of the state machines, and of their events, list every case.
func checkDefaults(_ file: SourceFile) -> [Complaint] {
  let parts = ["HandoverCore/Machines", "HandoverCore/Dispatcher", "HandoverCore/Script"]
  guard let part = parts.first(where: { file.path.hasPrefix("Sources/\($0)/") }) else { return [] }
  return file.tokens.indices.compactMap { index in
    // After a parenthesis or a comma it is an argument label.
    guard file.tokens[index].isKeyword("default"), file.token(index + 1)?.text == ":",
      !["(", ","].contains(file.token(index - 1)?.text)
    else { return nil }
    return file.complaint(
      line: file.tokens[index].line, "a switch of \(part) has a default",
      why: "a new case must fail to compile everywhere it matters", remedy: "list every case")
  }
}

/// Checks that dictionaries and sets in pure targets are marked as used for lookups only.
///
/// Their order differs from process to process.
func checkHashedCollections(
  _ file: SourceFile, table: [String: ModuleArrows]
) -> [Complaint] {
  guard let part = file.part(in: table), table[part]?.isPure == true else { return [] }
  var complaints: [Complaint] = []
  for index in file.tokens.indices {
    let token = file.tokens[index]
    let spelling: String
    if token.isKeyword("Dictionary") || token.isKeyword("Set") {
      spelling = token.text
    } else if token.text == "[", file.isDictionary(at: index) {
      spelling = "a dictionary"
    } else {
      continue
    }
    guard !file.isAnnotated("// lookup only", line: token.line) else { continue }
    let complaint = file.complaint(
      line: token.line, "\(part) has \(spelling)",
      why: "its order differs from process to process",
      remedy: "use a sorted array, or add `// lookup only` if no code iterates over it")
    if complaints.last != complaint { complaints.append(complaint) }
  }
  return complaints
}

extension SourceFile {
  /// Whether the bracket at the index opens `[Key: Value]`, or a literal of a variable with an
  /// inferred type.
  fileprivate func isDictionary(at open: Int) -> Bool {
    // Directly after a name or a closing bracket it is a subscript.
    if let before = token(open - 1), !tokens[open].followsSpace,
      before.isWord || [")", "]", "}", "?", "!"].contains(before.text)
    {
      return false
    }
    guard let close = closingBracket(of: open), let colon = topLevelColon(from: open, to: close)
    else { return false }
    if token(open - 1)?.text == "=", token(open - 2)?.isWord == true,
      ["let", "var"].contains(token(open - 3)?.text)
    {
      return true
    }
    return isTypeStart(open + 1) && isTypeStart(colon + 1)
  }

  private func topLevelColon(from open: Int, to close: Int) -> Int? {
    var depth = 0
    for index in open + 1..<close {
      switch tokens[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      // A ternary operator: a colon after it separates two values.
      case "?" where depth == 0 && tokens[index].followsSpace: return nil
      case ":" where depth == 0: return index
      default: break
      }
    }
    return nil
  }

  private func isTypeStart(_ index: Int) -> Bool {
    guard let token = token(index) else { return false }
    if token.isWord {
      return ["any", "some"].contains(token.text) || token.text.first?.isUppercase == true
    }
    return token.text == "[" || token.text == "("
  }
}

/// A word that pure targets must not use.
private struct Ban: Sendable {
  /// The uses of a word that are forbidden.
  ///
  /// Other uses may be harmless names.
  enum Form: Sendable {
    /// Every use.
    case word
    /// A call of a free function.
    case freeFunction
    /// A member, without a generator among its arguments.
    case drawing
    /// The present time of a clock or a type; not a member of other values.
    case presentTime
    /// A member.
    case member
  }

  var form: Form
  var spelling: String
  var why: String
  var remedy: String

  static let words: [String: Ban] = {
    var bans: [String: Ban] = [:]
    func ban(
      _ words: [String], _ form: Form = .word, prefix: String = "", suffix: String = "",
      why: String, remedy: String
    ) {
      for word in words {
        bans[word] = Ban(
          form: form, spelling: prefix + word + suffix, why: why, remedy: remedy)
      }
    }
    ban(
      ["async", "await", "actor", "Task", "Thread", "Mutex"],
      why: "pure code is synchronous, and a separate loop drives it",
      remedy: "return effects and let the driver wait")
    ban(
      ["now"], .presentTime, prefix: ".",
      why: "time is passed in", remedy: "take an Instant as a parameter")
    ban(
      ["Date", "ContinuousClock", "SuspendingClock"],
      why: "time is passed in", remedy: "take an Instant as a parameter")
    ban(
      ["random", "randomElement", "shuffled", "shuffle"], .drawing, prefix: ".",
      suffix: "(…) without using:",
      why: "one seed must give one run", remedy: "use the run's SeededGenerator")
    ban(
      ["SystemRandomNumberGenerator"],
      why: "one seed must give one run", remedy: "use the run's SeededGenerator")
    ban(
      ["hashValue"], .member, prefix: ".",
      why: "hashes differ from process to process", remedy: "compute a separate digest")
    ban(
      ["Double", "Float", "Float16", "Float32", "Float64", "Float80", "CGFloat"],
      why: "rounding must not affect decisions", remedy: "use integers: Interval, counts, ratios")
    ban(
      ["print", "debugPrint", "dump", "readLine"], .freeFunction, suffix: "(",
      why: "only the command does input and output", remedy: "return a value that it can print")
    ban(
      ["CommandLine"],
      why: "only the command does input and output", remedy: "pass the value in as a parameter")
    return bans
  }()

  /// Whether the word at the index is a forbidden use.
  func meets(_ file: SourceFile, _ index: Int) -> Bool {
    let isMember = file.token(index - 1)?.text == "."
    let isCalled = file.token(index + 1)?.text == "("
    switch form {
    case .word:
      return true
    case .freeFunction:
      let isOfStandardLibrary = isMember && file.token(index - 2)?.text == "Swift"
      return isCalled && file.token(index - 1)?.text != "func" && (!isMember || isOfStandardLibrary)
    case .drawing:
      guard isMember, isCalled, let close = file.closingBracket(of: index + 1) else { return false }
      return !file.tokens[index + 1..<close].contains { $0.isKeyword("using") }
    case .presentTime:
      guard isMember, let owner = file.token(index - 2) else { return false }
      if file.tokens[index - 1].followsSpace || !owner.isWord { return true }
      return owner.text.first?.isUppercase == true || owner.text.lowercased().hasSuffix("clock")
    case .member:
      return isMember
    }
  }
}
