#if os(Linux)
  import HandoverCore
  import HandoverLab
  import HandoverLinux
  import HandoverNetlink
  import HandoverReport

  /// What a foreign program lives through, a line for each thing.
  struct LabLog {
    private let script: Script
    private let words: EntryWords
    private let probe: ReachabilityProbe
    private var flags: ReachabilityFlags

    /// Looks at the network of the process, which is the device.
    init(_ script: Script) throws(LinuxError) {
      self.script = script
      words = EntryWords(script)
      flags = script.initial.flags
      probe = try ReachabilityProbe(target: DeviceLab.watchedAddress)
    }

    /// The line of an event: the time, the flags as the kernel shows them, and what happened.
    mutating func line(_ at: Instant, _ event: ForeignRun.Event) -> String {
      "\(Self.time(at))  \(kernel)  \(words(of: event))"
    }

    private mutating func words(of event: ForeignRun.Event) -> String {
      switch event {
      case .started: return "the program starts"
      case .timeIsOver: return "the time is over"
      case .ended(.exited(let status)): return "the program ends with status \(status)"
      case .ended(.signalled(let signal)): return "signal \(signal) ends the program"
      case .played(let index, let remark):
        let action = script.entries[index].action
        let text = words.text(of: action, after: flags)
        if case .flags(let next, _, _, _) = action { flags = next }
        return text + (remark.map { " (\($0))" } ?? "")
      }
    }

    /// Seconds with their milliseconds, in columns.
    private static func time(_ at: Instant) -> String {
      let milliseconds = String(at.microseconds / 1_000)
      let digits = String(repeating: "0", count: max(0, 4 - milliseconds.count)) + milliseconds
      let time = "\(digits.dropLast(3)).\(digits.suffix(3))"
      return String(repeating: " ", count: max(0, 8 - time.count)) + time
    }

    /// The flags and the way as the kernel shows them now.
    private var kernel: String {
      do throws(LinuxError) {
        let reading = try probe.read()
        return reading.flags.logText + " " + (reading.way?.interface ?? "-----")
      } catch {
        return error.description
      }
    }
  }
#endif
