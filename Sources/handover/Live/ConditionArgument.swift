import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverScenario

/// The link conditions of a medium, as a command-line argument.
struct ConditionArgument: ExpressibleByArgument {
  var medium = LivePlan.Medium.wifi
  var conditions = LinkConditions()
  /// The argument as given.
  let text: String
  /// The reason why the argument is invalid, or `nil` if it is valid.
  private(set) var problem: String?

  static let help =
    "Make wifi or cellular slow, narrow or lossy, such as "
    + "wifi:delay=40ms,rate=10Mbit,loss=1%; also burst, reorder, reorder-by, mtu, mtu-signal, "
    + "trace, direction, idle, and nat ("
    + NATBehavior.presets.map(\.name).joined(separator: ", ") + ")."

  /// Accepts any string; ``problem`` contains the reason if it is invalid.
  init(argument: String) {
    text = argument
    let halves = argument.split(separator: ":", maxSplits: 1).map(String.init)
    guard halves.count == 2, let medium = LivePlan.Medium(rawValue: halves[0]), medium != .vpn
    else {
      problem = "it must begin with wifi: or cellular:, as in wifi:delay=40ms"
      return
    }
    self.medium = medium
    for part in halves[1].split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, set(pair[0], to: pair[1]) else {
        problem = problem ?? "\"\(part)\" is not a key with a valid value, such as delay=40ms"
        return
      }
    }
    let quality = conditions.quality
    if quality.burst != nil, quality.lossPerMillion == 0 {
      problem = "burst needs loss, as in loss=1%,burst=3"
    } else if quality.burstsAreTooShort {
      problem = "burst is too short for the loss, because a packet passes between two bursts"
    }
  }

  /// Rejects invalid arguments.
  static func validate(_ arguments: [ConditionArgument]) throws {
    for one in arguments {
      guard let problem = one.problem else { continue }
      throw ValidationError("--condition \(one.text): \(problem).")
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
    case "trace": readTrace(value)
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

  /// Reads the trace in a file, and returns `false` with a ``problem`` if there is none.
  private mutating func readTrace(_ path: String) -> Bool {
    // The user named the file, so it may be in any folder.
    switch BoundedFile.content(of: path, atMost: LinkTrace.maximumByteCount) {
    case .bytes(let bytes):
      do throws(LinkTrace.Problem) {
        conditions.quality.trace = try LinkTrace(name: path, bytes: bytes)
        return true
      } catch {
        problem = "\(path) is not a valid trace: \(error.reason)"
      }
    case .tooLarge:
      problem = "the trace \(path) is longer than \(LinkTrace.maximumByteCount) bytes"
    case .unreadable(let reason):
      // The arguments are read again after the restart in a lab.
      problem =
        "the trace \(path) cannot be read: \(systemErrorText(reason))"
        + (FileStatus(path)?.isPipe == true ? "; in a lab, it must be a file, not a pipe" : "")
    }
    return false
  }
}
