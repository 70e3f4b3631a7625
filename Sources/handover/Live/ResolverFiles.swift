import Foundation
import HandoverLinux

/// The resolver configuration that programs in a lab see.
enum ResolverFiles {
  /// Redirects name lookups to a lab's name servers.
  ///
  /// - Returns: Whether the machine's files could be covered; if not, an error is printed.
  static func cover(_ servers: [String]) -> Bool {
    guard let problem = problem(covering: servers) else { return true }
    printError(problem)
    return false
  }

  /// Redirects name lookups to a lab's name servers.
  ///
  /// - Returns: The reason why the machine's files could not be covered, or `nil` if they are.
  static func problem(covering servers: [String]) -> String? {
    do throws(LinuxError) {
      try coverOrThrow(servers)
      return nil
    } catch {
      return "The lab cannot resolve names: \(error)"
    }
  }

  private static func coverOrThrow(_ servers: [String]) throws(LinuxError) {
    // The addresses in this machine's hosts file do not exist in the lab.
    if FileStatus("/etc/hosts") != nil {
      try BindMountedFile.cover(
        "/etc/hosts", with: "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")
    }
    let switches = "/etc/nsswitch.conf"
    if let text = try? String(contentsOfFile: switches, encoding: .utf8) {
      try BindMountedFile.cover(switches, with: withoutServices(text))
    }
    let lines = servers.map { "nameserver \($0)\n" }.joined()
    try BindMountedFile.cover("/etc/resolv.conf", with: lines + "options timeout:2\n")
  }

  /// Returns the configuration without this machine's services for host names.
  static func withoutServices(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.hasPrefix("hosts:") ? "hosts: files dns" : $0 }
      .joined(separator: "\n")
  }
}
