import Glibc
import HandoverLinux

/// What the files of a machine show about its ability to make labs.
struct MachineFacts {
  /// Whether the effective user is root.
  var isRoot = false
  /// The effective capabilities, as bits, or `nil` if they are unknown.
  var capabilities: UInt64?
  /// Whether a seccomp filter is active, as in most containers.
  var hasSystemCallFilter = false
  /// Whether the root folder is not that of the mount namespace.
  var isInChroot = false
  /// Whether the kernel settings are mounted read-only, as in most containers.
  var hasReadOnlySettings = false
  /// The AppArmor profile that is enforced on the process, such as `docker-default`, if any.
  var enforcedProfile: String?
  /// The release of the kernel, or `nil` if it is unknown.
  var kernel: String?
  /// The names of the namespace kinds that the kernel supports, such as `net`.
  var namespaceKinds: Set<String> = []
  /// The limits of new namespaces, by the names in /proc/sys/user.
  var limits: [String: Int64] = [:]  // lookup only
  /// Whether users without privileges may create user namespaces, or `nil` if the kernel has no
  /// such switch.
  var allowsUserNamespaces: Bool?
  /// Whether AppArmor takes the capabilities in user namespaces from users without privileges.
  var isRestrictedByAppArmor = false
  /// Whether Multipath TCP is enabled, or `nil` if the kernel does not support it.
  var isMultipathEnabled: Bool?
  /// Whether the kernel module for `tc netem` is loaded or can be loaded.
  var hasNetem = false
  /// Whether the resolver's configuration exists, which a lab covers.
  var hasResolverFile = false
  /// The file with the authorities that the system trusts, or `nil` if there is none.
  var trustFile: String?
  /// The folder for temporary files, and whether files can be created in it.
  var temporaryFolder = (path: "", isWritable: false)

  /// Reads the files of a machine.
  ///
  /// - Parameters:
  ///   - root: The folder that contains the files, or an empty string for this machine.
  ///   - folders: The folders for temporary files; the first writable one is used.
  init(root: String = "", temporaryFolders folders: [String]) {
    func text(_ path: String) -> String? { try? readText(root + path) }
    func number(_ path: String) -> Int64? {
      text(path).flatMap { Int64($0.filter { !$0.isWhitespace }) }
    }
    func exists(_ path: String) -> Bool { FileStatus(root + path) != nil }

    let status = text("/proc/self/status") ?? ""
    func field(_ name: String) -> [Substring] {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line.map { $0.dropFirst(name.count + 1).split { $0 == "\t" || $0 == " " } } ?? []
    }
    isRoot = field("Uid").dropFirst().first == "0"
    capabilities = field("CapEff").first.flatMap { UInt64($0, radix: 16) }
    hasSystemCallFilter = field("Seccomp").first == "2"
    let mounts = (text("/proc/self/mountinfo") ?? "").split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 6)
    }
    // A folder that is not a mount has no line here, so the root of a chroot has none.
    isInChroot = !mounts.isEmpty && !mounts.contains { $0.count > 5 && $0[4] == "/" }
    let settings = mounts.last { $0.count > 5 && ["/proc", "/proc/sys"].contains($0[4]) }
    hasReadOnlySettings = settings?[5].split(separator: ",").contains("ro") ?? false
    let profile = text("/proc/self/attr/current")?.split { $0.isWhitespace }
    if profile?.last == "(enforce)" { enforcedProfile = profile?.first.map(String.init) }
    kernel = text("/proc/sys/kernel/osrelease").map { $0.filter { !$0.isNewline } }
    for kind in ["user", "net", "pid", "mnt"] where exists("/proc/self/ns/\(kind)") {
      namespaceKinds.insert(kind)
    }
    for name in ["max_user_namespaces", "max_net_namespaces"] {
      limits[name] = number("/proc/sys/user/\(name)")
    }
    allowsUserNamespaces = number("/proc/sys/kernel/unprivileged_userns_clone").map { $0 != 0 }
    isRestrictedByAppArmor =
      number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1
    isMultipathEnabled = number("/proc/sys/net/mptcp/enabled").map { $0 != 0 }
    let modules = "/lib/modules/\(kernel ?? "")/modules."
    hasNetem =
      exists("/sys/module/sch_netem")
      || ["builtin", "dep"].contains { text(modules + $0)?.contains("/sch_netem.ko") ?? false }
    hasResolverFile = exists("/etc/resolv.conf")
    trustFile = TryTrust.systemFiles.first(where: exists)
    let writable = folders.first { SystemFile.allows(W_OK | X_OK, root + $0) }
    temporaryFolder = (writable ?? folders.last ?? "", writable != nil)
  }
}
