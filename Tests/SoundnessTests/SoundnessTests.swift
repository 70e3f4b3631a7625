import Foundation
import Testing

/// Rules that the compiler does not enforce.
@Suite("The source tree follows the project's rules")
struct SoundnessTests {
  let tree: Tree

  init() throws {
    tree = try Tree.current()
  }

  @Test("The source tree is not empty")
  func treeIsThere() {
    #expect(tree.sources.contains { $0.path == "Package.swift" })
    #expect(tree.sources.contains { $0.target == "HandoverCore" })
    #expect(tree.paths.contains("Makefile"))
  }

  @Test("Every Swift file can be separated into code, strings and comments")
  func understood() {
    report(tree.sources.flatMap(checkUnderstood))
  }

  @Test("Targets import only their allowed modules")
  func imports() {
    report(tree.sources.flatMap { checkImports($0, table: ModuleArrows.table) })
  }

  @Test("The folders of a target use only types of their allowed folders")
  func folders() {
    report(checkFolders(tree.sources, table: ModuleArrows.table))
  }

  @Test("The table of dependencies, Package.swift and Sources agree")
  func arrows() throws {
    let manifest = try tree.text(of: "Package.swift")
    report(
      checkArrows(
        manifest: manifest, folders: tree.targetFolders, table: ModuleArrows.table))
  }

  @Test("Pure targets use no clock, thread, randomness, floating point or console")
  func purity() {
    report(tree.sources.flatMap { checkPurity($0, table: ModuleArrows.table) })
  }

  @Test("No code compares a profile or transport with a particular one")
  func parts() {
    let constants = constantsOfParts(tree.sources)
    #expect(constants.isSuperset(of: ["sockets", "urlDispatcher", "tcpSockets"]))
    report(tree.sources.flatMap { checkParts($0, constants: constants) })
  }

  @Test("The core's switches have no default")
  func defaults() {
    report(tree.sources.flatMap(checkDefaults))
  }

  @Test("Pure targets use dictionaries and sets for lookups only")
  func hashedCollections() {
    report(tree.sources.flatMap { checkHashedCollections($0, table: ModuleArrows.table) })
  }

  @Test("Lines, functions and files are within their maximum lengths")
  func lengths() {
    report(tree.sources.flatMap(checkLengths))
  }

  @Test("No test depends on the speed of the machine")
  func speed() {
    report(tree.sources.flatMap { checkSpeed($0) })
    report(tree.texts.flatMap { checkSpeed(path: $0.path, text: $0.text) })
  }

  @Test("Comments leave no work without an issue number")
  func leftovers() {
    report(tree.sources.flatMap { checkLeftovers($0) })
    report(
      tree.texts.filter { !$0.path.hasSuffix(".swift") }
        .flatMap { checkLeftovers(path: $0.path, text: $0.text) })
  }

  @Test("No text contains a machine-specific path")
  func machinePaths() {
    report(tree.texts.flatMap { checkMachinePaths(path: $0.path, text: $0.text) })
  }

  @Test("Every link of a page has a target")
  func links() {
    let pages = Dictionary(
      uniqueKeysWithValues: tree.texts.filter { $0.path.hasSuffix(".md") }.map {
        ($0.path, $0.text)
      })
    let paths = Set(tree.paths)
    #expect(pages["README.md"]?.contains("](Sources/handover/Handover.docc/") == true)
    report(
      tree.texts.flatMap {
        checkLinks(path: $0.path, text: $0.text, paths: paths, pages: pages)
      })
  }

  @Test("Pages are written in plain English")
  func prose() throws {
    // Pages under Tests/ are tables of measurements.
    let pages = tree.texts.filter { page in
      page.path.hasSuffix(".md")
        && !["Fixtures/", "Tests/"].contains { page.path.hasPrefix($0) }
    }
    #expect(pages.count > 35)
    report(try pages.flatMap { try checkProse(path: $0.path, text: $0.text) })
  }

  @Test("No text names the host of a package registry")
  func registries() {
    report(tree.texts.flatMap { checkRegistries(path: $0.path, text: $0.text) })
  }

  @Test("Every file that a page names exists")
  func namedPaths() {
    report(
      tree.texts.flatMap { checkNamedPaths(path: $0.path, text: $0.text, paths: tree.paths) })
  }

  /// The pages that also name declarations that are not public.
  private static let pagesAboutCode = ["Design", "Internals"]

  @Test("Every name on the pages about the code exists", arguments: pagesAboutCode)
  func symbols(_ name: String) throws {
    let page = "Sources/handover/Handover.docc/\(name).md"
    let tests = tree.paths.filter { $0.hasPrefix("Tests/") }.compactMap {
      $0.split(separator: "/").dropFirst().first.map(String.init)
    }
    report(
      checkSymbols(
        path: page, text: try tree.text(of: page),
        symbols: DeclaredSymbols(tree.sources.filter { $0.target != nil }),
        targets: tree.targetFolders.union(tests), paths: tree.paths,
        sources: tree.texts.filter { $0.path.hasPrefix("Sources/") && $0.path != page }))
  }

  @Test("Every function with labels on the other pages is public")
  func functions() {
    let functions = PublicFunctions(
      tree.texts.filter { $0.path.hasPrefix("Fixtures/API/") }.map(\.text))
    let pages = tree.texts.filter { page in
      page.path.hasSuffix(".md")
        && !Self.pagesAboutCode.contains { page.path.hasSuffix("/\($0).md") }
    }
    report(
      pages.flatMap { checkFunctions(path: $0.path, text: $0.text, functions: functions) })
  }

  @Test("The rows of modules on the design page follow from their imports")
  func moduleRowsGolden() throws {
    let page = Tree.root.appending(path: "Sources/handover/Handover.docc/Design.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rows = moduleRowsText(ModuleArrows.table, of: tree.targetFolders)
    let current = replacingBlock("rows", of: text, with: rows)
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data(current.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == current, "run `make golden`")
  }

  @Test("The walk on the design page visits at most 20 files, each once")
  func walk() throws {
    let page = "Sources/handover/Handover.docc/Design.md"
    let text = try tree.text(of: page)
    #expect(DrawnWalk(text).steps.count > 10)
    report(
      checkWalk(
        path: page, text: text, sources: tree.sources, limit: 20, calledFrom: "Sources/handover/"))
  }

  @Test("Each listed equivalent mutant is a change of existing code")
  func equalMutants() throws {
    let list = try tree.text(of: "Tests/Tools/mutants-equal")
    let entries = list.split(separator: "\n").map { $0.split(separator: "\t") }
      .filter { $0.count == 3 }
    #expect(entries.count > 20)
    for entry in entries {
      let code = try tree.text(of: String(entry[0])).split { $0 == " " || $0 == "\n" }
        .joined(separator: " ")
      // The last text in backticks is the changed code, truncated if it is long.
      let quoted = try #require(entry[1].split(separator: "`").last)
      let whole = quoted.hasSuffix("...") ? quoted.dropLast(3) : quoted
      #expect(code.contains(whole), "\(entry[0]): \(whole)")
    }
  }

  @Test("No tracked file is out of place")
  func tracked() {
    report(tree.paths.flatMap(checkTracked))
  }

  private func report(_ complaints: [Complaint], sourceLocation: SourceLocation = #_sourceLocation)
  {
    for complaint in complaints {
      Issue.record("\(complaint.description)", sourceLocation: sourceLocation)
    }
  }
}
