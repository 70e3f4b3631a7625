/// What the files of a target, or of one folder of a target, may use.
///
/// Dependencies run downward only.
struct ModuleArrows: Hashable, Sendable {
  /// Targets of this package, and folders with an entry of their own.
  var targets: Set<String> = []
  /// Products of other packages, each a module with that name.
  var products: Set<String> = []
  /// Modules of the toolchain.
  var platform: Set<String> = []
  /// Whether the code must give the same result at any time and place.
  ///
  /// Pure code uses no clock, thread, unseeded randomness, floating point or hash order.
  var isPure = true

  /// Everything that the files may import.
  var imports: Set<String> { targets.union(products).union(platform) }

  /// The allowed dependencies of every target under Sources.
  ///
  /// A folder of a target has an entry of its own, such as "HandoverCore/Trace", if it may use
  /// fewer parts of its target than the compiler allows. Add a new target or dependency here and in
  /// Package.swift, and give the reason in the commit.
  static let table: [String: ModuleArrows] = [
    "HandoverCore": ModuleArrows(),
    "HandoverCore/JSON": ModuleArrows(),
    "HandoverCore/Machines": ModuleArrows(),
    // The state machines of requests need the common base of all state machines, and no scripts.
    "HandoverCore/Dispatcher": ModuleArrows(targets: ["HandoverCore/Machines"]),
    // The decisions of a thread pool, for real threads and for simulated ones.
    "HandoverCore/ThreadPool": ModuleArrows(),
    "HandoverCore/Script": ModuleArrows(
      targets: ["HandoverCore/Machines", "HandoverCore/Dispatcher"]),
    "HandoverCore/Trace": ModuleArrows(
      targets: [
        "HandoverCore/JSON", "HandoverCore/Machines", "HandoverCore/Dispatcher",
        "HandoverCore/Script",
      ]),
    // The specifications' sentences as predicates over histories; it shares no code with the state
    // machines.
    "HandoverReference": ModuleArrows(),
    "HandoverInterceptors": ModuleArrows(
      targets: ["HandoverCore"], products: ["DequeModule"], platform: ["Synchronization"]),
    "HandoverInterceptors/Runtime": ModuleArrows(
      targets: ["HandoverCore", "HandoverInterceptors"], platform: ["Dispatch", "Synchronization"],
      isPure: false),
    // Threads, locks and a system clock. The decisions are in a state machine without them.
    "HandoverThreadPool": ModuleArrows(
      targets: ["HandoverCore"], platform: ["Darwin", "Glibc", "Musl"], isPure: false),
    // The dispatcher runs on top of Foundation's URL loading.
    "HandoverURLDispatcher": ModuleArrows(
      targets: ["HandoverCore", "HandoverThreadPool"],
      platform: ["Dispatch", "Foundation", "FoundationNetworking", "Synchronization"],
      isPure: false),
    // The verdict on an observed program.
    "HandoverTry": ModuleArrows(targets: ["HandoverCore"]),
    "HandoverScenario": ModuleArrows(targets: ["HandoverCore"]),
    "HandoverBackend": ModuleArrows(targets: ["HandoverCore"], isPure: false),
    "HandoverEngine": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverBackend"]),
    "HandoverSimulation": ModuleArrows(
      targets: ["HandoverCore", "HandoverBackend", "HandoverInterceptors"]),
    "HandoverNIO": ModuleArrows(
      targets: ["HandoverCore", "HandoverBackend"],
      products: ["NIOCore", "NIOPosix"], platform: ["Darwin", "Glibc", "Musl"], isPure: false),
    "HandoverReport": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverTry"]),
    // All states of a client, and of a whole world. Counterexamples are scenarios.
    "HandoverExploration": ModuleArrows(
      targets: [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverReference", "HandoverTry",
      ],
      // Threads take segments and request states while another thread adds some.
      platform: ["Synchronization"]),
    // Mutants of clients and worlds; one of them depends on hash order.
    "HandoverExploration/Faults": ModuleArrows(
      targets: [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverReference",
      ], isPure: false),
    // Random timelines of network changes, drawn from a seed and from earlier verdicts.
    "HandoverExploration/Search": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverTry"]),
    // Minimizes a failing scenario.
    "HandoverExploration/Shrinking": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverEngine"]),
    "HandoverTesting": ModuleArrows(
      targets: [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine", "HandoverReport",
      ],
      platform: ["Dispatch", "Foundation", "FoundationEssentials", "Synchronization", "Testing"],
      isPure: false),
    // Code that tests of several packages share; it is under Tests.
    "HandoverHTTPTesting": ModuleArrows(
      targets: ["HandoverCore", "HandoverURLDispatcher"],
      products: ["NIOCore", "NIOHTTP1", "NIOPosix"],
      platform: ["Dispatch", "Foundation", "FoundationNetworking", "Synchronization"],
      isPure: false),
    // Random scenarios, for tests and for the drawn-runs command; they are under Tests.
    "HandoverDrawing": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation"]),
    "drawn_runs": ModuleArrows(
      targets: ["HandoverDrawing"], platform: ["Foundation"], isPure: false),
    // Linux only: libnl, nghttp2, and functions that must be written in C.
    "CNetlink": ModuleArrows(isPure: false),
    "CHTTP2": ModuleArrows(isPure: false),
    "CLinux": ModuleArrows(isPure: false),
    "CTLS": ModuleArrows(isPure: false),
    // The files that the command contains; a list of files and no code.
    "CBundle": ModuleArrows(isPure: false),
    "HandoverLinux": ModuleArrows(
      targets: ["CNetlink", "CLinux"], platform: ["Glibc", "Synchronization"], isPure: false),
    "HandoverNetlink": ModuleArrows(
      targets: ["HandoverCore", "HandoverScenario", "HandoverLinux"],
      platform: ["Synchronization"], isPure: false),
    "HandoverLab": ModuleArrows(
      targets: ["HandoverCore", "HandoverBackend", "HandoverLinux", "HandoverTry"],
      platform: ["Glibc", "Synchronization"], isPure: false),
    "HandoverLabServers": ModuleArrows(
      targets: ["HandoverCore", "HandoverTry", "CTLS", "CHTTP2"],
      products: ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"],
      platform: ["FoundationEssentials", "Synchronization"], isPure: false),
    "HandoverProcess": ModuleArrows(
      targets: ["HandoverCore", "HandoverBackend", "HandoverLinux"],
      platform: ["Glibc", "Synchronization"], isPure: false),
    "handover": ModuleArrows(
      targets: [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverExploration", "HandoverReference", "HandoverNIO",
        "HandoverReport", "HandoverTry", "HandoverLinux", "CBundle", "HandoverNetlink",
        "HandoverLab", "HandoverLabServers", "HandoverProcess",
      ],
      products: ["ArgumentParser"],
      platform: [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "Synchronization",
      ],
      isPure: false),
  ]

