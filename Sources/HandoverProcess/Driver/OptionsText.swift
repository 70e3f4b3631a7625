import HandoverCore
import HandoverJSON
import HandoverTrace

/// The options of a key, as a client elsewhere gives them back.
struct OptionsText {
  /// Names and values, sorted; times as whole microseconds.
  private let members: [[String]]

  init(_ value: JSONValue) {
    guard value.kind == .object else {
      members = []
      return
    }
    members = value.members.map { member in
      let number = member.value.wholeNumber.map { String($0) }
      return [member.key.text ?? "", member.value.text ?? number ?? ""]
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether they are what the harness wrote for some options.
  func isSame(as options: ChannelOptions) -> Bool {
    var json = JSONText()
    json.beginObject()
    json.options(options)
    json.endObject()
    guard let written = try? JSONReader.read(json.bytes).root else { return false }
    for member in written.members { return OptionsText(member.value).members == members }
    return false
  }
}
