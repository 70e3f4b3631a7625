import CLinux
import Glibc

/// A network namespace that lives as long as somebody holds it.
///
/// It has no name and no mount: when the process ends, however it ends, the kernel takes it away
/// with every interface in it.
public final class NetworkNamespace: Sendable {
  /// What the namespace is for, in messages.
  public let name: String
  private let descriptor: Descriptor

  /// Makes an empty namespace; its loopback interface is down.
  public init(name: String) throws(LinuxError) {
    self.name = name
    let number = try OSThread.run { () throws(LinuxError) in
      try checked(handover_unshare_network(), "unshare(CLONE_NEWNET)")
      return try checked(handover_open_network(), "open(/proc/thread-self/ns/net)")
    }
    descriptor = Descriptor(owning: number)
  }

  /// Makes empty namespaces, in the order of their names.
  ///
  /// The kernel spends most of the time of making one in waiting, so that many take hardly longer.
  public static func make(_ names: [String]) throws(LinuxError) -> [NetworkNamespace] {
    try OSThread.runAll(names.count) { (index) throws(LinuxError) in
      try NetworkNamespace(name: names[index])
    }
  }

  private init(name: String, owning number: Int32) {
    self.name = name
    descriptor = Descriptor(owning: number)
  }

  /// The namespace of the calling thread.
  public static func current(name: String) throws(LinuxError) -> NetworkNamespace {
    let number = try checked(handover_open_network(), "open(/proc/thread-self/ns/net)")
    return NetworkNamespace(name: name, owning: number)
  }

  /// The descriptor that refers to it, for as long as this object lives.
  public var number: Int32 { descriptor.number }

  /// A number that no other namespace of the machine has at this time.
  public var identity: UInt64 { handover_network_identity(descriptor.number) }

  /// The identity of the calling thread's namespace.
  public static var currentIdentity: UInt64 { handover_network_identity(-1) }

  /// Takes the calling thread into the namespace, for good; only for threads made for it.
  public func enter() throws(LinuxError) {
    try checked(handover_enter_network(descriptor.number), "setns(\(name))")
  }

  /// Does a piece of work on a thread in the namespace: sockets it makes belong there.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try OSThread.run { [self] () throws(LinuxError) in
      try enter()
      return try body()
    }
  }

  /// Sets a value under /proc/sys/net of the namespace, such as `ipv4/ip_forward`.
  public func set(_ setting: String, to value: String) throws(LinuxError) {
    try set([(setting, value)])
  }

  /// Sets values under /proc/sys/net of the namespace, in their order, by one thread.
  public func set(_ settings: [(setting: String, value: String)]) throws(LinuxError) {
    try run { () throws(LinuxError) in
      for (setting, value) in settings {
        let path = "/proc/sys/net/\(setting)"
        let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw LinuxError(call: "open(\(path))", errno: errno) }
        let file = Descriptor(owning: number)
        let written = unsafe write(file.number, value, value.utf8.count)
        guard written == value.utf8.count else {
          throw LinuxError(call: "write(\(path), \(value))", errno: errno)
        }
      }
    }
  }

  /// What the kernel has counted in the namespace; see ``NamespaceCounters``.
  public func counters() throws(LinuxError) -> [String: Int64] {
    try NamespaceCounters(in: self).read()
  }

  /// Whether namespaces can be made and configured here.
  ///
  /// - Throws: ``LinuxError`` with the call that failed, why and what to do. It goes as far as
  ///   setting up an interface, because a namespace may be had without the right to configure it.
  public static func probe() throws(LinuxError) {
    let namespace = try NetworkNamespace(name: "probe")
    try NetworkController(in: namespace).setLink("lo", up: true)
  }
}
