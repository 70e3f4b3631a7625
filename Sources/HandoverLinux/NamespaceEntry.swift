import CLinux
import Glibc

/// What this process entered before its first Swift thread started.
///
/// A process with `HANDOVER_NETNS=1` in its environment begins in an empty network namespace of its
/// own, one with `HANDOVER_USERNS=1` besides in a user namespace. It is decided in a constructor,
/// because a user namespace cannot be entered once a second thread runs; from then on no socket
/// made by mistake, on whatever thread, can reach anything but the loopback interface in there.
public enum NamespaceEntry: Hashable, Sendable {
  /// Nothing was asked for: the process lives in the namespaces it was started in.
  case notAsked
  /// The process lives in namespaces of its own.
  case entered(userNamespace: Bool)
  /// It was asked for and cannot be had.
  case failed(LinuxError)

  /// What happened in this process.
  public static var current: NamespaceEntry {
    let entry = unsafe handover_namespace_entry()
    switch unsafe entry.state {
    case 0: return .notAsked
    case 1: return unsafe .entered(userNamespace: entry.entered_user != 0)
    default:
      return unsafe .failed(
        LinuxError(
          call: entry.failed_call.map { unsafe String(cString: $0) } ?? "namespaces",
          errno: entry.failed_errno))
    }
  }

  /// What of this machine's sockets in the file system can still be reached from in here; nil where
  /// all that were there are covered.
  ///
  /// Such a socket belongs to no network: a name service or a container service that listens on one
  /// would answer programs in a lab, too. Those under /run, /var/run, /tmp, /dev and TMPDIR
  /// are covered.
  public static var openSockets: String? {
    let entry = unsafe handover_namespace_entry()
    if unsafe entry.mount_errno != 0 {
      let error = unsafe LinuxError(call: "unshare(CLONE_NEWNS)", errno: entry.mount_errno)
      return "all of them (\(error.call): \(error.number) \(error.reason))"
    }
    return unsafe entry.open_sockets == 0 ? nil : "\(entry.open_sockets) of them at least"
  }

  /// The environment variable that asks for a network namespace.
  public static let networkVariable = "HANDOVER_NETNS"
  /// The environment variable that asks for a user namespace besides.
  public static let userVariable = "HANDOVER_USERNS"

  /// Starts this program anew inside namespaces of its own; comes back only where that fails.
  ///
  /// The arguments begin with the name of the program.
  public static func executeInside(_ arguments: [String]) -> LinuxError {
    var environment = Environment.forOthers
    environment.append("\(networkVariable)=1")
    if geteuid() != 0 { environment.append("\(userVariable)=1") }
    let result = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe handover_execute_self(arguments, environment)
      }
    }
    return LinuxError(call: "execve(/proc/self/exe)", errno: -result)
  }
}

/// The environment of this process.
public enum Environment {
  /// All of it, as `NAME=value`.
  public static var current: [String] {
    var entries: [String] = []
    var place = unsafe environ
    while let entry = unsafe place.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe place += 1
    }
    return entries
  }

  /// The same without what asks for namespaces: what other programs are given, which live in those
  /// that they are started in.
  public static var forOthers: [String] {
    current.filter {
      !$0.hasPrefix(NamespaceEntry.networkVariable + "=")
        && !$0.hasPrefix(NamespaceEntry.userVariable + "=")
    }
  }
}

/// Lends strings as C wants lists of them: each ended by zero, the list by null.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
}
