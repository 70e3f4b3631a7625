import CNetlink
import Glibc

/// A call of the kernel or of libnl that failed.
public struct LinuxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
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

    /// The process may not do it.
    public static let notPermitted = Code(kind: .notPermitted)
    /// A limit of the kernel is reached.
    public static let exhausted = Code(kind: .exhausted)
    /// The kernel cannot do it.
    public static let notSupported = Code(kind: .notSupported)
    /// What is named does not exist.
    public static let notFound = Code(kind: .notFound)
    /// The kernel had more to tell than the socket could hold.
    public static let eventsLost = Code(kind: .eventsLost)
    /// Anything else.
    public static let other = Code(kind: .other)
  }

  /// The kind.
  public var code: Code
  /// The call that failed, with what it was asked for.
  public var call: String
  /// The number it answered: an errno, libnl's own number where that is negative, or 0 for none.
  public var number: Int32
  /// The number in words.
  public var reason: String
  /// Whether it is a program that cannot be executed: no lab and no kernel is to blame.
  package private(set) var isOfProgram = false

  /// An error of the system, by its errno.
  public init(call: String, errno number: Int32) {
    self.call = call
    self.number = number
    reason = unsafe String(cString: strerror(number))
    code =
      switch number {
      case EPERM, EACCES: .notPermitted
      case ENOSPC, EMFILE, ENFILE, ENOMEM, EUSERS, EAGAIN: .exhausted
      case ENOSYS, EINVAL, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT: .notSupported
      case ENOENT, ENODEV, ENXIO, ESRCH: .notFound
      default: .other
      }
  }

  /// A program that cannot be executed, by the errno of the attempt.
  package init(program: String, errno number: Int32) {
    self.init(call: "exec(\(program))", errno: number)
    isOfProgram = true
  }

  /// What was found where no call of the system failed, in words.
  package init(finding: String) {
    call = finding
    number = 0
    reason = ""
    code = .other
  }

  /// An error of libnl, by its own number, which is not an errno: 28 is no lack of room there.
  ///
  /// The sign of the number does not matter.
  public init(call: String, netlink number: Int32) {
    self.call = call
    self.number = -abs(number)
    reason = unsafe String(cString: nl_geterror(number))
    code =
      switch abs(number) {
      case NLE_PERM, NLE_NOACCESS: .notPermitted
      case NLE_NOMEM: .eventsLost
      case NLE_OPNOTSUPP, NLE_AF_NOSUPPORT, NLE_PROTO_MISMATCH: .notSupported
      case NLE_OBJ_NOTFOUND, NLE_NODEV: .notFound
      default: .other
      }
  }

  /// What can be done about it.
  public var advice: String? {
    // Its EACCES is about a file, and no right to make namespaces would help.
    if isOfProgram, code != .exhausted { return nil }
    return switch code {
    case .notPermitted:
      "run it as root, or as a user who may make user namespaces (unshare -Urn true tells)"
    case .exhausted: limit
    case .notSupported:
      "the kernel needs network namespaces, and user namespaces for users other than root"
    default: nil
    }
  }

  /// What to do about the limit that was reached.
  private var limit: String {
    switch number {
    case EMFILE: "raise the limit of open files of a process (ulimit -n)"
    case ENFILE: "raise the limit of open files of the machine (fs.file-max)"
    case EAGAIN:
      "raise the limit of processes and threads (ulimit -u, or pids.max of the cgroup), or run "
        + "less at the same time"
    case ENOMEM: "raise the limit of memory (ulimit -v, or memory.max of the cgroup), or free some"
    default:
      "raise the limits user.max_net_namespaces and user.max_user_namespaces, or end other labs"
    }
  }

  /// The call, the number and the reason, and what to do.
  public var description: String {
    number == 0 ? call : "\(call): \(number) \(reason)" + (advice.map { "; \($0)" } ?? "")
  }
}

/// Throws the error of a call that answered `-errno`.
@discardableResult
func checked(_ result: Int32, _ call: @autoclosure () -> String) throws(LinuxError) -> Int32 {
  guard result < 0 else { return result }
  throw LinuxError(call: call(), errno: -result)
}

/// Throws the error of a call of libnl.
@discardableResult
func checkedNetlink(
  _ result: Int32, _ call: @autoclosure () -> String
) throws(LinuxError) -> Int32 {
  guard result < 0 else { return result }
  throw LinuxError(call: call(), netlink: result)
}