  /// Modules that give access to the outside world.
  ///
  /// A forbidden import of one is reported with a separate reason.
  static let worldly: Set<String> = [
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
    "Musl", "Synchronization",
  ]
}

extension SourceFile {
  /// The entry of a table that applies to the file: that of its folder, or else of its target.
  func part(in table: [String: ModuleArrows]) -> String? {
    guard let target else { return nil }
    let folder = path.split(separator: "/").prefix(3).dropFirst().joined(separator: "/")
    return table[folder] == nil ? target : folder
  }
}

/// Checks that a file imports nothing beyond the allowed modules of its part.
func checkImports(_ file: SourceFile, table: [String: ModuleArrows]) -> [Complaint] {
  guard let target = file.target, let part = file.part(in: table), let arrows = table[part] else {
    return []
  }
  return file.imports.filter { $0.module != target && !arrows.imports.contains($0.module) }.map {
    let isWorldly = ModuleArrows.worldly.contains($0.module)
    return file.complaint(
      line: $0.line, "\(part) imports \($0.module)",
      why: isWorldly
        ? "this target must not access the outside world"
        : "the table does not allow this dependency, and dependencies run downward only",
      remedy: isWorldly
        ? "pass the value in as a parameter"
        : "move the code, or add the dependency in Package.swift and ModuleArrows.table")
  }
}

