import CLinux
import Glibc

/// The namespaces that this process entered before its first Swift thread started.
///
/// A process with `HANDOVER_NETNS=1` in its environment starts in its own empty network namespace.
/// With `HANDOVER_USERNS=1` it also starts in its own user namespace. A C constructor enters them,
/// because a process with more than one thread cannot enter a user namespace. From then on, a
/// socket that any thread creates by mistake can reach only the loopback interface of the
/// namespace.
public enum NamespaceEntry: Hashable, Sendable {
  /// No namespace was requested, so the process stays in the namespaces it was started in.
  case notRequested
  /// The process runs in its own namespaces.
  case entered(userNamespace: Bool)
  /// Namespaces were requested but could not be created.
  case failed(LinuxError)

  /// The result of entering the namespaces in this process.
  public static var current: NamespaceEntry {
    let entry = handover_namespace_entry()
    switch entry.state {
    case 0: return .notRequested
    case 1: return .entered(userNamespace: entry.entered_user != 0)
    default:
      return .failed(
        LinuxError(
          call: SystemText.failedEntryCall ?? "namespaces", errno: entry.failed_errno))
    }
  }

  /// A description of the host's file system sockets that are still reachable, or `nil` if all
  /// known ones are covered.
  ///
  /// These sockets do not belong to a network namespace. For example, a name service or a container
  /// service that listens on one could answer programs in a lab. Sockets under /run, /var/run,
  /// /tmp, /dev and `TMPDIR` are covered.
  public static var openSockets: String? {
    let entry = handover_namespace_entry()
    if entry.mount_errno != 0 {
      let error = LinuxError(call: "unshare(CLONE_NEWNS)", errno: entry.mount_errno)
      return "all of them (\(error.call): \(error.number) \(error.reason))"
    }
    return entry.open_sockets == 0 ? nil : "\(entry.open_sockets) of them at least"
  }

  /// The environment variable that requests a network namespace.
  public static let networkVariable = "HANDOVER_NETNS"
  /// The environment variable that requests a user namespace as well.
  public static let userVariable = "HANDOVER_USERNS"

  /// Executes this program again inside its own namespaces, and returns only if that fails.
  ///
  /// The first argument is the name of the program.
  public static func executeInside(_ arguments: [String]) -> LinuxError {
    var environment = Environment.forOtherPrograms
    environment.append("\(networkVariable)=1")
    if geteuid() != 0 { environment.append("\(userVariable)=1") }
    let result = SystemProcess.executeSelf(arguments, environment: environment)
    return LinuxError(call: "execve(/proc/self/exe)", errno: -result)
  }
}

/// The environment of this process.
public enum Environment {
  /// All entries, in the form `NAME=value`.
  public static var current: [String] { SystemText.environment }

  /// Returns the value of a variable, or an empty string if it is not set.
  package static func variable(_ name: String) -> String { SystemText.variable(name) ?? "" }

  /// The folder for temporary files: `TMPDIR`, or /tmp if it is not set.
  package static var temporaryFolder: String {
    let folder = variable("TMPDIR")
    return folder.isEmpty ? "/tmp" : folder
  }

  /// The entries without the variables that request namespaces.
  ///
  /// Other programs receive these entries, so that they stay in the namespaces they are started in.
  public static var forOtherPrograms: [String] {
    current.filter {
      !$0.hasPrefix(NamespaceEntry.networkVariable + "=")
        && !$0.hasPrefix(NamespaceEntry.userVariable + "=")
    }
  }
}
