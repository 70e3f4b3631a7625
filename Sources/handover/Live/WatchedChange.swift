import HandoverCore
import HandoverLinux
import HandoverNetlink

/// A change of the live network, with the reaction of the connectivity monitor.
struct WatchedChange {
  let change: ReachabilityChange
  /// The notification that the monitor would post; every notification destroys all channels.
  let notification: CategoryChange?

  /// Passes a change to a monitor.
  init(_ change: ReachabilityChange, _ monitor: inout ConnectivityMonitor) {
    self.change = change
    notification = monitor.observe(change.event)
  }

  /// Returns the titles of the columns of ``row(width:)``.
  static func titles(width: Int?) -> String {
    columns(
      ["time", "flags", "category", "interface", "gateway", "monitor"], width)
  }

  /// Returns the change in columns, in two lines if the width is too small for one.
  func row(width: Int?) -> String {
    let reading = change.reading
    return Self.columns(
      [
        LocalTime(monotonic: change.seenAt).timeOfDay, reading.flags.logText,
        reading.category.description, reading.path?.interface ?? "-",
        reading.path?.gateway?.description ?? "-", reaction,
      ], width)
  }

  private var reaction: String {
    let reaction =
      if let notification {
        "notify (\(notification.from) to \(notification.to)), which destroys every channel"
      } else {
        change.cause == .initial ? "begin with \(change.reading.category)" : "nothing"
      }
    return reaction + (change.cause == .resynchronized ? "; events were lost" : "")
  }

  /// The width below which a line is split; it fits the longest line with an IPv4 address.
  private static let defaultWidth = 117
  private static let widths = [15, 10, 8, 9, 15]

  private static func columns(_ texts: [String], _ width: Int?) -> String {
    func aligned(_ texts: ArraySlice<String>) -> String {
      texts.enumerated().map { position, text in
        let room = position < texts.count - 1 ? widths[position] : 0
        return text + String(repeating: " ", count: max(0, room - text.count))
      }.joined(separator: "  ")
    }
    guard let width, width < defaultWidth else { return aligned(texts[...]) }
    return aligned(texts.prefix(4)) + "\n    " + texts.dropFirst(4).joined(separator: "  ")
  }

  /// The change as a line of JSON.
  var line: String {
    let reading = change.reading
    var json = JSONText()
    json.beginObject()
    json.member("time", LocalTime(monotonic: change.seenAt).full)
    json.member("cause", "\(change.cause)")
    json.key("flags")
    json.beginArray()
    for (name, flag) in ReachabilityFlags.names where reading.flags.contains(flag) {
      json.value(name)
    }
    json.endArray()
    json.member("category", reading.category.description)
    json.member("interface", reading.path?.interface)
    json.member("gateway", reading.path?.gateway?.description)
    json.member("source", reading.path?.source?.description)
    json.member("notifies", notification != nil)
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
