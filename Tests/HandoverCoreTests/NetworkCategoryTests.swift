import HandoverCore
import Testing

@Suite("The category of a set of flags")
struct NetworkCategoryTests {
  /// The table of the specification, row by row: Reachable, ConnectionRequired, IsWWAN (M1).
  struct Row: Sendable, CustomTestStringConvertible {
    var reachable: Bool
    var connectionRequired: Bool
    var isWWAN: Bool
    var category: NetworkCategory

    var flags: ReachabilityFlags {
      var flags: ReachabilityFlags = []
      if reachable { flags.insert(.reachable) }
      if connectionRequired { flags.insert(.connectionRequired) }
      if isWWAN { flags.insert(.isWWAN) }
      return flags
    }

    var testDescription: String { "\(flags) is \(category)" }
  }

  static let table = [
    Row(reachable: false, connectionRequired: false, isWWAN: false, category: .noNetwork),
    Row(reachable: false, connectionRequired: false, isWWAN: true, category: .noNetwork),
    Row(reachable: false, connectionRequired: true, isWWAN: false, category: .noNetwork),
    Row(reachable: false, connectionRequired: true, isWWAN: true, category: .noNetwork),
    Row(reachable: true, connectionRequired: false, isWWAN: false, category: .wifi),
    Row(reachable: true, connectionRequired: false, isWWAN: true, category: .cellular),
    Row(reachable: true, connectionRequired: true, isWWAN: false, category: .noNetwork),
    Row(reachable: true, connectionRequired: true, isWWAN: true, category: .noNetwork),
  ]

  /// The flags that the table of the specification ignores (M4).
  static let ignored: [ReachabilityFlags] = [
    .transientConnection, .connectionOnTraffic, .interventionRequired, .connectionOnDemand,
    .isLocalAddress, .isDirect,
  ]

  @Test(
    "Three flags decide the category, and the six others change nothing (M1, M4)", arguments: table)
  func followsTheTable(_ row: Row) {
    for others in 0..<64 {
      var flags = row.flags
      for (index, flag) in Self.ignored.enumerated() where others & 1 << index != 0 {
        flags.insert(flag)
      }
      #expect(NetworkCategory(flags) == row.category, "\(flags)")
    }
  }

  @Test("Bits without a name change nothing (M4)", arguments: table)
  func ignoresUnnamedBits(_ row: Row) {
    let unnamed = ReachabilityFlags(rawValue: ~ReachabilityFlags.all.rawValue)
    #expect(NetworkCategory(row.flags.union(unnamed)) == row.category)
  }

  @Test("The table contains every combination of the three flags once")
  func isComplete() {
    #expect(Set(Self.table.map(\.flags)).count == 8)
  }

  @Test("The raw values and the names are those of the specification (M3)")
  func hasTheDocumentsValues() {
    #expect(NetworkCategory.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(
      NetworkCategory.allCases.map(\.description) == ["Unknown", "None", "Cellular", "WiFi"])
  }
}
