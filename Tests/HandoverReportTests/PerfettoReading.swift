/// A reader for the parts of Perfetto's format that the report uses, written from its definition.
struct PerfettoReading {
  struct Track: Hashable {
    var name = ""
    var parent: UInt64?
    var pid: UInt64?
  }

  struct Event: Hashable {
    /// 1 is the beginning of a slice, 2 its end, and 3 an instant.
    var type: UInt64 = 0
    var at: UInt64 = 0
    var track: UInt64 = 0
    var name = ""
    var category = ""
    var flows: [UInt64] = []
    var lastFlows: [UInt64] = []
    var details: [String: String] = [:]
  }

  enum Problem: Error { case truncated, unknownType(UInt64), unknownField(UInt64) }

  var tracks: [UInt64: Track] = [:]
  var events: [Event] = []
  /// One line for each packet.
  var lines: [String] = []

  /// A value of a field.
  private enum Value {
    case number(UInt64)
    case bytes([UInt8])

    var number: UInt64 { if case .number(let number) = self { number } else { 0 } }
    var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  init(_ bytes: [UInt8]) throws {
    for (field, packet) in try Self.fields(of: bytes) {
      guard field == 1 else { throw Problem.unknownField(field) }
      try read(packet: packet.bytes)
    }
  }

  private mutating func read(packet: [UInt8]) throws {
    var at: UInt64 = 0
    for (field, value) in try Self.fields(of: packet) {
      switch field {
      case 8: at = value.number
      case 10: break
      case 11: try read(event: value.bytes, at: at)
      case 60: try read(track: value.bytes)
      default: throw Problem.unknownField(field)
      }
    }
  }

  private mutating func read(track bytes: [UInt8]) throws {
    var track = Track()
    var id: UInt64 = 0
    for (field, value) in try Self.fields(of: bytes) {
      switch field {
      case 1: id = value.number
      case 2: track.name = value.text
      case 3:
        for (field, value) in try Self.fields(of: value.bytes) {
          if field == 1 { track.pid = value.number }
          if field == 6 { track.name = value.text }
        }
      case 5: track.parent = value.number
      case 11, 12, 15: break
      default: throw Problem.unknownField(field)
      }
    }
    tracks[id] = track
    let position = track.parent.map { "in \($0)" } ?? track.pid.map { "process \($0)" } ?? ""
    lines.append("track \(id) \(position): \(track.name)")
  }

  private mutating func read(event bytes: [UInt8], at: UInt64) throws {
    var event = Event(at: at)
    for (field, value) in try Self.fields(of: bytes) {
      switch field {
      case 4:
        let parts = try Self.fields(of: value.bytes)
        event.details[parts[0].1.text] = parts[1].1.text
      case 9: event.type = value.number
      case 11: event.track = value.number
      case 22: event.category = value.text
      case 23: event.name = value.text
      case 47: event.flows.append(value.number)
      case 48: event.lastFlows.append(value.number)
      default: throw Problem.unknownField(field)
      }
    }
    events.append(event)
    let type = ["?", "begin", "end", "instant"][Int(min(event.type, 3))]
    let flows = event.flows.map { " flow \($0)" } + event.lastFlows.map { " last of flow \($0)" }
    let details = event.details.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    lines.append(
      "\(at) \(type) on \(event.track): \(event.category) \(event.name)"
        + (flows + details).joined())
  }

  private static func fields(of bytes: [UInt8]) throws -> [(UInt64, Value)] {
    var fields: [(UInt64, Value)] = []
    var rest = bytes[...]
    func varint() throws -> UInt64 {
      var (value, shift) = (UInt64(0), UInt64(0))
      while true {
        guard let byte = rest.popFirst() else { throw Problem.truncated }
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { return value }
      }
    }
    func part(_ count: Int) throws -> [UInt8] {
      guard rest.count >= count else { throw Problem.truncated }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    while !rest.isEmpty {
      let key = try varint()
      switch key & 7 {
      case 0: fields.append((key >> 3, .number(try varint())))
      case 1:
        let value = try part(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        fields.append((key >> 3, .number(value)))
      case 2: fields.append((key >> 3, .bytes(try part(Int(try varint())))))
      case let type: throw Problem.unknownType(type)
      }
    }
    return fields
  }
}
