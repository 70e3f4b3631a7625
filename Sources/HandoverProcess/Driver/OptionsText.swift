import HandoverCore

/// The options of a key, in the form in which a remote client returns them.
struct OptionsText {
  /// The sorted names and values; times are integers in microseconds.
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

  /// Returns whether these options equal what the harness wrote for some options.
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
