import HandoverCore
import HandoverEngine

/// Describes a run in sentences, record by record.
///
/// One sentence can cover several records. Each record has a sentence or is covered by that of
/// another.
struct RunStory {
  let script: Script
  let profile: Profile
  let names: ScriptNames
  let records: ContiguousArray<TraceRecord>
  let endpointHosts: ContiguousArray<UInt32>
  let texts: ContiguousArray<String>
  var paragraphs = Paragraphs()
  var now = Instant.zero
  /// The index of the current record.
  var index = 0

  /// The state of the run before the current record.
  private(set) var run: RunProjection
  /// The category in the state of the monitor.
  var heldCategory = NetworkCategory.unknown
  /// The categories at the last network change of the device.
  var lastMove: Move?
  /// The last entry that was executed.
  var lastAction: ScriptAction?

  var calls: ContiguousArray<Call>
  /// The options of the newest channel of each key, or `nil` if there was none.
  var options: ContiguousArray<ChannelOptions?>
  /// The hosts that have channels with several keys, in order.
  let hostsWithKeys: [UInt32]
  var unansweredPings: ContiguousArray<ConnectionID> = []
  let connections: ConnectionNames

  struct Move {
    var at: Instant
    var from: NetworkCategory
    var to: NetworkCategory
    var wasInBackground: Bool
  }

  struct Call {
    /// Whether the call waits because its channel cannot connect yet.
    var waitsInBackoff = false
    /// The instant of the first network change during the call.
    var changedAt: Instant?
  }

  /// Returns the paragraphs of a run, up to its end.
  static func paragraphs(of trace: Trace, script: Script, profile: Profile) -> Paragraphs {
    var story = RunStory(trace, script, profile)
    var left = 0
    for index in trace.records.indices {
      let record = trace.records[index]
      // The story ends before the records that close the client.
      if case .event(.pool(.closed)) = record.body { break }
      story.index = index
      story.now = record.at
      if index < maximumRecords, !story.paragraphs.isFull {
        story.describe(record.body)
      } else {
        left += 1
      }
      story.run.apply(record)
    }
    story.paragraphs.finish(leavingOut: left, "record")
    story.describeFaultsWithoutEffect()
    story.paragraphs.finish()
    return story.paragraphs
  }

  /// The maximum number of records to describe; later records are only counted.
  private static let maximumRecords = 100_000

  private init(_ trace: Trace, _ script: Script, _ profile: Profile) {
    self.script = script
    self.profile = profile
    names = ScriptNames(script: script)
    records = trace.records
    endpointHosts = trace.endpointHosts
    texts = trace.texts
    run = RunProjection(script, of: trace)
    calls = ContiguousArray(repeating: Call(), count: script.calls.count)
    connections = ConnectionNames(trace.records, names)
    let sorted = trace.endpointHosts.sorted()
    hostsWithKeys = zip(sorted, sorted.dropFirst()).filter { $0 == $1 }.map { $0.0 }
    options = ContiguousArray(repeating: nil, count: trace.endpointHosts.count)
  }

  private mutating func describe(_ body: TraceRecord.Body) {
    switch body {
    case .event(.reachability(let event)): describe(event)
    case .event(.pool(let event)): describe(event)
    case .effect(let effect): describe(effect)
    case .world(let fact): describe(fact)
    case .chain(let fact): describe(fact)
    case .request(let fact): describe(fact)
    }
  }

  private mutating func describeFaultsWithoutEffect() {
    let effective = Set(run.effectiveFaults)  // lookup only
    for (index, entry) in script.entries.enumerated()
    where entry.action.isFault && !effective.contains(UInt32(truncatingIfNeeded: index)) {
      paragraphs.add(
        Sentence(text: "the fault at \(entry.at.exactText) has no effect on this profile"))
    }
  }

  // MARK: Sentences

  mutating func say(_ text: String, _ items: String...) {
    paragraphs.add(Sentence(at: now, text: text, items: items))
  }

  mutating func say(_ text: String, items: [String]) {
    paragraphs.add(Sentence(at: now, text: text, items: items))
  }

  /// Returns the record at an offset from the current one, if it has the same instant.
  func body(_ offset: Int = 1) -> TraceRecord.Body? {
    let other = index + offset
    guard records.indices.contains(other), records[other].at == now else { return nil }
    return records[other].body
  }

  // MARK: The monitor

