import HandoverCore

/// Reads the lines of a device log that contain flags as nine characters, such as `WR -------`.
///
/// Other lines are ignored. Either all lines with flags have a time, in any common log notation, or
/// none has. Without times, the lines are assumed to be one second apart.
enum DeviceLog {
  static func read(_ file: ImportFile) throws(ImportError) -> Recording {
    var observed = ObservedRecording()
    var clock: Clock?
    try file.forEachLine { (number, line) throws(ImportError) in
      guard let found = flags(in: line) else { return }
      let stamp = time(in: line[..<found.start])
      var current = clock ?? Clock(isTimed: stamp != nil)
      guard current.isTimed == (stamp != nil) else {
        let message =
          current.isTimed
          ? "the line has flags and no time, and the lines above have a time"
          : "the line has a time, and the lines above have none"
        throw file.error(
          .line(number), message, hint: "use a time on every line with flags, or on none")
      }
      let time = current.next(stamp)
      clock = current
      do throws(ObservedRecording.Problem) {
        try observed.note(at: time, ReachabilityReading(flags: found.flags))
      } catch {
        throw file.error(.line(number), error.message, hint: error.hint)
      }
    }
    guard let clock else {
      throw file.error(.line(1), "no line contains nine characters of flags")
    }
    if !clock.isTimed {
      observed.remark("The log has no times, so its lines are one second apart.")
    }
    return observed.recording
  }

  /// Converts the times of lines to times that continue across midnight.
  private struct Clock {
    let isTimed: Bool
    private var latest: Int64?
    /// The number of midnights passed, if the log contains no dates.
    private var midnights: Int64 = 0

    init(isTimed: Bool) {
      self.isTimed = isTimed
    }

    mutating func next(_ stamp: Timestamp?) -> Int64 {
      var time: Int64
      if let stamp {
        time = stamp.microseconds
        if !stamp.hasDay {
          time += midnights * Timestamp.day
          // A time more than half a day earlier means the next day, not a clock that was set back.
          if let latest, time < latest - Timestamp.day / 2 {
            midnights += 1
            time += Timestamp.day
          }
        }
      } else {
        time = latest.map { $0 + 1_000_000 } ?? 0
      }
      latest = time
      return time
    }
  }

  /// Returns the time at the beginning of a line, before its flags.
  private static func time(in text: Substring) -> Timestamp? {
    Timestamp.first(in: text)?.time ?? Timestamp(seconds: text)
  }

  /// Returns the first group of nine flag characters in a line that is not part of a longer word.
  private static func flags(
    in line: String
  ) -> (flags: ReachabilityFlags, start: String.Index)? {
    let bytes = Array(line.utf8)
    var start = 0
    while start + 10 <= bytes.count {
      let end = start + 10
      // A longer line of dashes is a separator, not flags.
      let isApart =
        (start == 0 || !isPlace(bytes[start - 1])) && (end == bytes.count || !isPlace(bytes[end]))
      if isApart, bytes[start + 2] == UInt8(ascii: " "), isPlace(bytes[start]),
        let flags = ReachabilityFlags(
          logText: String(decoding: bytes[start..<end], as: UTF8.self))
      {
        return (flags, line.utf8.index(line.utf8.startIndex, offsetBy: start))
      }
      start += 1
    }
    return nil
  }

  private static func isPlace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
