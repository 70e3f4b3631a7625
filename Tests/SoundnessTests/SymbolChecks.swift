/// The declarations of the sources that a page can name.
struct DeclaredSymbols: Sendable {
  /// All declared names.
  private var names: Set<String> = []
  /// The names declared in the files that declare or extend a type, by the type's name.
  private var members: [String: Set<String>] = [:]

  init(_ sources: [SourceFile]) {
    for file in sources {
      let declared = file.declaredNames
      names.formUnion(declared.all)
      for type in declared.types { members[type, default: []].formUnion(declared.all) }
    }
  }

  /// Whether a name exists: `Type`, `member`, or `Type.member` if the member is in a file of that
  /// type.
  func has(_ name: [Substring]) -> Bool {
    guard name.count > 1 else { return name.allSatisfy { names.contains(String($0)) } }
    return zip(name, name.dropFirst()).allSatisfy { type, member in
      members[String(type)]?.contains(String(member)) == true
    }
  }
}

/// Checks that every name between backticks on a page exists.
///
/// Names are symbols of the sources, or files. Text with spaces or other characters is a command or
/// an example, and is ignored.
func checkSymbols(
  path: String, text: String, symbols: DeclaredSymbols, targets: Set<String>, paths: [String],
  sources: [(path: String, text: String)]
) -> [Complaint] {
  func isPresent(_ span: Substring) -> Bool {
    if paths.contains(where: { "/\($0)/".contains("/\(span)/") }) { return true }
    guard !span.contains("/") else { return false }
    let name = span.prefix { $0 != "(" }.split(separator: ".", omittingEmptySubsequences: false)
    if name.count == 1, targets.contains(String(span)) || symbols.has(name) { return true }
    // An environment variable, or a constant of the system.
    if span.allSatisfy({ $0.isUppercase || $0 == "_" }) {
      return sources.contains { $0.text.contains(span) }
    }
    return name.count > 1 && symbols.has(name)
  }
  return codeSpans(text).filter { span in
    span.text.wholeMatch(of: /[A-Za-z_.][A-Za-z0-9_.+\/]*(\([A-Za-z_:]*\))?/) != nil
      && !isPresent(span.text)
  }.map { span in
    Complaint(
      path: path, line: span.line, what: "\(span.text) does not exist",
      why: "readers cannot find the name", remedy: "name its replacement, or remove the line")
  }
}

/// The public functions and initializers, from the recorded interfaces of the libraries.
struct PublicFunctions: Sendable {
  /// The labels of the parameters of each function, by its base name; initializers have the name of
  /// their type.
  private var labels: [String: [[Substring]]] = [:]

  /// Reads recorded interfaces, whose lines begin with a name such as `Type.function(_:label:)`.
  init(_ interfaces: [String]) {
    for interface in interfaces {
      for match in interface.matches(of: /(?m)^([\w.]+)\(((?:\w+:)+)\):/) {
        let name = match.output.1.split(separator: ".").filter { $0 != "init" }
        guard let base = name.last else { continue }
        labels[String(base), default: []].append(match.output.2.split(separator: ":"))
      }
    }
  }

  /// Whether a function has these labels in this order, with or without others.
  func has(_ name: String, _ wanted: [Substring]) -> Bool {
    labels[name, default: []].contains { all in
      var left = wanted[...]
      for label in all where label == left.first { left.removeFirst() }
      return left.isEmpty
    }
  }
}

/// Checks that every function with labels between backticks on a page is public.
///
/// A page may omit parameters that have a default.
func checkFunctions(path: String, text: String, functions: PublicFunctions) -> [Complaint] {
  codeSpans(text).compactMap { span in
    guard let match = span.text.wholeMatch(of: /\.?(?:\w+\.)*(\w+)\(((?:\w+:)+)\)/),
      !functions.has(String(match.output.1), match.output.2.split(separator: ":"))
    else { return nil }
    return Complaint(
      path: path, line: span.line, what: "`\(span.text)` is not public",
      why: "readers cannot call the function", remedy: "name its replacement, or remove the line")
  }
}

extension SourceFile {
  /// The declarations of the file: every name, and the types that it declares or extends.
  var declaredNames: (all: Set<String>, types: Set<String>) {
    var all: Set<String> = []
    var types: Set<String> = []
    for (index, token) in tokens.enumerated() {
      if token.isKeyword("init") { all.insert("init") }
      guard let next = self.token(index + 1), next.isWord else { continue }
      if ["struct", "class", "enum", "protocol", "actor", "extension"].contains(token.text) {
        // `extension A.B` counts as an extension of both A and B.
        var at = index + 1
        while let part = self.token(at), part.isWord {
          types.insert(part.text)
          all.insert(part.text)
          guard self.token(at + 1)?.text == "." else { break }
          at += 2
        }
      } else if ["func", "var", "let", "typealias", "associatedtype"].contains(token.text) {
        all.insert(next.text)
      } else if token.text == "case" {
        all.formUnion(cases(after: index))
      }
    }
    return (all, types)
  }

  /// Returns the names after a `case`, separated by commas.
  private func cases(after index: Int) -> [String] {
    var names: [String] = []
    var at = index + 1
    while let token = token(at), token.isWord {
      names.append(token.text)
      at += 1
      if self.token(at)?.text == "(", let close = closingBracket(of: at) { at = close + 1 }
      guard self.token(at)?.text == "," else { break }
      at += 1
    }
    return names
  }
}
