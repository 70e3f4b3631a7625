import HandoverCore
import HandoverTry

/// The timeline of a run as a drawing with one time axis for all lanes, and as a list of events.
///
/// Shapes have horizontal coordinates from 0 to ``scale``, and are stretched to the width of the
/// page. Texts keep their size, so that they can be read on a narrow screen.
struct TryDrawing {
  private let timeline: TryTimeline
  private let legs: [RecoveryLeg]
  private let title: String
  /// The vertical position of the next lane.
  private var y = 0
  private var shapes = ""
  private var texts = ""

  /// The horizontal coordinate of the end of the timeline.
  private static let scale: Int64 = 1_000
  /// The number of columns in which the strokes of a lane are merged.
  private static let columnCount: Int64 = 250
  /// The numbers of connections to draw: the first ones, and those opened around the first change.
  ///
  /// Further connections are only counted.
  private static let (firstConnectionCount, changeConnectionCount) = (4, 12)
  /// The maximum number of network changes, and of networks, to draw.
  private static let maximumMarkCount = 50
  /// The maximum number of network changes with names, each of which has a row.
  private static let nameRowCount = 8
  private static let rowHeight = 18
  /// The maximum height of the bars for packets.
  private static let barHeight = 14

  init(_ timeline: TryTimeline, _ legs: [RecoveryLeg] = [], of title: String) {
    self.timeline = timeline
    self.legs = legs.count > 1 ? legs : []
    self.title = title
    draw()
  }

  /// The drawing and the list of events.
  var html: String {
    """
    <svg width="100%" height="\(y)" role="img" aria-label="\(HTMLText.of(label))">\
    <svg viewBox="0 0 \(Self.scale) \(y)" preserveAspectRatio="none" width="100%" height="\(y)">\
    \(shapes)</svg>\(texts)</svg>
    \(remainder)\(TryEvents(timeline).html)
    """
  }

  private var remainder: String {
    let more = timeline.connections.count - drawnConnections.count
    return more > 0 ? "<p class=\"figures\">and \(counted(more, "more connection"))</p>\n" : ""
  }

  /// The description of the drawing for screen readers.
  private var label: String {
    let changes = timeline.changes.prefix(Self.maximumMarkCount).map {
      "\(TryEvents.clipped($0.text)) at \(TryEvents.seconds($0.at))"
    }
    let counts = [
      counted(timeline.connections.count, "connection"), packetWords,
      counted(timeline.lines.count, "line") + " of output",
      counted(timeline.server.count, "server event"),
    ]
    let parts = legs.map { "\($0.kind.rawValue) \($0.length.readable)" }
    let legs = parts.isEmpty ? "" : "; legs of \(title): \(parts.joined(separator: ", "))"
    return "timeline of \(title): " + (counts + changes).joined(separator: "; ") + legs
  }

  private var packetWords: String {
    let (sent, received) = (timeline.packets.sent, timeline.packets.received)
    return "\(counted(Self.sum(sent[...]), "packet")) sent, "
      + "\(Self.sum(received[...])) received"
  }

  private static func sum(_ counts: ArraySlice<UInt32>) -> Int { counts.reduce(0) { $0 + Int($1) } }

  // MARK: Positions

  private func x(_ at: Instant) -> Int64 {
    let end = max(1, timeline.end.microseconds)
    return min(max(0, at.microseconds), end) * Self.scale / end
  }

  private static func percent(_ x: Int64) -> String {
    x % 10 == 0 ? "\(x / 10)%" : "\(x / 10).\(x % 10)%"
  }

  /// Adds a text that begins at a position, or that ends there in the second half of the drawing.
  ///
  /// The text is HTML inside the drawing, because SVG cannot end a long text with an ellipsis. The
  /// list of events contains the complete text.
  private mutating func addText(
    _ text: String, at x: Int64, isAtEnd: Bool? = nil, cssClass: String? = nil
  ) {
    let isAtEnd = isAtEnd ?? (x > Self.scale / 2)
    let (start, width) = isAtEnd ? (0, x) : (x, Self.scale - x)
    let classes = [cssClass, x == 0 ? nil : isAtEnd ? "end" : "start"].compactMap { $0 }
    texts += "<foreignObject x=\"\(Self.percent(start))\" y=\"\(y)\""
    texts += " width=\"\(Self.percent(width))\" height=\"\(Self.rowHeight)\">"
    texts += "<div" + (classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"")
    texts += ">\(HTMLText.of(TryEvents.clipped(text)))</div></foreignObject>"
  }

  private mutating func addHeading(_ text: String) {
    addText(text, at: 0, cssClass: "lane")
    y += Self.rowHeight
  }

  private mutating func addBar(_ cssClass: String, from: Int64, to: Int64, height: Int) {
    shapes += "<rect class=\"\(cssClass)\" x=\"\(from)\" y=\"\(y)\""
    shapes += " width=\"\(max(3, to - from))\" height=\"\(height)\"/>"
  }

