import HandoverCore
import HandoverScenario

/// Formats records as one line for users: `effect channelMoved channel=0/1 from=IDLE ...`.
struct RecordText {
  private var writer: TraceWriter

  /// Creates a formatter that knows the names in a trace.
  init(_ recorded: RecordedTrace) {
    writer = TraceWriter(recorded.script, for: recorded.trace)
    // Identifiers have names only after the introduction of their call, so all introductions are
    // read first.
    for record in recorded.trace.records {
      if case .world(.callIntroduced) = record.body { writer.write(record) }
      writer.removeAll()
    }
  }

  /// Returns a record as text, without its instant.
  mutating func of(_ body: TraceRecord.Body) -> String {
    writer.removeAll()
    writer.write(TraceRecord(at: .zero, body: body))
    let bytes = Array(writer.bytes.dropLast())
    guard let document = try? JSONReader.read(bytes) else { return "" }
    var words: [String] = []
    for member in document.root.members where member.key.text != "at" {
      words.append(member.key.text ?? "")
      for inner in member.value.members {
        words.append(inner.key.text ?? "")
        for part in inner.value.members {
          let name = part.key.text ?? ""
          words.append("\(name)=\(Self.spelt(part.value, of: name, in: bytes))")
        }
      }
    }
    return VisibleText.of(words.joined(separator: " "))
  }

  private static func spelt(_ value: JSONValue, of name: String, in bytes: [UInt8]) -> String {
    switch value.kind {
    case .null: return "none"
    case .text: return value.text ?? ""
    case .array:
      let isPair = value.elements.allSatisfy { $0.kind == .number }
      let parts = value.elements.map { spelt($0, of: "", in: bytes) }
      return parts.joined(separator: isPair ? "/" : ",")
    case .number, .true, .false, .object:
      let notation = bytes[value.offset..<value.offset + value.byteCount]
      let text = String(decoding: notation, as: UTF8.self)
      guard name == "deadline", let microseconds = Int64(text) else { return text }
      return Instant(microseconds: microseconds).text
    }
  }
}