/// Checks that a file uses no type of another folder of its target unless the table allows it.
///
/// The compiler does not check this, because folders of one target need no imports.
///
/// - Parameters:
///   - files: The files of all targets.
///   - table: The allowed dependencies.
/// - Returns: A complaint for each use of a type that another folder declares at the top level.
func checkFolders(_ files: [SourceFile], table: [String: ModuleArrows]) -> [Complaint] {
  let targets = Set(table.keys.compactMap { $0.split(separator: "/").dropLast().first })
  var complaints: [Complaint] = []
  for target in targets.sorted() {
    let members = files.filter { $0.target == String(target) }
    let parts = Dictionary(grouping: members) { $0.part(in: table) ?? String(target) }
    let declared = parts.mapValues { $0.reduce(into: Set()) { $0.formUnion($1.topLevelTypes) } }
    for (part, files) in parts {
      let allowed = (table[part]?.targets ?? []).union([part])
      let known = files.reduce(into: Set()) { $0.formUnion($1.declaredNames.all) }
      for (other, types) in declared where !allowed.contains(other) {
        let forbidden = types.subtracting(known)
        complaints += files.flatMap { file in
          file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard forbidden.contains(token.text), file.token(index - 1)?.text != "." else {
              return nil
            }
            return file.complaint(
              line: token.line, "\(part) uses \(token.text) of \(other)",
              why: "the table does not allow this dependency, and dependencies run downward only",
              remedy: "move the code, or add the dependency to ModuleArrows.table")
          }
        }
      }
    }
  }
  return complaints
}

extension SourceFile {
  /// The types that the file declares outside other declarations.
  fileprivate var topLevelTypes: Set<String> {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    var types: Set<String> = []
    var depth = 0
    for index in tokens.indices {
      switch tokens[index].text {
      case "{": depth += 1
      case "}": depth -= 1
      case let text where depth == 0 && kinds.contains(text):
        if let name = token(index + 1), name.isWord { types.insert(name.text) }
      default: break
      }
    }
    return types
  }
}

/// Checks that the table, Package.swift and the folders under Sources list the same targets, and
/// the first two the same dependencies.
func checkArrows(
  manifest: String, folders: Set<String>, table: [String: ModuleArrows]
) -> [Complaint] {
  let path = "Package.swift"
  let declared = ManifestTarget.all(in: manifest)
  var complaints: [Complaint] = []
  func complain(_ line: Int, _ what: String, _ remedy: String) {
    let why = "the table and Package.swift must list the same dependencies"
    complaints.append(Complaint(path: path, line: line, what: what, why: why, remedy: remedy))
  }
  for target in declared {
    guard let arrows = table[target.name] else {
      complain(
        target.line, "target \(target.name) is not in the table",
        "add it to ModuleArrows.table with its allowed imports")
      continue
    }
    let allowed = arrows.targets.filter { !$0.contains("/") }.union(arrows.products)
    for extra in target.dependencies.subtracting(allowed).sorted() {
      complain(
        target.line, "\(target.name) depends on \(extra), which the table does not allow",
        "remove it, or add it to ModuleArrows.table")
    }
    for missing in allowed.subtracting(target.dependencies).sorted() {
      complain(
        target.line, "\(target.name) does not depend on \(missing), which the table allows",
        "declare it, or remove it from ModuleArrows.table")
    }
  }
  let names = Set(declared.map(\.name))
  for folder in folders.subtracting(names).sorted() {
    complain(1, "Sources/\(folder) belongs to no target", "declare the target or delete the folder")
  }
  for name in Set(table.keys).subtracting(names).sorted() where !name.contains("/") {
    complain(1, "the table has \(name), which is not a target", "remove it from ModuleArrows.table")
  }
  return complaints
}

/// A target with sources, as Package.swift declares it.
struct ManifestTarget: Hashable, Sendable {
  var name: String
  var dependencies: Set<String>
  var line: Int

