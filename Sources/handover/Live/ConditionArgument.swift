import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverScenario

/// The link conditions of a medium, as a command-line argument.
struct ConditionArgument: ExpressibleByArgument {
  var medium: LivePlan.Medium
  var conditions = LinkConditions()
  /// The argument as given.
  let text: String

  static let help =
    "Make wifi or cellular slow, narrow or lossy, such as "
    + "wifi:delay=40ms,rate=10Mbit,loss=1%; also burst, reorder, reorder-by, mtu, mtu-signal, "
    + "trace, direction, idle, and nat ("
    + NATBehavior.presets.map(\.name).joined(separator: ", ") + ")."

  init?(argument: String) {
    let halves = argument.split(separator: ":", maxSplits: 1).map(String.init)
    guard halves.count == 2, let medium = LivePlan.Medium(rawValue: halves[0]), medium != .vpn
    else { return nil }
    self.medium = medium
    text = argument
    for part in halves[1].split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, set(pair[0], to: pair[1]) else { return nil }
    }
    let quality = conditions.quality
    guard !quality.burstsAreTooShort, quality.burst == nil || quality.lossPerMillion > 0 else {
      return nil
    }
  }

  private mutating func set(_ key: String, to value: String) -> Bool {
    switch key {
    case "delay": Self.put(TimeNotation.interval(value), into: &conditions.quality.delay)
    case "rate": Self.fill(&conditions.quality.bitsPerSecond, with: LinkNotation.rate(value))
    case "loss": Self.put(LinkNotation.share(value), into: &conditions.quality.lossPerMillion)
    case "burst":
      Self.fill(
        &conditions.quality.burst,
        with: UInt32(value).flatMap { (1...LinkQuality.maximumBurst).contains($0) ? $0 : nil })
    case "reorder":
      Self.put(LinkNotation.share(value), into: &conditions.quality.reorderPerMillion)
    case "reorder-by":
      Self.put(Self.positive(value), into: &conditions.quality.reorderBy)
    case "mtu":
      Self.fill(
        &conditions.quality.mtu,
        with: UInt16(value).flatMap { $0 >= LinkQuality.minimumMTU ? $0 : nil })
    case "mtu-signal":
      Self.put(MTUSignal(rawValue: value), into: &conditions.quality.mtuSignal)
    case "trace": Self.fill(&conditions.quality.trace, with: Self.trace(value))
    case "direction":
      Self.put(LinkDirection(rawValue: value), into: &conditions.quality.direction)
    case "nat": Self.fill(&conditions.nat, with: NATBehavior(named: value))
    case "idle": Self.fill(&conditions.idle, with: Self.positive(value))
    default: false
    }
  }

  private static func put<Value>(_ value: Value?, into position: inout Value) -> Bool {
    guard let value else { return false }
    position = value
    return true
  }

  private static func fill<Value>(_ position: inout Value?, with value: Value?) -> Bool {
    position = value
    return value != nil
  }

  private static func positive(_ text: String) -> Interval? {
    TimeNotation.interval(text).flatMap { $0 > .zero ? $0 : nil }
  }

  /// Returns the trace in a file, or `nil` after printing an error if there is none.
  private static func trace(_ path: String) -> LinkTrace? {
    // The user named the file, so it may be in any folder.
    guard
      case .bytes(let bytes) = BoundedFile.content(
        of: path, atMost: LinkTrace.maximumByteCount)
    else {
      printError("\(path): error: the trace cannot be read")
      return nil
    }
    do throws(LinkTrace.Problem) {
      return try LinkTrace(name: path, bytes: bytes)
    } catch {
      printError("\(path): error: not a valid trace: \(error.reason)")
      return nil
    }
  }
}
