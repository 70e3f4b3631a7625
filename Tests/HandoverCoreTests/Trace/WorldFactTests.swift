import Foundation
import HandoverCore
import Testing

@Suite("World facts are described in one table")
struct WorldFactTests {
  /// Unique names.
  private struct Names: FactNames {
    func connection(_ id: ConnectionID) -> String { "<connection \(id.index)/\(id.generation)>" }
    func call(_ index: UInt32) -> String { "<call \(index)>" }
    func path(_ path: PathIndex) -> String { "<path \(path.index)>" }
    func way(_ path: PathIndex?) -> String { path.map { "over \(self.path($0))" } ?? "over none" }
    func host(_ index: UInt32, after preposition: String) -> String {
      " \(preposition) <host \(index)>"
    }
    func address(_ position: UInt32, of host: UInt32) -> String {
      "<address \(position) of \(host)>"
    }
    func request(_ index: UInt32) -> String { "<request \(index)>" }
    func question(_ index: UInt32) -> String { "<question \(index)>" }
    func dispatcher(_ pool: UInt32) -> String { "<dispatcher \(pool)>" }
    func link(_ link: UInt16) -> String { "<link \(link)>" }
    func text(_ index: UInt32) -> String { "<text \(index)>" }
  }

  /// The compiler requires the name and the description of a case, but not its example.
  ///
  /// The trace reader learns the names from the examples.
  @Test("Every case has an example")
  func examples() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/HandoverCore/Trace/WorldFact.swift")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let begin = try #require(lines.firstIndex { $0.hasPrefix("public enum WorldFact") })
    let end = try #require(lines[begin...].firstIndex { $0 == "}" })
    let cases = lines[begin..<end].filter { $0.hasPrefix("  case ") }
      .map { String($0.dropFirst(7).prefix { $0.isLetter }) }
    #expect(cases.count > 10)
    // The names in traces do not change, even if a case is renamed.
    let words = cases.map { $0 == "deferred" ? "heldBack" : $0 }
    #expect(Set(words) == Set(WorldFact.examplesByKeyword().keys))
  }

  @Test("A row and a sentence contain the names in the fact", arguments: WorldFact.examples)
  func names(fact: WorldFact) {
    let texts = Self.texts(of: fact)
    for text in texts { #expect(!text.isEmpty) }
    for name in Self.things(of: fact) {
      for text in texts { #expect(text.contains(name), "\(text)") }
    }
  }

  @Test("Two facts with different names are described differently")
  func apart() {
    let other = ConnectionID(index: 7, generation: 9)
    let pairs: [(WorldFact, WorldFact)] = WorldFact.examples.compactMap { fact in
      switch fact {
      case .connectionResumed: (fact, .connectionResumed(other))
      case .sendBufferFull: (fact, .sendBufferFull(other))
      default: nil
      }
    }
    #expect(pairs.count == 2)
    for (one, two) in pairs {
      #expect(one.row(Names()) != two.row(Names()))
      #expect(one.sentence(Names()) != two.sentence(Names()))
    }
  }

  @Test("A request is named in every description of its facts", arguments: RequestFact.examples)
  func requests(fact: RequestFact) {
    for text in Self.texts(of: fact) {
      #expect(!text.isEmpty)
      if let request = fact.request { #expect(text.contains(Names().request(request)), "\(text)") }
    }
  }

  @Test("The description of a chain fact contains its texts", arguments: ChainFact.examples)
  func chains(fact: ChainFact) {
    let texts = Self.texts(of: fact)
    for text in texts { #expect(!text.isEmpty) }
    switch fact {
    case .noted(_, _, let text), .attempted(_, let text), .sentHeader(_, let text),
      .sentMessage(_, let text), .trailer(_, let text):
      #expect(texts.allSatisfy { $0.contains(Names().text(text)) } && !texts.isEmpty)
    case .linkMade, .linkSkipped, .linkLeft, .took, .broke, .received, .closed: break
    }
  }

  @Test("One thing is counted in the singular")
  func singular() {
    let kernel = WorldFact.kernelCounted(retransmitted: 1, resets: 1, sockets: 1)
    let (one, none) = (
      "the kernel counts 1 segment sent again, 1 connection reset and 1 socket left",
      "the kernel counts 0 segments sent again, 0 connections reset and 0 sockets left"
    )
    #expect(Self.texts(of: kernel) == [one, one])
    #expect(
      Self.texts(of: WorldFact.kernelCounted(retransmitted: 0, resets: 0, sockets: 0))
        == [none, none])
    #expect(
      Self.texts(of: RequestFact.longLimitChanged(pool: 0, 1)).last
        == "<dispatcher 0> allows 1 long request from now on")
    #expect(
      Self.texts(of: RequestFact.longLimitChanged(pool: 0, 2)).last
        == "<dispatcher 0> allows 2 long requests from now on")
  }

  @Test("A lane that starts also ends", arguments: RequestFact.examples)
  func lanes(fact: RequestFact) {
    guard case .begins(let subject, _, _) = fact.lane(Names()) else { return }
    // Each example is about a different thread.
    if case .thread = subject { return }
    #expect(
      RequestFact.examples.contains {
        if case .ends(subject, _, _) = $0.lane(Names()) { true } else { false }
      })
  }

  private static func texts(of fact: some DescribedFact) -> [String] {
    var texts: [String] = []
    switch fact.row(Names()) {
    case .none, .inContext: break
    case .text(_, let text): texts.append(text)
    case .counted(_, let subject, let one, let many, _): texts += [subject + one, subject + many]
    }
    switch fact.sentence(Names()) {
    case .none, .inContext: break
    case .text(let text, _): texts.append(text)
    case .counted(let one, let before, let after, _, _): texts += [one, before + after]
    }
    return texts
  }

  /// Returns the names that every description of a fact must contain.
  private static func things(of fact: WorldFact) -> [String] {
    switch fact {
    case .attemptBegan(let id, let host, let path):
      [Names().connection(id), Names().way(path), "<host \(host)>"]
    case .attemptMoved(_, let path): [Names().way(path)]
    case .connectionStalled(let id), .connectionResumed(let id), .sendBufferFull(let id):
      [Names().connection(id)]
    case .serverReadRequest(_, let call), .serverReadMessages(_, let call, _),
      .callUnfinished(let call):
      [Names().call(call)]
    default: []
    }
  }
}
