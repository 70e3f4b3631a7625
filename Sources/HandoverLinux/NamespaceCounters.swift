import Glibc

/// The kernel counters of a network namespace, held open so that they can be read often at low
/// cost.
public struct NamespaceCounters: ~Copyable, Sendable {
  private let files: Files

  private final class Files: Sendable {
    let descriptors: [Int32]

    init(_ descriptors: [Int32]) {
      self.descriptors = descriptors
    }

    deinit {
      for descriptor in descriptors { _ = close(descriptor) }
    }
  }

  /// Opens the counters of a namespace.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    files = Files(
      try namespace.run { () throws(LinuxError) in
        let path = "/proc/thread-self/net/snmp"
        let number = SystemFile.open(path, O_RDONLY)
        guard number >= 0 else { throw LinuxError(call: "open(\(path))", errno: errno) }
        // A kernel without IPv6 has no such file.
        let number6 = SystemFile.open(path + "6", O_RDONLY)
        return number6 >= 0 ? [number, number6] : [number]
      })
  }

  /// Returns the current counters by name.
  ///
  /// For example, `Tcp.ActiveOpens` comes from /proc/net/snmp and `Ip6OutNoRoutes` from
  /// /proc/net/snmp6.
  public func read() throws(LinuxError) -> [String: Int64] {
    var counters: [String: Int64] = [:]
    // snmp has a line of names followed by a line of values; snmp6 has a name and a value per line.
    var names: [Substring] = []
    for descriptor in files.descriptors {
      for line in try Self.text(of: descriptor).split(separator: "\n") {
        let words = line.split { $0 == " " || $0 == "\t" }
        let group = words.first ?? ""
        if !group.hasSuffix(":") {
          if words.count == 2 { counters[String(group)] = Int64(words[1]) }
        } else if names.first == group, names.count == words.count {
          for (name, value) in zip(names, words).dropFirst() {
            counters["\(group.dropLast()).\(name)"] = Int64(value)
          }
          names = []
        } else {
          names = words
        }
      }
    }
    return counters
  }

  private static func text(of descriptor: Int32) throws(LinuxError) -> String {
    guard let text = SystemFile.text(of: descriptor, isAtStart: true) else {
      throw LinuxError(call: "pread(/proc/net/snmp)", errno: errno)
    }
    return text
  }
}
