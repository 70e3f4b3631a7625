import HandoverCore
import HandoverScenario

/// The reports of all shards of a whole, each exactly once, in the order of the shards.
struct ShardSet {
  /// The index of each shard's report among the given reports.
  let order: [Int]

  /// The shard information of a report.
  struct Member {
    var file: String
    /// The shard, or `nil` if the report covers the whole.
    var shard: RunDescription.Shard?
  }

  /// Sorts reports by shard.
  ///
  /// - Parameters:
  ///   - members: the reports, in any order.
  ///   - command: the command that writes such a report, without the shard option.
  /// - Throws: ``InputError`` if a shard is missing or occurs twice, or if a report has no shard.
  init(_ members: [Member], madeBy command: String) throws(InputError) {
    let hint = "create the report with `\(command) --shard 1/4` and the other options"
    guard let first = members.first else {
      throw Self.error("", "there is no report", hint)
    }
    var indices: [Int: Int] = [:]  // lookup only
    for (index, member) in members.enumerated() {
      guard let shard = member.shard else {
        throw Self.error(member.file, "the report is not from a shard", hint)
      }
      guard shard.count == first.shard?.count else {
        throw Self.error(
          member.file, "the number of shards differs from \(first.file)",
          "use the same number of shards for all")
      }
      if let other = indices.updateValue(index, forKey: shard.index) {
        throw Self.error(
          member.file,
          "shard \(shard.index) of \(shard.count) is also in \(members[other].file)",
          "name the report of each shard once")
      }
    }
    let count = first.shard?.count ?? 0
    let missing = (1...max(1, count)).filter { indices[$0] == nil }
    guard missing.isEmpty else {
      let named = missing.prefix(5).map(String.init).joined(separator: ", ")
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      throw Self.error(
        first.file,
        "of \(count) shards \(named)\(more) \(missing.count == 1 ? "is" : "are") missing",
        "run the shard with the options of the others: \(command) --shard \(missing[0])/\(count)")
    }
    order = (1...count).compactMap { indices[$0] }
  }

  static func error(_ file: String, _ message: String, _ hint: String) -> InputError {
    InputError(
      file: file, position: TextPosition(line: 1, column: 1), message: message, hint: hint)
  }
}
