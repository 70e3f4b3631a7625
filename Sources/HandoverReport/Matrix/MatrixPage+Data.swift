import HandoverCore

// The data of the page: the details of a case that a user opens.
extension Matrix {
  /// The data as one JSON object, which stores each string and instant once and refers to it by
  /// index.
  var pageData: [UInt8] {
    var data = PageData(stories)
    data.write(self)
    return data.json.bytes
  }
}

/// Writes the data of a page.
private struct PageData {
  private(set) var json = JSONText()
  private var texts: [String] = []
  private var textIndices: [String: Int] = [:]  // lookup only
  private let instants: [Instant]
  private var instantIndices: [Instant: Int] = [:]  // lookup only

  init(_ stories: [CaseStory]) {
    var all: [Instant] = []
    for story in stories {
      all += story.rows.map(\.at) + story.marks + story.remarks.compactMap(\.at)
      all += story.lanes.flatMap(\.spans).flatMap { [$0.from, $0.to] }
      all.append(story.endedAt)
    }
    var kept: [Instant] = []
    for instant in all.sorted() where kept.last != instant { kept.append(instant) }
    instants = kept
    for (index, instant) in kept.enumerated() { instantIndices[instant] = index }
  }

  mutating func write(_ matrix: Matrix) {
    json.beginObject()
    array("columns", matrix.columns) { data, column in
      data.json.value(VisibleText.of(matrix.label(of: column.backend)))
      data.json.value(VisibleText.of(column.profile))
    }
    array("rows", matrix.rows) { data, row in
      for cell in row.cells {
        guard case .run(let one) = cell else {
          data.json.value(0)
          continue
        }
        data.array { data in
          data.json.value(one.story)
          // The first words depend on the row, and the other words on the column.
          data.text(one.command.prefix(Matrix.wordsOfRow).joined(separator: " "))
          data.text(one.command.dropFirst(Matrix.wordsOfRow).joined(separator: " "))
        }
      }
    }
    array("stories", matrix.stories) { $0.write($1) }
    array("instants", instants) { data, instant in
      data.json.value(instant.microseconds)
      data.json.value(instant.exactText)
    }
    json.key("texts")
    json.beginArray()
    for text in texts { json.value(text) }
    json.endArray()
    json.endObject()
  }

  /// Writes a story.
  ///
  /// The parts are the expectations, the other findings, the figures, the rows, the number of
  /// further rows, the lanes, the marks, and the end.
  private mutating func write(_ story: CaseStory) {
    list(story.expected) { data, expected in
      data.json.value(expected.state.rawValue)
      data.text(expected.text)
      data.text(expected.seen ?? "")
      data.text(expected.location)
    }
    list(story.remarks) { data, remark in
      data.text(remark.kind)
      data.text(remark.expected)
      data.text(remark.seen)
      data.json.value(remark.at.map(data.index) ?? -1)
    }
    text(story.figures ?? "")
    list(story.rows) { data, row in
      data.json.value(data.index(row.at))
      for cell in row.cells { data.text(cell) }
    }
    json.value(story.omittedRowCount)
    list(story.lanes) { data, lane in
      data.json.value(lane.kind.rawValue)
      data.text(lane.name)
      data.list(lane.spans) { data, span in
        data.json.value(data.index(span.from))
        data.json.value(data.index(span.to))
        data.text(span.text)
        data.json.value(span.tone.rawValue)
      }
    }
    json.beginArray()
    for mark in story.marks { json.value(index(mark)) }
    json.endArray()
    json.value(index(story.endedAt))
  }

  // MARK: Pieces

  private mutating func array<Element>(
    _ name: String, _ elements: [Element], _ members: (inout PageData, Element) -> Void
  ) {
    json.key(name)
    list(elements, members)
  }

  private mutating func list<Element>(
    _ elements: [Element], _ members: (inout PageData, Element) -> Void
  ) {
    json.beginArray()
    for element in elements { array { members(&$0, element) } }
    json.endArray()
  }

  private mutating func array(_ members: (inout PageData) -> Void) {
    json.beginArray()
    members(&self)
    json.endArray()
  }

  private func index(_ instant: Instant) -> Int { instantIndices[instant] ?? 0 }

  /// Writes the index of a string, after making its characters visible.
  private mutating func text(_ text: String) {
    let visible = VisibleText.of(text)
    let index = textIndices[visible] ?? texts.count
    if index == texts.count {
      textIndices[visible] = index
      texts.append(visible)
    }
    json.value(index)
  }
}
