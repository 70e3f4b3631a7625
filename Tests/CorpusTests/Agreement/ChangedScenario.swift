import Foundation
import HandoverCore
import HandoverScenario

@testable import HandoverExploration

/// Bundled scenarios with random changes: parts are removed, repeated or replaced by parts of other
/// scenarios.
struct ChangedScenarios {
  private let originals: [JSONTree]
  /// The values of each key in all scenarios, and the keys of the objects below each key.
  private var values: [String: [JSONTree]] = [:]  // lookup only
  private var members: [String: [JSONTree.Member]] = [:]  // lookup only
  private var generator: SeededGenerator

  private static let times = ["0s", "1us", "1ms", "20ms", "1s", "1.5s", "20s", "2min", "1h"]
  private static let numbers = ["0", "1", "2", "3", "100", "65536", "1000000000"]

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    let folder = Repository.root.appending(path: "Scenarios")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    originals = try (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { name in
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      return JSONTree(try JSONReader.read(bytes).root).withoutComments
    }
    for original in originals { collect(original, under: "") }
  }

  private mutating func collect(_ tree: JSONTree, under key: String) {
    values[key, default: []].append(tree)
    if case .object(let object) = tree {
      members[key, default: []] += object
      for member in object { collect(member.value, under: member.key) }
    } else {
      for child in tree.children { collect(child, under: key) }
    }
  }

  /// Changes a random scenario, and returns it under the given id, or `nil` if the changed file has
  /// errors.
  mutating func next(id: String) -> (bytes: [UInt8], scenario: Scenario)? {
    var tree = originals[below(originals.count)]
    for _ in 0...below(3) { change(&tree) }
    tree["id"] = .text(id)
    tree["source"] = nil
    let bytes = Array(tree.line.utf8)
    return ScenarioReader.read(file: "\(id).json", bytes: bytes).scenario.map { (bytes, $0) }
  }

  // MARK: Changes

  private mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(max(count, 1) - 1)))
  }

  private mutating func change(_ tree: inout JSONTree) {
    let paths = tree.paths.filter { $0.count > 1 || tree.children.count > 1 }
    guard !paths.isEmpty else { return }
    let path = paths[below(paths.count)]
    let key = path.indices.reversed().compactMap { tree.key(at: path[...$0]) }.first ?? ""
    switch below(6) {
    case 0: tree = tree.without(path)
    case 1: tree[path[...]] = other(than: tree[path[...]], of: key)
    case 2: addMember(to: &tree, at: path, under: key)
    case 3: addElement(to: &tree, at: path)
    case 4: tree["profiles"] = profiles()
    default:
      guard let known = values[key], !known.isEmpty else { return }
      tree[path[...]] = known[below(known.count)]
    }
  }

  private mutating func other(than value: JSONTree, of key: String) -> JSONTree {
    switch value {
    case .null, .boolean, .number: .number(Self.numbers[below(Self.numbers.count)])
    case .text(let text) where TimeNotation.interval(text) != nil:
      .text(Self.times[below(Self.times.count)])
    case .text, .array, .object:
      values[key].map { $0[below($0.count)] } ?? value
    }
  }

  private mutating func addMember(to tree: inout JSONTree, at path: [Int], under key: String) {
    guard case .object = tree[path[...]], let known = members[key], !known.isEmpty else { return }
    let member = known[below(known.count)]
    tree[path[...]][member.key] = member.value
  }

  /// Repeats an element of a list, or inserts a timeline entry of another scenario.
  private mutating func addElement(to tree: inout JSONTree, at path: [Int]) {
    var timeline = tree["timeline"]?.children ?? []
    let others = originals[below(originals.count)]["timeline"]?.children ?? []
    let source = below(2) == 0 ? timeline : others
    guard !source.isEmpty else { return }
    var entry = source[below(source.count)]
    let position = below(timeline.count + 1)
    if position > 0, let at = timeline[position - 1]["at"] { entry["at"] = at }
    timeline.insert(entry, at: position)
    tree["timeline"] = .array(timeline)
  }

  private mutating func profiles() -> JSONTree {
    let names = Profile.known.map(\.name)
    let first = names[below(names.count)]
    let second = names[below(names.count)]
    return .array(first == second ? [.text(first)] : [.text(first), .text(second)])
  }
}
