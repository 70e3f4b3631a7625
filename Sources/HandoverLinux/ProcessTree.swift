import CLinux
import Glibc
import Synchronization

/// A program with all its descendant processes, which can be signaled and terminated as a whole.
///
/// The program is a child of a keeper process, which is the first process of a PID namespace. When
/// the keeper ends, the kernel kills every process in the namespace, even if it has left the
/// process group or session. The keeper ends when this object is destroyed and when this process
/// ends for any reason. If no such namespace can be created (see ``obstacle``), the keeper searches
/// for the descendants and kills them.
///
/// All methods may be called from any thread.
public final class ProcessTree: Sendable {
  /// The recipients of a signal.
  public enum Recipients: Hashable, Sendable {
    /// The program and all its descendants.
    case all
    /// The process group that the program leads.
    case group
  }

  private let keeper: ChildProcess
  private let kind: Int32
  private let control: Descriptor
  private let state = Mutex(State())

  private struct State {
    /// How the program ended.
    var end: ChildProcess.End?
    /// Whether the keeper will send no more messages.
    var isGone = false
    /// Whether the keeper process was reaped.
    var isEnded = false
  }

  /// The time limit for an order to the keeper, in microseconds.
  private static let orderMicroseconds: Int64 = 30_000_000
  /// The time limit for the start of a program, in microseconds.
  private static let startMicroseconds: Int64 = 30_000_000
  /// The kind of keeper that uses no namespace.
  private static let lastKind: Int32 = 2

  // MARK: Namespaces

  private static let choice = Mutex(Choice())

  /// The capabilities of this machine, as found so far.
  private struct Choice {
    var kind: Int32 = 0
    var obstacle: LinuxError?
  }

  /// The reason why no PID namespace can be created, or `nil` if one can or no program was started
  /// yet.
  ///
  /// Without a namespace, the keeper has to search for descendants. A process survives if it does
  /// not appear in the kernel's list of child processes. All descendants survive if the keeper
  /// itself is killed.
  public static var obstacle: LinuxError? { choice.withLock { $0.obstacle } }

  private static func give(up kind: Int32, _ error: LinuxError) {
    choice.withLock { choice in
      choice.kind = max(choice.kind, kind + 1)
      if kind + 1 == lastKind { choice.obstacle = error }
    }
  }

  // MARK: The beginning

  private init(_ started: Started) {
    keeper = ChildProcess(identifier: started.keeper)
    kind = started.kind
    control = Descriptor(owning: started.control)
  }

  private struct Started: Sendable {
    var keeper: Int32
    var kind: Int32
    var control: Int32
  }

  /// Starts a program in a network namespace, or in the calling thread's if `namespace` is `nil`.
  ///
  /// The program is looked up in `PATH` and leads a new process group. Standard streams that are
  /// `nil` are inherited.
  ///
  /// - Throws: ``LinuxError`` if the program cannot be started.
  public static func start(
    _ arguments: [String], environment: [String] = Environment.current,
    in namespace: NetworkNamespace? = nil, input: Int32? = nil, output: Int32? = nil,
    error: Int32? = nil
  ) throws(LinuxError) -> ProcessTree {
    guard !arguments.isEmpty else { throw LinuxError(call: "spawn", errno: EINVAL) }
    let program = SystemProcess.Program(
      arguments: arguments, environment: environment, input: input, output: output, error: error)
    let start = { @Sendable () throws(LinuxError) -> Started in
      var kind = choice.withLock { $0.kind }
      while true {
        do throws(LinuxError) {
          return try begin(program, kind)
        } catch {
          guard kind < lastKind, error.concernsNamespaces else { throw error }
          give(up: kind, error)
          kind += 1
        }
      }
    }
    let started = if let namespace { try namespace.run(start) } else { try start() }
    return ProcessTree(started)
  }

