#if canImport(HandoverNetlink)
  import HandoverCore
  import HandoverJSON
  import HandoverLinux
  import HandoverNetlink
  import HandoverTrace

  /// A change of the live network with what the connectivity monitor makes of it.
  struct WatchedChange {
    let change: ReachabilityChange
    /// The notification that the monitor would post; each destroys every channel.
    let notification: CategoryChange?

    /// Tells a monitor of a change.
    init(_ change: ReachabilityChange, _ monitor: inout ConnectivityMonitor) {
      self.change = change
      notification = monitor.observe(change.event)
    }

    /// The titles over the columns of ``row(width:)``.
    static func titles(width: Int?) -> String {
      columns(
        ["time", "flags", "category", "interface", "gateway", "what the monitor would do"], width)
    }

    /// The change in columns, in two lines where there are too few.
    func row(width: Int?) -> String {
      let reading = change.reading
      return Self.columns(
        [
          LocalTime(monotonic: change.seenAt).timeOfDay, reading.flags.logText,
          reading.category.description, reading.way?.interface ?? "-",
          reading.way?.gateway?.description ?? "-", deed,
        ], width)
    }

    private var deed: String {
      let deed =
        if let notification {
          "notify (\(notification.from) to \(notification.to)): destroys every channel"
        } else {
          change.cause == .beginning ? "begin with \(change.reading.category)" : "nothing"
        }
      return deed + (change.cause == .resynchronised ? "; events were lost" : "")
    }

    /// In fewer columns a line is not whole: one of IPv4, with what it says at the most.
    private static let usualWidth = 117
    private static let widths = [15, 10, 8, 9, 15]

    private static func columns(_ texts: [String], _ width: Int?) -> String {
      func laid(_ texts: ArraySlice<String>) -> String {
        texts.enumerated().map { place, text in
          let room = place < texts.count - 1 ? widths[place] : 0
          return text + String(repeating: " ", count: max(0, room - text.count))
        }.joined(separator: "  ")
      }
      guard let width, width < usualWidth else { return laid(texts[...]) }
      return laid(texts.prefix(4)) + "\n    " + texts.dropFirst(4).joined(separator: "  ")
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
      json.member("interface", reading.way?.interface)
      json.member("gateway", reading.way?.gateway?.description)
      json.member("source", reading.way?.source?.description)
      json.member("notifies", notification != nil)
      json.endObject()
      json.newline()
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }
#endif
