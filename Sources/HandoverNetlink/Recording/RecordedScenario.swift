import HandoverCore
import HandoverScenario

/// A scenario that replays a recording: its flags and paths over time, and one call.
///
/// Times are counted from the beginning of the recording, in whole milliseconds. The call starts
/// when the first network is available and streams until half a minute after the last change. A
/// replay thus shows where each profile would have lost the call. The scenario contains no
/// expectations; its author adds them.
public struct RecordedScenario: Sendable {
  /// The ID of the scenario.
  public var id: String
  /// The value of `$schema`, or `nil` to omit the key.
  public var schema: String?
  /// The origin of the recording, in sentences.
  public var origin: [String]
  /// Whether interfaces and gateways are numbered instead of named.
  public var isAnonymous: Bool
  private let recording: Recording

  /// The duration of the call after the last change.
  private static let afterwards: Int64 = 30_000_000
  private static let host = "api.example:443"

  /// Creates a scenario from a recording.
  ///
  /// - Precondition: The recording has at least one moment.
  public init(
    _ recording: Recording, id: String, schema: String? = nil, origin: [String] = [],
    isAnonymous: Bool = false
  ) {
    precondition(!recording.moments.isEmpty, "a recording must contain the initial state")
    self.recording = recording
    self.id = id
    self.schema = schema
    self.origin = origin
    self.isAnonymous = isAnonymous
  }

  /// The scenario file in its canonical layout.
  public var bytes: [UInt8] {
    var json = JSONText()
    json.beginObject()
    if let schema { json.member("$schema", schema) }
    json.member("format", 1)
    json.member("id", id)
    json.member("title", title)
    writeInitial(to: &json)
    json.key("hosts")
    json.beginObject()
    json.key(Self.host)
    json.beginObject()
    json.member("connect", "50ms")
    json.endObject()
    json.endObject()
    writeTimeline(to: &json)
    json.array("comment", of: origin + recording.remarks) { $0.value($1) }
    json.endObject()
    guard let document = try? JSONReader.read(json.bytes) else {
      preconditionFailure("the recorded scenario is not valid JSON")
    }
    return CanonicalText.of(document)
  }

  /// The sequence of categories, shortened to one line.
  private var title: String {
    var names: [String] = []
    for moment in recording.moments where names.last != moment.category.description {
      names.append(moment.category.description)
    }
    let shown = names.prefix(6).joined(separator: ", ")
    return "Recorded: " + shown + (names.count > 6 ? " and on" : "")
  }

  private func writeInitial(to json: inout JSONText) {
    let first = recording.moments[0]
    json.key("initial")
    json.beginObject()
    Self.write(first.flags, to: &json)
    Self.write(names.remark(on: first), to: &json)
    json.endObject()
  }

  private func writeTimeline(to json: inout JSONText) {
    let moments = recording.moments
    let paths = recording.paths
    let names = names
    let callIndex = moments.firstIndex { $0.category != .noNetwork } ?? 0
    json.key("timeline")
    json.beginArray()
    var path = paths[0]
    for (index, moment) in moments.enumerated() {
      if index > 0 {
        json.beginObject()
        json.member("at", Self.time(moment.microseconds))
        let before = moments[index - 1]
        let isMove = paths[index] != nil && paths[index] != path
        // A category change alone already moves the device to the usual path of that category.
        let isDefault =
          moment.category != before.category
          && paths[index] == Recording.defaultPath(of: moment.category)
        if moment.flags != before.flags { Self.write(moment.flags, to: &json) }
        if isMove, !isDefault { json.member("path", paths[index]) }
        path = paths[index]
        Self.write(names.remark(on: moment), to: &json)
        json.endObject()
      }
      if index == callIndex { writeCall(at: moment.microseconds, to: &json) }
    }
    json.endArray()
  }

  private func writeCall(at microseconds: Int64, to json: inout JSONText) {
    let end = (recording.moments.last?.microseconds ?? 0) + Self.afterwards
    json.beginObject()
    json.member("at", Self.time(microseconds))
    json.key("call")
    json.beginObject()
    json.member("id", "stream")
    json.member("host", Self.host)
    json.member("kind", "streaming")
    json.member("deadline", Self.time(end - microseconds))
    json.endObject()
    json.endObject()
  }

  private static func write(_ remark: String?, to json: inout JSONText) {
    if let remark { json.member("comment", remark) }
  }

  private static func time(_ microseconds: Int64) -> String {
    Interval(microseconds: microseconds / 1_000 * 1_000).text
  }

  private static func write(_ flags: ReachabilityFlags, to json: inout JSONText) {
    json.key("flags")
    json.beginArray()
    for (name, flag) in ReachabilityFlags.names where flags.contains(flag) { json.value(name) }
    json.endArray()
  }

  private var names: NetworkNames {
    NetworkNames(recording.moments.compactMap(\.network), isAnonymous: isAnonymous)
  }
}

/// The names of interfaces and gateways in comments.
private struct NetworkNames {
  private var interfaces: [String] = []
  private var gateways: [String] = []
  private let isAnonymous: Bool

  init(_ networks: [Recording.Network], isAnonymous: Bool) {
    self.isAnonymous = isAnonymous
    guard isAnonymous else { return }
    for network in networks {
      if !interfaces.contains(network.interface) { interfaces.append(network.interface) }
      if let gateway = network.gateway, !gateways.contains(gateway) { gateways.append(gateway) }
    }
  }

  /// Describes the network of a moment, or returns `nil` if it is unknown.
  func remark(on moment: Recording.Moment) -> String? {
    guard let network = moment.network else { return nil }
    let interface = called(network.interface, "interface", interfaces)
    guard let gateway = network.gateway else { return interface }
    return "\(interface) via \(called(gateway, "gateway", gateways))"
  }

  private func called(_ name: String, _ noun: String, _ known: [String]) -> String {
    guard isAnonymous, let index = known.firstIndex(of: name) else { return name }
    return "\(noun) \(index + 1)"
  }
}