  private mutating func describe(_ event: ConnectivityMonitor.Event) {
    switch event {
    case .initialRead(let flags?):
      heldCategory = NetworkCategory(flags)
      say("the monitor reads the flags, which mean \(heldCategory), and notifies no one", "M7")
    case .initialRead(nil):
      say("the monitor cannot read the flags, and knows no category yet", "M8")
    case .callback(let flags):
      guard !isNotified else { break }
      let reported = NetworkCategory(flags)
      say(
        reported == heldCategory
          ? "a callback reports \(reported) to the monitor, the current category, so nothing "
            + "follows"
          : "a callback reports \(reported) to the monitor", "M9")
    case .resynchronized(let flags):
      guard !isNotified else { break }
      say("the flags are read again and mean \(NetworkCategory(flags)), the current category")
    }
  }

  /// Whether the next record is a notification, which covers the rest.
  private var isNotified: Bool {
    if case .effect(.notify) = body() { return true }
    return false
  }

  mutating func describeNotification(_ change: CategoryChange) {
    heldCategory = change.to
    var how = "a callback reports to the monitor"
    if case .event(.reachability(.resynchronized)) = body(-1) {
      how = "the flags are read again and report to the monitor"
    }
    switch change.from {
    case .unknown: say("\(how) its first category, \(change.to), and it notifies", "M8")
    case .noNetwork: say("\(how) that None has become \(change.to), and it notifies", "M11")
    case .cellular, .wifi:
      say("\(how) that \(change.from) has become \(change.to), and it notifies", "M9")
    }
  }

  // MARK: Names

  func name(_ id: CallID) -> String {
    run.index(of: id).map(names.call) ?? "an unknown call"
  }

  /// Returns the host of an endpoint after a preposition, with options if several keys share the
  /// host.
  func suffix(_ endpoint: EndpointID, _ preposition: String) -> String {
    let index = Int(endpoint.index)
    guard endpointHosts.count > 1, index < endpointHosts.count else { return "" }
    let host = Int(endpointHosts[index])
    var text = names.suffix(preposition, host: host)
    if hostsWithKeys.contains(endpointHosts[index]) {
      if let options = options[index].map(ScriptNames.options) {
        text += options.isEmpty ? " without options" : " with \(options)"
      }
    }
    return text
  }

  /// Returns the name of a channel; there is at most one live channel for a key.
  func name(_ id: ChannelID) -> String { "the channel\(suffix(id.endpoint, "to"))" }
}

/// The names of a run's connections, which depend on all connections of the run.
struct ConnectionNames: Sendable {
  /// A group of connections that differ only in their order.
  private struct Kind: Hashable {
    var host: UInt32
    var path: PathIndex?
  }

  private struct Row {
    var kind: Kind
    /// The number of the connection within its kind, from 1, or 0 if it is never established.
    var rank = 0
    var name = ""
  }

  private var rows: ContiguousArray<Row> = []
  private var positions: [ConnectionID: Int] = [:]  // lookup only

  init(_ records: ContiguousArray<TraceRecord>, _ names: ScriptNames) {
    var counts: [Kind: Int] = [:]  // lookup only
    for record in records {
      switch record.body {
      case .world(.attemptBegan(let id, let host, let path)):
        positions[id] = rows.count
        rows.append(Row(kind: Kind(host: host, path: path)))
      case .world(.attemptMoved(let id, let path)):
        if let index = positions[id] { rows[index].kind.path = path }
      case .event(.pool(.connected(let id))):
        guard let index = positions[id] else { break }
        counts[rows[index].kind, default: 0] += 1
        rows[index].rank = counts[rows[index].kind, default: 0]
      case .event, .effect, .world, .chain, .request: break
      }
    }
    for index in rows.indices {
      let (kind, rank) = (rows[index].kind, rows[index].rank)
      let isOneOfMany = rank > 0 && counts[kind, default: 0] > 1
      let which = isOneOfMany ? "\(ScriptNames.ordinal(rank)) connection" : "connection"
      rows[index].name =
        "the \(rank > 0 ? which : "attempt to connect") \(names.way(kind.path))"
        + names.suffix("to", host: Int(kind.host))
    }
  }

  /// Returns the name of a connection, or of the attempt to establish it.
  func name(_ id: ConnectionID) -> String {
    positions[id].map { rows[$0].name } ?? "the connection"
  }

  /// Returns whether a connection attempt succeeds eventually.
  func isMade(_ id: ConnectionID) -> Bool {
    positions[id].map { rows[$0].rank > 0 } ?? false
  }
}
