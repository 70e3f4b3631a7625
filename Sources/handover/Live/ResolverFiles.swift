#if os(Linux)
  import Foundation
  import HandoverLinux

  /// The files by which programs look names up, as programs in a lab see them.
  enum ResolverFiles {
    /// Lets names be asked for at a lab's name servers, and nowhere else.
    ///
    /// - Returns: false where this machine's files cannot be covered; that is said.
    static func cover(_ servers: [String]) -> Bool {
      do throws(LinuxError) {
        try coverOrThrow(servers)
        return true
      } catch {
        printError("Names cannot be looked up in the lab: \(error)")
        return false
      }
    }

    private static func coverOrThrow(_ servers: [String]) throws(LinuxError) {
      // Names to which this machine gives addresses of its own would be answered by nobody.
      if FileManager.default.fileExists(atPath: "/etc/hosts") {
        try CoveredFile.cover(
          "/etc/hosts", with: "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")
      }
      let switches = "/etc/nsswitch.conf"
      if let text = try? String(contentsOfFile: switches, encoding: .utf8) {
        try CoveredFile.cover(switches, with: withoutServices(text))
      }
      let lines = servers.map { "nameserver \($0)\n" }.joined()
      try CoveredFile.cover("/etc/resolv.conf", with: lines + "options timeout:2\n")
    }

    /// What is said of names of hosts, without services of this machine.
    static func withoutServices(_ text: String) -> String {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.map { $0.hasPrefix("hosts:") ? "hosts: files dns" : $0 }
        .joined(separator: "\n")
    }
  }
#endif
