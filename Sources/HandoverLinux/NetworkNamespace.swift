import CLinux
import Glibc

/// A network namespace that exists as long as this object.
///
/// The namespace has no name in the file system and no mount. When the process ends for any reason,
/// the kernel removes the namespace with all its interfaces.
public final class NetworkNamespace: Sendable {
  /// The purpose of the namespace, for messages.
  public let name: String
  private let descriptor: Descriptor

  /// Creates an empty namespace whose loopback interface is down.
  public init(name: String) throws(LinuxError) {
    self.name = name
    let number = try OSThread.run { () throws(LinuxError) in
      try checked(handover_unshare_network(), "unshare(CLONE_NEWNET)")
      return try checked(handover_open_network(), "open(/proc/thread-self/ns/net)")
    }
    descriptor = Descriptor(owning: number)
  }

  /// Creates empty namespaces and returns them in the order of their names.
  ///
  /// The kernel mostly waits while it creates a namespace, so creating many in parallel takes
  /// hardly longer than one.
  public static func make(_ names: [String]) throws(LinuxError) -> [NetworkNamespace] {
    try OSThread.runAll(names.count) { (index) throws(LinuxError) in
      try NetworkNamespace(name: names[index])
    }
  }

  private init(name: String, owning number: Int32) {
    self.name = name
    descriptor = Descriptor(owning: number)
  }

  /// Returns the namespace of the calling thread.
  public static func current(name: String) throws(LinuxError) -> NetworkNamespace {
    let number = try checked(handover_open_network(), "open(/proc/thread-self/ns/net)")
    return NetworkNamespace(name: name, owning: number)
  }

  /// The descriptor that refers to the namespace, valid as long as this object.
  public var number: Int32 { descriptor.number }

  /// An identifier that is unique among the current namespaces of the machine.
  public var identity: UInt64 { handover_network_identity(descriptor.number) }

  /// The identity of the calling thread's namespace.
  public static var currentIdentity: UInt64 { handover_network_identity(-1) }

  /// Moves the calling thread into the namespace permanently; use only on a dedicated thread.
  public func enter() throws(LinuxError) {
    try checked(handover_enter_network(descriptor.number), "setns(\(name))")
  }

  /// Runs a closure on a thread in the namespace, so that its sockets belong there.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try OSThread.run { [self] () throws(LinuxError) in
      try enter()
      return try body()
    }
  }

  /// Sets a value under /proc/sys/net in the namespace, for example of `ipv4/ip_forward`.
  public func set(_ setting: String, to value: String) throws(LinuxError) {
    try set([(setting, value)])
  }

  /// Sets values under /proc/sys/net in the namespace, in order and on a single thread.
  public func set(_ settings: [(setting: String, value: String)]) throws(LinuxError) {
    try run { () throws(LinuxError) in
      for (setting, value) in settings {
        let path = "/proc/sys/net/\(setting)"
        let number = SystemFile.open(path, O_WRONLY)
        guard number >= 0 else {
          throw errno == EROFS
            ? LinuxError(
              finding: "/proc/sys is read-only, as for users in a container; run as root, with the "
                + "options that `handover doctor` prints")
            : LinuxError(call: "open(\(path))", errno: errno)
        }
        let file = Descriptor(owning: number)
        let written = SystemFile.write(value.utf8.span, to: file.number)
        guard written == value.utf8.count else {
          throw LinuxError(call: "write(\(path), \(value))", errno: errno)
        }
      }
    }
  }

  /// Returns the kernel counters of the namespace; see ``NamespaceCounters``.
  public func counters() throws(LinuxError) -> [String: Int64] {
    try NamespaceCounters(in: self).read()
  }

  /// Checks whether namespaces can be created and configured on this machine.
  ///
  /// The check also sets up an interface, because a process may create a namespace without the
  /// right to configure it.
  ///
  /// - Throws: ``LinuxError`` with the failed call, the reason and a hint.
  public static func probe() throws(LinuxError) {
    let namespace = try NetworkNamespace(name: "probe")
    try NetworkController(in: namespace).setLink("lo", up: true)
  }
}
