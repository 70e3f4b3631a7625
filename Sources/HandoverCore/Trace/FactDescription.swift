// Describes facts to the readers of a trace. Each kind of fact has one table, `described(by:_:)`,
// which contains an entry for each case. The accessors below read from that table.

/// The relevance of a fact to calls that a network change may leave hanging.
package enum HangRelevance: Hashable, Sendable {
  /// The fact is not relevant.
  case none
  /// The timeline has started; earlier facts only set up the device.
  case begins
  /// The network changes for all calls.
  case changesNetwork
  /// A timeline entry that injects a fault took effect.
  case fault(UInt32)
  /// The application is suspended or resumed.
  case movesApp(AppState)
  /// A call starts, or starts another attempt.
  case introduces(UInt32, CallID)
  /// The connection no longer carries any data.
  case stalls(ConnectionID)
  /// The run ends; calls that have not ended by now have hung until now.
  case ends
}

/// The column of a fact in a timeline; causes are to the left of their effects.
package enum FactColumn: Int, CaseIterable, Sendable {
  case device
  case channels
  case calls
}

/// The color of a state in a drawing, in addition to its label.
package enum FactTone: Int, Hashable, Sendable {
  case plain
  case good
  case waiting
  case bad
}

/// The subject of a lane that shows states over time.
package enum FactSubject: Hashable, Sendable {
  case app
  case connection(ConnectionID)
  case call(UInt32)
  case request(UInt32)
  /// A connection that the OS opened.
  case platformConnection(UInt32)
  /// A thread in the pool that runs the requests to a host.
  case thread(UInt32, host: UInt32, pool: UInt32)
  /// The pool thread that runs a request.
  case threadOf(request: UInt32, UInt32)
}

/// The effect of a fact on the lanes of a run.
package enum FactLane: Hashable, Sendable {
  /// The fact has no effect.
  case none
  /// The network of the device changes; the text comes from the wording for networks.
  case network
  /// A lane starts with a state.
  case begins(FactSubject, String, FactTone)
  /// A lane changes to another state.
  case enters(FactSubject, String, FactTone)
  /// A lane ends with a state.
  case ends(FactSubject, String, FactTone)
}

/// The description of a fact in a row of the timeline.
package enum FactRow: Hashable, Sendable {
  /// No row; other rows cover the fact.
  case none
  /// A row that the timeline composes from the script.
  case inContext
  /// A row with a fixed text.
  case text(FactColumn, String)
  /// A row for an event that may repeat; consecutive repetitions are counted.
  case counted(FactColumn, of: String, one: String, many: String, count: UInt32)
}

/// The description of a fact as a sentence, without its time.
package enum FactSentence: Hashable, Sendable {
  /// No sentence; other sentences cover the fact.
  case none
  /// A sentence that the story composes from the surrounding records.
  case inContext
  /// A fixed sentence, with the IDs of the requirements that it illustrates.
  case text(String, items: [String] = [])
  /// A sentence for an event that may repeat; consecutive repetitions share one sentence.
  case counted(
    one: String, before: String, after: String, count: UInt32 = 1, items: [String] = [])
}

/// The display names of calls, connections and other objects in a report.
package protocol FactNames {
  /// Returns the name of a connection: its number in a row, its network in a sentence.
  func connection(_ id: ConnectionID) -> String
  /// Returns the name of a call in the script.
  func call(_ index: UInt32) -> String
  /// Returns the name of a network.
  func path(_ path: PathIndex) -> String
  /// Returns a phrase for the network that a connection uses, or for having no network.
  func way(_ path: PathIndex?) -> String
  /// Returns a space, the preposition, a space and the host, or an empty string if there is only
  /// one host.
  func host(_ index: UInt32, after preposition: String) -> String
  /// Returns the name of an address of a host.
  func address(_ position: UInt32, of host: UInt32) -> String
  /// Returns the name of a request in the script.
  func request(_ index: UInt32) -> String
  /// Returns the name of an admission query, phrased as a query that was made.
  func question(_ index: UInt32) -> String
  /// Returns the name of the dispatcher of a pool.
  func dispatcher(_ pool: UInt32) -> String
  /// Returns the name of an interceptor, or of the caller if `link` is ``ChainFact/ownLink``.
  func link(_ link: UInt16) -> String
  /// Returns a text that the trace stores.
  func text(_ index: UInt32) -> String
}

/// Extracts one aspect of a description; the closures of the other aspects are not evaluated.
package struct FactReader<Answer> {
  fileprivate let answer:
    (HangRelevance, () -> FactLane, () -> FactRow, () -> FactSentence) -> Answer

  /// Describes a fact.
  ///
  /// The row and the sentence have no default, so every fact must define them.
  func describe(
    hang: HangRelevance = .none, lane: @autoclosure () -> FactLane = .none,
    row: @autoclosure () -> FactRow, sentence: @autoclosure () -> FactSentence
  ) -> Answer {
    answer(hang, lane, row, sentence)
  }
}

/// A kind of fact whose descriptions are defined in one table.
package protocol DescribedFact {
  /// Passes the description of the fact to a reader and returns what the reader extracts.
  func described<Answer>(by reader: FactReader<Answer>, _ names: some FactNames) -> Answer
}

extension WorldFact {
  /// The relevance of the fact to calls that may hang.
  package var hang: HangRelevance { described(by: FactReader { hang, _, _, _ in hang }, Unnamed()) }
}

extension DescribedFact {
  /// Returns the effect of the fact on the lanes of a run, using the given names.
  package func lane(_ names: some FactNames) -> FactLane {
    described(by: FactReader { _, lane, _, _ in lane() }, names)
  }

  /// Returns the row of the fact in the timeline, using the given names.
  package func row(_ names: some FactNames) -> FactRow {
    described(by: FactReader { _, _, row, _ in row() }, names)
  }

  /// Returns the sentence for the fact, using the given names.
  package func sentence(_ names: some FactNames) -> FactSentence {
    described(by: FactReader { _, _, _, sentence in sentence() }, names)
  }
}

/// Names for readers that need no text; all are empty.
private struct Unnamed: FactNames {
  func connection(_ id: ConnectionID) -> String { "" }
  func call(_ index: UInt32) -> String { "" }
  func path(_ path: PathIndex) -> String { "" }
  func way(_ path: PathIndex?) -> String { "" }
  func host(_ index: UInt32, after preposition: String) -> String { "" }
  func address(_ position: UInt32, of host: UInt32) -> String { "" }
  func request(_ index: UInt32) -> String { "" }
  func question(_ index: UInt32) -> String { "" }
  func dispatcher(_ pool: UInt32) -> String { "" }
  func link(_ link: UInt16) -> String { "" }
  func text(_ index: UInt32) -> String { "" }
}