  /// Returns the non-test targets of a manifest.
  ///
  /// The manifest is parsed as text: calls of `module`, `.target`, `.executableTarget` and
  /// `.systemLibrary` whose name is a string literal.
  static func all(in manifest: String) -> [ManifestTarget] {
    let strings = StringLiterals(manifest)
    let file = strings.file
    var targets: [ManifestTarget] = []
    for (index, token) in file.tokens.enumerated() where token.isWord {
      guard ["module", "target", "executableTarget", "systemLibrary"].contains(token.text),
        file.token(index + 1)?.text == "(", let end = file.closingBracket(of: index + 1)
      else { continue }
      let isLabeled = file.token(index + 2)?.text == "name"
      guard let name = strings.literal(at: index + (isLabeled ? 4 : 2)) else { continue }
      var dependencies: Set<String> = []
      if let open = dependencyList(in: file, from: index + 2, to: end, isLabeled: isLabeled),
        let close = file.closingBracket(of: open)
      {
        dependencies = names(in: strings, from: open, to: close)
        // A list that only some platforms add is a separate constant.
        if file.token(close + 1)?.text == "+", let added = file.token(close + 2)?.text {
          dependencies.formUnion(list(named: added, in: strings))
        }
      }
      targets.append(ManifestTarget(name: name, dependencies: dependencies, line: token.line))
    }
    return targets
  }

  /// Returns the targets and products in a list.
  private static func names(
    in strings: StringLiterals, from open: Int, to close: Int
  ) -> Set<String> {
    var names: Set<String> = []
    for position in open..<close {
      guard let string = strings.literal(at: position),
        !(strings.file.token(position - 1)?.text == ":"
          && strings.file.token(position - 2)?.text == "package")
      else { continue }
      names.insert(string)
    }
    return names
  }

  /// Returns the combined content of all lists that are declared as `let NAME: [...] = [...]`.
  private static func list(named name: String, in strings: StringLiterals) -> Set<String> {
    let file = strings.file
    var all: Set<String> = []
    for (index, token) in file.tokens.enumerated()
    where token.text == name && file.token(index - 1)?.text == "let" {
      guard
        let equals = (index..<file.tokens.count).first(where: { file.tokens[$0].text == "=" }),
        file.token(equals + 1)?.text == "[", let close = file.closingBracket(of: equals + 1)
      else { continue }
      all.formUnion(names(in: strings, from: equals + 1, to: close))
    }
    return all
  }

  private static func dependencyList(
    in file: SourceFile, from start: Int, to end: Int, isLabeled: Bool
  ) -> Int? {
    (start..<end).first {
      guard file.tokens[$0].text == "[" else { return false }
      return !isLabeled || file.tokens[$0 - 2].text == "dependencies"
    }
  }
}

/// A text in which each plain string literal is one quoted word, and therefore a token.
private struct StringLiterals {
  let file: SourceFile

  init(_ text: String) {
    // Comments are removed first, because they may contain text that looks like a target.
    let comments = BlankedText(swift: text).comments
    var code: [UInt8] = []
    for (byte, comment) in zip(text.utf8, comments) {
      code.append(comment == 0x20 || byte == 0x0A ? byte : 0x20)
    }
    var words: [UInt8] = []
    var isInside = false
    for byte in code {
      if byte == UInt8(ascii: "\"") {
        isInside.toggle()
        words.append(UInt8(ascii: "`"))
      } else if isInside {
        // Other characters, such as dots and dashes, must not end the word.
        words.append(byte.isLetterOrDigit ? byte : UInt8(ascii: "_"))
      } else {
        words.append(byte)
      }
    }
    file = SourceFile(path: "Package.swift", text: String(decoding: words, as: UTF8.self))
  }

  func literal(at index: Int) -> String? {
    guard let token = file.token(index), token.isQuoted else { return nil }
    return token.text
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

extension SourceFile {
  /// Every import of the file, with any access level, attributes or kind.
  var imports: [(module: String, line: Int)] {
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
    ]
    return tokens.indices.compactMap { index in
      guard tokens[index].isKeyword("import"), var name = token(index + 1) else { return nil }
      if kinds.contains(name.text), let next = token(index + 2) { name = next }
      return (name.text, tokens[index].line)
    }
  }
}
