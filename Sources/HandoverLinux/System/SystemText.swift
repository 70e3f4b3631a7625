import CLinux
import Glibc

/// Texts that the system returns.
package enum SystemText {
  /// Returns the description of a reason in `errno`.
  package static func error(_ number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Returns the value of an environment variable, or `nil` if it is not set.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The environment of this process, as entries of the form `NAME=value`.
  static var environment: [String] {
    var entries: [String] = []
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe position += 1
    }
    return entries
  }

  /// The call that failed when this process entered its namespaces, or `nil` if none failed.
  static var failedEntryCall: String? {
    unsafe handover_failed_entry_call().map { unsafe String(cString: $0) }
  }

  /// The name of this host, or `nil` if the system does not report it.
  package static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    return string(name)
  }

  /// The name and the release of the kernel, such as `Linux 6.1.0`, or `nil` if the system does not
  /// report them.
  package static var kernel: String? {
    var system = utsname()
    guard unsafe uname(&system) == 0 else { return nil }
    let name = unsafe withUnsafeBytes(of: system.sysname) { unsafe Array($0) }
    let release = unsafe withUnsafeBytes(of: system.release) { unsafe Array($0) }
    return "\(string(name)) \(string(release))"
  }

  /// Formats a time in the local time zone.
  ///
  /// - Parameters:
  ///   - seconds: The seconds since 1970.
  ///   - format: The format of `strftime`; the result must have at most 63 bytes.
  /// - Returns: The text, or an empty string if it is too long.
  package static func localTime(_ seconds: Int, as format: String) -> String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return string(Array(text.prefix(count)))
  }

  /// Returns the binary form of an IP address, or `nil` if the text is not an address of the
  /// family.
  static func addressBytes(_ text: String, of family: IPAddress.Family) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: family.bitCount / 8)
    return unsafe inet_pton(family.number, text, &bytes) == 1 ? bytes : nil
  }

  /// Returns the text form of an IP address; `bytes` has the length of the family.
  static func address(_ bytes: [UInt8], of family: IPAddress.Family) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family.number, bytes, &text, socklen_t(text.count)) != nil else {
      return ""
    }
    return string(text)
  }

  /// Returns the text before the first zero.
  static func string(_ text: [CChar]) -> String { string(text.map(UInt8.init(bitPattern:))) }

  private static func string(_ text: [UInt8]) -> String {
    String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
