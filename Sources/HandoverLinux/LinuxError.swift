import CNetlink
import Glibc

/// A failed call to the kernel or to libnl.
public struct LinuxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of a failure.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case notPermitted
      case exhausted
      case notSupported
      case notFound
      case eventsLost
      case other
    }
    private let kind: Kind

    /// The process lacks a permission.
    public static let notPermitted = Code(kind: .notPermitted)
    /// A limit of the kernel was reached.
    public static let exhausted = Code(kind: .exhausted)
    /// The kernel does not support the operation.
    public static let notSupported = Code(kind: .notSupported)
    /// The named object does not exist.
    public static let notFound = Code(kind: .notFound)
    /// Events were dropped because the socket buffer was full.
    public static let eventsLost = Code(kind: .eventsLost)
    /// Any other failure.
    public static let other = Code(kind: .other)
  }

  /// The category of the failure.
  public var code: Code
  /// The call that failed, with its arguments.
  public var call: String
  /// An errno if positive, a libnl error number if negative, or 0 if there is no number.
  public var number: Int32
  /// The text for ``number``.
  public var reason: String
  /// Whether a program could not be executed, which is not a failure of the lab or the kernel.
  package private(set) var concernsProgram = false

  /// Creates an error of a system call from its errno.
  public init(call: String, errno number: Int32) {
    self.call = call
    self.number = number
    reason = SystemText.error(number)
    code =
      switch number {
      case EPERM, EACCES: .notPermitted
      case ENOSPC, EMFILE, ENFILE, ENOMEM, EUSERS, EAGAIN: .exhausted
      case ENOSYS, EINVAL, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT: .notSupported
      case ENOENT, ENODEV, ENXIO, ESRCH: .notFound
      default: .other
      }
  }

  /// Creates an error for a program that cannot be executed, from the errno of the attempt.
  package init(program: String, errno number: Int32) {
    self.init(call: "exec(\(program))", errno: number)
    concernsProgram = true
  }

  /// Creates an error that no system call reported, from a description.
  package init(finding: String) {
    call = finding
    number = 0
    reason = ""
    code = .other
  }

  /// Creates an error of libnl from its own error number.
  ///
  /// Libnl numbers are not errnos: 28, for example, does not mean "no space left". The sign of the
  /// number is ignored.
  public init(call: String, netlink number: Int32) {
    self.call = call
    self.number = -abs(number)
    reason = NetlinkSocket.errorText(number)
    code =
      switch abs(number) {
      case NLE_PERM, NLE_NOACCESS: .notPermitted
      case NLE_NOMEM: .eventsLost
      case NLE_OPNOTSUPP, NLE_AF_NOSUPPORT, NLE_PROTO_MISMATCH: .notSupported
      case NLE_OBJ_NOTFOUND, NLE_NODEV: .notFound
      default: .other
      }
  }

  /// A hint about how to fix the problem, or `nil` if there is none.
  public var advice: String? {
    // EACCES concerns the program file here, so permission to create namespaces would not help.
    if concernsProgram, code != .exhausted { return nil }
    return switch code {
    case .notPermitted:
      "run it as root with all capabilities, or allow user namespaces (`handover doctor` names "
        + "what is missing)"
    case .exhausted: limit
    case .notSupported:
      "use a kernel with network namespaces, and user namespaces for users other than root"
    default: nil
    }
  }

  /// The hint for a limit that was reached.
  private var limit: String {
    switch number {
    case EMFILE: "increase the limit of open files per process (ulimit -n)"
    case ENFILE: "increase the limit of open files of the machine (fs.file-max)"
    case EAGAIN:
      "increase the limit of processes and threads (ulimit -u, or pids.max of the cgroup), or run "
        + "fewer labs in parallel"
    case ENOMEM:
      "increase the memory limit (ulimit -v, or memory.max of the cgroup), or free some memory"
    default:
      "increase user.max_net_namespaces and user.max_user_namespaces, or stop other labs"
    }
  }

  /// The call, the number, the reason and the hint.
  public var description: String {
    number == 0 ? call : "\(call): \(number) \(reason)" + (advice.map { "; \($0)" } ?? "")
  }
}

/// Throws an error if a call returned `-errno`.
@discardableResult
func checked(_ result: Int32, _ call: @autoclosure () -> String) throws(LinuxError) -> Int32 {
  guard result < 0 else { return result }
  throw LinuxError(call: call(), errno: -result)
}

/// Throws an error if a call of libnl failed.
@discardableResult
func checkedNetlink(
  _ result: Int32, _ call: @autoclosure () -> String
) throws(LinuxError) -> Int32 {
  guard result < 0 else { return result }
  throw LinuxError(call: call(), netlink: result)
}