  private mutating func addLine(_ cssClass: String, from: Int64, to: Int64) {
    shapes += "<line class=\"\(cssClass)\" x1=\"\(from)\" x2=\"\(to)\" y1=\"\(y)\" y2=\"\(y)\"/>"
  }

  /// Adds vertical strokes at instants, at most one in each column.
  private mutating func addStrokes(
    _ cssClass: String, at instants: some Sequence<Instant>, from offset: Int, height: Int
  ) {
    let width = Self.scale / Self.columnCount
    var columns: [Bool] = Array(repeating: false, count: Int(Self.columnCount) + 1)
    for at in instants { columns[Int(x(at) / width)] = true }
    let strokes = columns.indices.filter { columns[$0] }.map {
      "M\(Int64($0) * width) \(y + offset)v\(height)"
    }
    guard !strokes.isEmpty else { return }
    shapes += "<path class=\"\(cssClass)\" d=\"\(strokes.joined())\"/>"
  }

  // MARK: Lanes

  private mutating func draw() {
    drawChangeNames()
    drawNetworks()
    drawLegs()
    drawConnections()
    drawPackets()
    drawOutput()
    drawServer()
    drawAxis()
  }

  /// Draws the names of the network changes; their lines are drawn when the height is known.
  private mutating func drawChangeNames() {
    for change in namedChanges {
      addText(change.text, at: x(change.at))
      y += Self.rowHeight
    }
  }

  /// The first network changes, and the last one, which can be the end of the program.
  private var namedChanges: [TryTimeline.Mark] {
    timeline.changes.count > Self.nameRowCount
      ? timeline.changes.prefix(Self.nameRowCount - 1) + timeline.changes.suffix(1)
      : timeline.changes
  }

  private mutating func drawNetworks() {
    let networks = timeline.networks.prefix(Self.maximumMarkCount)
    let names = networks.map(\.text).joined(separator: " → ")
    addHeading("networks\(names.isEmpty ? "" : ": \(names)")")
    let ends = networks.dropFirst().map(\.at) + [timeline.end]
    for (network, end) in zip(networks, ends) where !network.text.hasPrefix(TryTimeline.noNetwork) {
      let (from, to) = (x(network.at), x(end))
      addBar("network", from: from, to: max(from, to - 3), height: 10)
    }
    y += 14
  }

  private mutating func drawLegs() {
    guard let change = timeline.changes.first?.at, !legs.isEmpty else { return }
    addHeading("legs of the recovery")
    var start = change
    for leg in legs {
      let end = start + leg.length
      let (from, to) = (x(start), x(end))
      addBar("leg", from: from, to: to, height: 6)
      y += 4
      addText("\(leg.kind.rawValue) \(leg.length.readable)", at: from)
      y += Self.rowHeight
      start = end
    }
  }

  private var drawnConnections: [TryTimeline.Connection] {
    let first = timeline.connections.prefix(Self.firstConnectionCount)
    let others = timeline.connections.dropFirst(Self.firstConnectionCount)
    let change = timeline.changes.first?.at ?? .zero
    let middle = others.firstIndex { $0.opened >= change } ?? others.endIndex
    let count = Self.changeConnectionCount
    let start = max(
      others.startIndex, min(middle - count / 2, others.endIndex - count))
    return Array(first) + others.dropFirst(start - others.startIndex).prefix(count)
  }

  private mutating func drawConnections() {
    for connection in drawnConnections {
      addHeading(connection.name)
      y += 6
      let end = connection.closed ?? timeline.end
      let last = min(connection.lastPacket ?? end, end)
      let kind = connection.isAnswered ? "flow" : "flow dead"
      let (from, to) = (x(connection.opened), x(last))
      addLine("idle", from: from, to: x(end))
      addLine(kind, from: from, to: max(from + 3, to))
      addStrokes("payload", at: connection.payload, from: -8, height: 7)
      addStrokes("resent", at: connection.resent, from: 1, height: 7)
      y += 12
    }
  }

  private mutating func drawPackets() {
    addHeading("packets: sent above the line, received below")
    y += Self.barHeight
    addLine("grid", from: 0, to: Self.scale)
    addBars("sent", timeline.packets.sent, direction: -1)
    addBars("received", timeline.packets.received, direction: 1)
    y += Self.barHeight + 4
  }

  /// Adds a bar for each column with packets; a bar grows by the same length if the number doubles.
  private mutating func addBars(_ cssClass: String, _ counts: [UInt32], direction: Int) {
    let period = PacketCounts.period.microseconds
    let width = Self.scale / Self.columnCount
    var columns = Array(repeating: 0, count: Int(Self.columnCount) + 1)
    for (position, count) in counts.enumerated() where count > 0 {
      columns[Int(x(Instant(microseconds: Int64(position) * period)) / width)] += Int(count)
    }
    let bars = columns.indices.filter { columns[$0] > 0 }.map { position in
      let bits = Int.bitWidth - columns[position].leadingZeroBitCount
      let height = direction * min(Self.barHeight, 3 + 2 * bits)
      return "M\(Int64(position) * width) \(y)v\(height)"
    }
    guard !bars.isEmpty else { return }
    shapes += "<path class=\"\(cssClass)\" d=\"\(bars.joined())\"/>"
  }

