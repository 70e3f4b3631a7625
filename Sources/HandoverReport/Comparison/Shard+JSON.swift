import HandoverCore

extension RunDescription.Shard {
  func write(into json: inout JSONText) {
    json.key("shard")
    json.beginObject()
    json.member("index", index)
    json.member("count", count)
    if let plan { json.member("plan", plan) }
    json.endObject()
  }

  /// Reads the shard of a report, or returns `nil` if the report covers the whole.
  static func read(_ fields: JSONFields) throws(InputError) -> RunDescription.Shard? {
    guard let value = fields.optional("shard") else { return nil }
    let part = try JSONFields(value, as: "a shard", in: fields.line)
    let count = try part.number("count", in: 1...maximumCount)
    var shard = RunDescription.Shard(index: try part.number("index", in: 1...count), count: count)
    if part.optional("plan") != nil { shard.plan = try part.text("plan") }
    return shard
  }
}

extension Harness {
  static func read(_ fields: JSONFields) throws(InputError) -> Harness {
    let made = try fields.object("harness")
    return Harness(
      version: try made.text("version"), commit: try made.textOrNull("commit"),
      kernel: try made.textOrNull("kernel"))
  }
}