  private static func begin(
    _ program: SystemProcess.Program, _ kind: Int32
  ) throws(LinuxError) -> Started {
    let tree = SystemProcess.startTree(program, kind: kind)
    try checked(tree.keeper, "clone(CLONE_NEWPID)")
    let reading = handover_tree_receive(tree.control, startMicroseconds)
    let message = reading.message
    if reading.result == 1, message.kind == HANDOVER_TREE_STARTED {
      return Started(keeper: tree.keeper, kind: kind, control: tree.control)
    }
    _ = close(tree.control)
    _ = kill(tree.keeper, SIGKILL)
    _ = try? ChildProcess(identifier: tree.keeper).wait()
    switch Int(message.kind) {
    case HANDOVER_TREE_FAILED:
      throw LinuxError(program: program.arguments.first ?? "", errno: message.value)
    case HANDOVER_TREE_NO_NAMESPACE:
      throw LinuxError(call: "write(/proc/self/uid_map)", errno: message.value)
    default:
      throw LinuxError(call: "start of \(program.arguments.first ?? "")", errno: ETIMEDOUT)
    }
  }

  deinit { end() }

  // MARK: While it runs

  /// The descriptor that becomes readable when the program has ended.
  ///
  /// ``checkForEnd()`` then returns how it ended.
  public var descriptor: Int32 { control.number }

  /// Sends a signal, and returns after it was sent.
  public func signal(_ number: Int32, to recipients: Recipients) {
    let kind = recipients == .all ? HANDOVER_TREE_SIGNAL_ALL : HANDOVER_TREE_SIGNAL_GROUP
    state.withLock { state in
      guard !state.isGone, handover_tree_send(control.number, Int32(kind), number) == 0 else {
        return
      }
      let limit = monotonicMicroseconds() + Self.orderMicroseconds
      var isDone = false
      while !isDone, !state.isGone, monotonicMicroseconds() < limit {
        isDone = receive(into: &state, limit - monotonicMicroseconds()) == HANDOVER_TREE_DONE
      }
    }
  }

  /// Returns how the program ended, or `nil` if it is still running.
  public func checkForEnd() -> ChildProcess.End? {
    state.withLock { state in
      while state.end == nil, !state.isGone, receive(into: &state, 0) != nil {}
      return state.end
    }
  }

  /// Waits for the program to end, or returns `nil` if it is still running after `microseconds`.
  public func wait(atMost microseconds: Int64) -> ChildProcess.End? {
    let limit = monotonicMicroseconds() + microseconds
    return state.withLock { state in
      while state.end == nil, !state.isGone {
        let rest = limit - monotonicMicroseconds()
        guard rest > 0 else { break }
        _ = receive(into: &state, rest)
      }
      return state.end
    }
  }

  /// Receives a message and returns its kind, or `nil` if none arrived.
  private func receive(into state: inout State, _ microseconds: Int64) -> Int? {
    let reading = handover_tree_receive(control.number, microseconds)
    let message = reading.message
    if reading.result < 0 {
      state.isGone = true
      // The keeper was killed from outside, and the kernel has killed all processes with it.
      if state.end == nil { state.end = .signalled(SIGKILL) }
    }
    guard reading.result == 1 else { return nil }
    if Int(message.kind) == HANDOVER_TREE_ENDED { state.end = ChildProcess.end(message.value) }
    return Int(message.kind)
  }

  /// Kills the program with all its descendants, and waits until all have ended.
  ///
  /// A second call does nothing.
  public func end() {
    let wasEnded = state.withLock { state in
      defer { (state.isGone, state.isEnded) = (true, true) }
      // Collect the exit status first, so that it can still be queried afterward.
      while state.end == nil, !state.isGone, receive(into: &state, 0) != nil {}
      return state.isEnded
    }
    guard !wasEnded else { return }
    _ = shutdown(control.number, Int32(SHUT_RDWR))
    // Without a namespace, the keeper must kill the descendants before it exits.
    if kind != Self.lastKind { keeper.signal(SIGKILL) }
    _ = try? keeper.wait()
  }
}

extension LinuxError {
  /// Whether the error may mean that no namespace can be created; other errors would affect any
  /// child process.
  fileprivate var concernsNamespaces: Bool {
    switch number {
    case EPERM, EACCES, EINVAL, ENOSPC, EUSERS, ENOSYS:
      call.hasPrefix("clone") || call.hasPrefix("write(/proc/self")
    default: false
    }
  }
}
