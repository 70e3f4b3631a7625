import HandoverCore
import HandoverScenario

@testable import HandoverExploration

/// Makes small structural edits to scenarios, like typical mistakes.
struct Mutator {
  private var generator: SeededGenerator
  /// Members from the whole corpus, to add in wrong places.
  private let members: [JSONTree.Member]
  /// Strings that replace others.
  private let texts: [String]

  /// The kinds of edit.
  private enum Edit: CaseIterable {
    case renameKey, dropMember, addMember, changeType, changeWord, changeNumber, editArray
  }

  init(seed: UInt64, corpus: [JSONTree]) {
    generator = SeededGenerator(seed: seed)
    var members: Set<JSONTree.Member> = []
    var texts: Set<String> = []
    for root in corpus {
      for path in [[]] + root.paths {
        switch root[path[...]] {
        case .object(let found): members.formUnion(found)
        case .text(let text): texts.insert(text)
        case .null, .boolean, .number, .array: break
        }
      }
    }
    // Sorted, so that a seed gives the same edits in every process.
    self.members = members.sorted { ($0.key, $0.value.line) < ($1.key, $1.value.line) }
    self.texts = texts.sorted() + Self.times
  }

  private static let times = [
    "", " ", "1", "1s", "+1s", "-1s", "0s", "+0ms", "1.5us", "1.2345s", "1 s", "1sec", "1m",
    "1000001h", "*", "a\nb", "-R -------", "RW -------",
  ]

  private static let numbers = [
    "-1", "0", "1", "2", "1.5", "0.25", "101", "4294967296", "1000000001", "1073741825",
    "9223372036854775808", "18446744073709551616",
  ]

  /// Returns a copy of a scenario with one or two edits.
  mutating func mutated(_ original: JSONTree) -> JSONTree {
    var node = original
    for _ in 0...draw(1) { edit(&node) }
    return node
  }

  private mutating func edit(_ root: inout JSONTree) {
    // Not every edit fits every value, but some of a hundred tries always does.
    for _ in 0..<100 {
      let path = pick([[]] + root.paths)[...]
      guard let edited = edited(root[path], pick(Edit.allCases)) else { continue }
      root[path] = edited
      return
    }
  }

  private mutating func edited(_ node: JSONTree, _ edit: Edit) -> JSONTree? {
    switch (edit, node) {
    case (.renameKey, .object(var members)) where !members.isEmpty:
      let position = draw(members.count - 1)
      let name = misspelt(members[position].key)
      guard !members.contains(where: { $0.key == name }) else { return nil }
      members[position].key = name
      return .object(members)
    case (.dropMember, .object(var members)) where !members.isEmpty:
      members.remove(at: draw(members.count - 1))
      return .object(members)
    case (.addMember, .object(let members)):
      let new = pick(self.members)
      guard !members.contains(where: { $0.key == new.key }) else { return nil }
      return .object(members + [new])
    case (.changeType, _):
      let others: [JSONTree] = [
        .null, .boolean(true), .boolean(false), .number("7"), .text("text"), .array([]),
        .object([]), .array([node]),
      ]
      return pick(others)
    case (.changeWord, .text(let text)):
      return .text(draw(1) == 0 ? misspelt(text) : pick(texts))
    case (.changeNumber, .number), (.changeNumber, .boolean):
      return .number(pick(Self.numbers))
    case (.editArray, .array(var elements)) where !elements.isEmpty:
      let position = draw(elements.count - 1)
      if draw(1) == 0 {
        elements.remove(at: position)
      } else {
        elements.insert(elements[position], at: draw(elements.count))
      }
      return .array(elements)
    default:
      return nil
    }
  }

  /// Returns a word with a letter removed, doubled, swapped with its neighbor or in the other case.
  private mutating func misspelt(_ word: String) -> String {
    var letters = Array(word)
    guard !letters.isEmpty else { return "a" }
    let position = draw(letters.count - 1)
    switch draw(3) {
    case 0: letters.remove(at: position)
    case 1: letters.insert(letters[position], at: position)
    case 2: letters.swapAt(position, (position + 1) % letters.count)
    default:
      let letter = letters[position]
      letters[position] = Character(letter.isUppercase ? letter.lowercased() : letter.uppercased())
    }
    return String(letters)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[draw(elements.count - 1)]
  }

  private mutating func draw(_ bound: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(bound)))
  }
}