  private mutating func drawOutput() {
    addHeading("output: \(counted(timeline.lines.count, "line"))")
    addStrokes("output", at: timeline.lines.lazy.map(\.at), from: 2, height: 10)
    y += Self.rowHeight
  }

  private mutating func drawServer() {
    addHeading("servers: \(counted(timeline.server.count, "event"))")
    addStrokes("server", at: timeline.server.lazy.map(\.at), from: 2, height: 10)
    y += Self.rowHeight
  }

  private mutating func drawAxis() {
    // The axis has at most a dozen labels, although a watch may take 20 min.
    let steps: [Int64] = [5, 10, 30, 60, 120, 300]
    let step = 1_000_000 * (steps.first { $0 * 12_000_000 >= timeline.end.microseconds } ?? 600)
    let ticks = stride(from: 0, through: timeline.end.microseconds, by: Int(step)).map {
      Instant(microseconds: $0)
    }
    let grid = ticks.map { "M\(x($0)) 0V\(y)" }.joined()
    var lines = "<path class=\"grid\" d=\"\(grid)\"/>"
    for (position, change) in namedChanges.enumerated() {
      lines += "<path class=\"act\" d=\"M\(x(change.at)) \(position * Self.rowHeight)V\(y)\"/>"
    }
    for change in timeline.changes.dropFirst(Self.nameRowCount).prefix(Self.maximumMarkCount) {
      lines +=
        "<path class=\"act\" d=\"M\(x(change.at)) \(namedChanges.count * Self.rowHeight)V\(y)\"/>"
    }
    shapes = lines + shapes
    // A narrow screen has room for half of many labels.
    texts += ticks.count > 6 ? "<g class=\"dense\">" : "<g>"
    for at in ticks {
      let isLate = x(at) > Self.scale * 9 / 10
      addText(TryEvents.seconds(at), at: x(at), isAtEnd: isLate, cssClass: "axis")
    }
    texts += "</g>"
    y += Self.rowHeight
  }
}

/// The events of a timeline as a list with a limited length.
struct TryEvents {
  private let timeline: TryTimeline

  /// The maximum number of events of one kind: as many from the beginning as from the end.
  private static let maximumCount = 50
  /// The maximum length of a text in Unicode scalars.
  private static let maximumLength = 120

  private struct Event {
    var at: Instant
    var kind: String
    var text: String
    var frames: String?
  }

  init(_ timeline: TryTimeline) {
    self.timeline = timeline
  }

  var html: String {
    let kinds: [[Event]] = [
      events("network", timeline.networks), events("change", timeline.changes), connections,
      events("output", timeline.lines.filter { !$0.text.allSatisfy(\.isWhitespace) }),
      events("server", timeline.server),
    ]
    let count = kinds.reduce(0) { $0 + $1.count }
    guard count > 0 else { return "" }
    let items = kinds.flatMap(Self.shortened).sorted { $0.at < $1.at }.map(item)
    let file = timeline.captureFile.map { file in
      "<p>Frames of <code>\(HTMLText.of(Self.clipped(Self.lastPart(of: file))))</code></p>\n"
    }
    return "<details><summary>\(counted(count, "event"))</summary>\n\(file ?? "")<ol>\n"
      + "\(items.joined())</ol></details>\n"
  }

  private var connections: [Event] {
    timeline.connections.map { connection in
      Event(
        at: connection.opened, kind: "connection", text: connection.name,
        frames: connection.frames.map {
          $0.count > 1 ? "frames \($0.lowerBound)–\($0.upperBound)" : "frame \($0.lowerBound)"
        })
    }
  }

  private func events(_ kind: String, _ marks: [TryTimeline.Mark]) -> [Event] {
    marks.map {
      Event(at: $0.at, kind: kind, text: $0.text, frames: $0.frame.map { "frame \($0)" })
    }
  }

  private static func shortened(_ events: [Event]) -> [Event] {
    guard events.count > maximumCount else { return events }
    let (first, last) = (events.prefix(maximumCount / 2), events.suffix(maximumCount / 2))
    var gap = events[first.endIndex]
    gap.text = "… \(events.count - maximumCount) more events of this kind"
    gap.frames = nil
    return first + [gap] + last
  }

  private func item(_ event: Event) -> String {
    "<li><time>\(Self.seconds(event.at))</time><i>\(event.kind)</i> "
      + HTMLText.of(Self.clipped(event.text))
      + (event.frames.map { " <code>\($0)</code>" } ?? "") + "</li>\n"
  }

  private static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  static func seconds(_ at: Instant) -> String {
    at == .zero ? "0 s" : at.since(.zero).readable
  }

  /// Returns the beginning of a text that is too long for a page.
  static func clipped(_ text: String) -> String { VisibleText.clipped(text, to: maximumLength) }
}
