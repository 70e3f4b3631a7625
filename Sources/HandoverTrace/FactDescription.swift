package import HandoverCore

// What a fact is to those who read a trace. Each kind of facts has one table, `described(by:_:)`,
// which says it for each, and everything below asks that.

/// What a fact is, apart from how it is told.
package struct FactTraits: Hashable, Sendable {
  /// What it is about.
  package var topic: FactTopic
  /// What it is to a call that may hang.
  package var hang: HangRole
}

/// What a fact is about, for whoever counts them.
package enum FactTopic: Hashable, Sendable {
  case calls
  case messages
  case channels
}

/// What a fact is to calls that a change of the network may leave hanging.
package enum HangRole: Hashable, Sendable {
  /// Nothing.
  case none
  /// The timeline has begun; before, the device only takes its place.
  case begins
  /// The network becomes another one for everybody.
  case changesNetwork
  /// An entry that is a fault took effect.
  case fault(UInt32)
  /// The application is suspended or goes on.
  case movesApp(AppState)
  /// A call begins, or another attempt of it.
  case introduces(UInt32, CallID)
  /// Nothing passes on a connection any more.
  case stalls(ConnectionID)
  /// What is left without an end has hung until now.
  case ends
}

/// Where a fact stands in a time line; causes stand left of what follows from them.
package enum FactColumn: Int, CaseIterable, Sendable {
  case device
  case channels
  case calls
}

/// How a state is drawn, beside its word.
package enum FactTone: Int, Hashable, Sendable {
  case plain
  case good
  case waiting
  case bad
}

/// What has a lane of states over time.
package enum FactSubject: Hashable, Sendable {
  case app
  case connection(ConnectionID)
  case call(UInt32)
  case request(UInt32)
  /// A connection of the platform.
  case platformConnection(UInt32)
  /// A thread of the pool that runs the requests to a host.
  case thread(UInt32, host: UInt32, pool: UInt32)
  /// A thread of the pool that runs a request.
  case threadOf(request: UInt32, UInt32)
}

/// What a fact changes in the lanes of a run.
package enum FactLane: Hashable, Sendable {
  /// Nothing.
  case none
  /// Where the device is, in the words for it.
  case network
  /// A lane begins in a state.
  case begins(FactSubject, String, FactTone)
  /// A lane goes on in another state.
  case enters(FactSubject, String, FactTone)
  /// A lane ends.
  case ends(FactSubject, String, FactTone)
}

/// A fact in a row of the time line.
package enum FactRow: Hashable, Sendable {
  /// Other rows tell it.
  case none
  /// The time line tells it, out of the script.
  case inContext
  /// A text.
  case text(FactColumn, String)
  /// Something that may come many times in a row, and is counted then.
  case counted(FactColumn, of: String, one: String, many: String, count: UInt32)
}

/// A fact in a sentence, without its time.
package enum FactSentence: Hashable, Sendable {
  /// Other sentences tell it.
  case none
  /// The story tells it, out of the records around it.
  case inContext
  /// A sentence, and the items of the documents that it is an example of.
  case text(String, items: [String] = [])
  /// Something that may come many times in a row, and is told in one sentence then.
  case counted(
    one: String, before: String, after: String, count: UInt32 = 1, items: [String] = [])
}

/// What the things of a run are called in a report.
package protocol FactNames {
  /// A connection: its number in a row, what it leads over in a sentence.
  func connection(_ id: ConnectionID) -> String
  /// A call of the script.
  func call(_ index: UInt32) -> String
  /// A path.
  func path(_ path: PathIndex) -> String
  /// The way of a connection: over which path, or that there is none.
  func way(_ path: PathIndex?) -> String
  /// A host behind a preposition and a space before both; nothing where there is only one host.
  func host(_ index: UInt32, after preposition: String) -> String
  /// An address of a host.
  func address(_ place: UInt32, of host: UInt32) -> String
  /// A request of the script.
  func request(_ index: UInt32) -> String
  /// A question, as something that was asked.
  func question(_ index: UInt32) -> String
  /// The dispatcher of a pool.
  func dispatcher(_ pool: UInt32) -> String
  /// An interceptor of the chain; its user where it is none.
  func link(_ link: UInt16) -> String
  /// A text of the trace.
  func text(_ index: UInt32) -> String
}

/// Takes of a description what it wants to know; nothing else is made.
package protocol FactReader {
  associatedtype Answer

  func answer(
    _ traits: FactTraits, _ lane: () -> FactLane, _ row: () -> FactRow,
    _ sentence: () -> FactSentence
  ) -> Answer
}

extension FactReader {
  /// Describes a fact; how it is told must be said of each.
  @inline(__always)
  func fact(
    about topic: FactTopic, hang: HangRole = .none,
    lane: @autoclosure () -> FactLane = .none, row: @autoclosure () -> FactRow,
    sentence: @autoclosure () -> FactSentence
  ) -> Answer {
    answer(
      FactTraits(topic: topic, hang: hang), lane, row, sentence)
  }
}

extension FactReader {
  /// Describes a fact of which only those ask who tell it.
  @inline(__always)
  func told(
    lane: @autoclosure () -> FactLane = .none, row: @autoclosure () -> FactRow,
    sentence: @autoclosure () -> FactSentence
  ) -> Answer {
    answer(
      FactTraits(topic: .calls, hang: .none), lane, row, sentence)
  }
}

/// A kind of facts of which one table says how each is told.
package protocol DescribedFact {
  /// What readers of a trace have to know of a fact, and how each of them tells it.
  func described<Reader: FactReader>(
    by reader: Reader, _ names: some FactNames
  ) -> Reader.Answer
}

extension WorldFact {
  /// What it is, apart from how it is told.
  package var traits: FactTraits { described(by: TraitReader(), Unnamed()) }
}

extension DescribedFact {
  /// What it changes in the lanes of a run, with the names that they give things.
  package func lane(_ names: some FactNames) -> FactLane { described(by: LaneReader(), names) }

  /// The fact in a row of the time line, with the names that it gives things.
  package func row(_ names: some FactNames) -> FactRow { described(by: RowReader(), names) }

  /// The fact in a sentence, with the names that the story gives things.
  package func sentence(_ names: some FactNames) -> FactSentence {
    described(by: SentenceReader(), names)
  }
}

private struct TraitReader: FactReader {
  @inline(__always)
  func answer(
    _ traits: FactTraits, _ lane: () -> FactLane, _ row: () -> FactRow,
    _ sentence: () -> FactSentence
  ) -> FactTraits { traits }
}

private struct LaneReader: FactReader {
  func answer(
    _ traits: FactTraits, _ lane: () -> FactLane, _ row: () -> FactRow,
    _ sentence: () -> FactSentence
  ) -> FactLane { lane() }
}

private struct RowReader: FactReader {
  func answer(
    _ traits: FactTraits, _ lane: () -> FactLane, _ row: () -> FactRow,
    _ sentence: () -> FactSentence
  ) -> FactRow { row() }
}

private struct SentenceReader: FactReader {
  func answer(
    _ traits: FactTraits, _ lane: () -> FactLane, _ row: () -> FactRow,
    _ sentence: () -> FactSentence
  ) -> FactSentence { sentence() }
}

/// For whoever asks for no text.
private struct Unnamed: FactNames {
  func connection(_ id: ConnectionID) -> String { "" }
  func call(_ index: UInt32) -> String { "" }
  func path(_ path: PathIndex) -> String { "" }
  func way(_ path: PathIndex?) -> String { "" }
  func host(_ index: UInt32, after preposition: String) -> String { "" }
  func address(_ place: UInt32, of host: UInt32) -> String { "" }
  func request(_ index: UInt32) -> String { "" }
  func question(_ index: UInt32) -> String { "" }
  func dispatcher(_ pool: UInt32) -> String { "" }
  func link(_ link: UInt16) -> String { "" }
  func text(_ index: UInt32) -> String { "" }
}
