import CLinux
import Glibc
import Synchronization

/// A program with everything that it starts: stopped as a whole, and ended as a whole.
///
/// The program is a child of a keeper, which is the first process of a PID namespace: when the
/// keeper ends, the kernel ends all that lives in there, also what left its group or its session.
/// The keeper ends when nobody holds this object any more, and when this process has ended, however
/// it ended. Where there can be no such namespace, see ``obstacle``, the keeper looks for what the
/// program started and ends that.
///
/// Every function may be called from any thread.
public final class ProcessTree: Sendable {
  /// Whom a signal is for.
  public enum Recipients: Hashable, Sendable {
    /// The program and everything that it started.
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
    /// Whether the keeper has nothing to tell any more.
    var isGone = false
    /// Whether the keeper was waited for.
    var isEnded = false
  }

  /// How long an order may take, in microseconds.
  private static let orderMicroseconds: Int64 = 30_000_000
  /// How long the start of a program may take, in microseconds.
  private static let startMicroseconds: Int64 = 30_000_000
  /// The kind of keeper without a namespace.
  private static let lastKind: Int32 = 2

  // MARK: Namespaces

  private static let choice = Mutex(Choice())

  /// What is known of this machine.
  private struct Choice {
    var kind: Int32 = 0
    var obstacle: LinuxError?
  }

  /// Why no PID namespace can be made here; nil where one can, or nothing was started yet.
  ///
  /// What programs start is looked for then: whoever hides its parents from the kernel's list of
  /// children, and whatever lives on when the keeper itself is killed, stays.
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

  /// Starts a program in a namespace; without one, in the calling thread's.
  ///
  /// It is looked up in PATH and leads a process group of its own. Standard streams that are not
  /// given are inherited.
  ///
  /// - Throws: ``LinuxError`` where it cannot be started.
  public static func start(
    _ arguments: [String], environment: [String] = Environment.current,
    in namespace: NetworkNamespace? = nil, input: Int32? = nil, output: Int32? = nil,
    error: Int32? = nil
  ) throws(LinuxError) -> ProcessTree {
    guard !arguments.isEmpty else { throw LinuxError(call: "spawn", errno: EINVAL) }
    let start = { @Sendable () throws(LinuxError) -> Started in
      var kind = choice.withLock { $0.kind }
      while true {
        do throws(LinuxError) {
          return try begin(arguments, environment, kind, [input, output, error])
        } catch {
          guard kind < lastKind, error.isOfNamespaces else { throw error }
          give(up: kind, error)
          kind += 1
        }
      }
    }
    let started = if let namespace { try namespace.run(start) } else { try start() }
    return ProcessTree(started)
  }

  private static func begin(
    _ arguments: [String], _ environment: [String], _ kind: Int32, _ streams: [Int32?]
  ) throws(LinuxError) -> Started {
    var control: Int32 = -1
    let keeper = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        var program = unsafe handover_tree_program(
          arguments: arguments, environment: environment, input: streams[0] ?? -1,
          output: streams[1] ?? -1, error: streams[2] ?? -1)
        return unsafe handover_start_tree(&program, kind, &control)
      }
    }
    try checked(keeper, "clone(CLONE_NEWPID)")
    var message = handover_tree_message()
    let result = unsafe handover_tree_receive(control, startMicroseconds, &message)
    if result == 1, message.kind == HANDOVER_TREE_STARTED {
      return Started(keeper: keeper, kind: kind, control: control)
    }
    _ = close(control)
    _ = kill(keeper, SIGKILL)
    _ = try? ChildProcess(identifier: keeper).wait()
    switch Int(message.kind) {
    case HANDOVER_TREE_FAILED:
      throw LinuxError(program: arguments.first ?? "", errno: message.value)
    case HANDOVER_TREE_NO_NAMESPACE:
      throw LinuxError(call: "write(/proc/self/uid_map)", errno: message.value)
    default:
      throw LinuxError(call: "start of \(arguments.first ?? "")", errno: ETIMEDOUT)
    }
  }

  deinit { end() }

  // MARK: While it runs

  /// Can be read when the program has ended; ``endIfOver()`` then says how.
  public var descriptor: Int32 { control.number }

  /// Sends a signal, and comes back when it was sent.
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

  /// How the program ended; nil where it still runs.
  public func endIfOver() -> ChildProcess.End? {
    state.withLock { state in
      while state.end == nil, !state.isGone, receive(into: &state, 0) != nil {}
      return state.end
    }
  }

  /// Waits for the end of the program, at most for some microseconds; nil where it still runs.
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

  /// Takes a message in; the kind of it, or nil where none has come.
  private func receive(into state: inout State, _ microseconds: Int64) -> Int? {
    var message = handover_tree_message()
    let result = unsafe handover_tree_receive(control.number, microseconds, &message)
    if result < 0 {
      state.isGone = true
      // Somebody ended the keeper, and the kernel all that was with it.
      if state.end == nil { state.end = .signalled(SIGKILL) }
    }
    guard result == 1 else { return nil }
    if Int(message.kind) == HANDOVER_TREE_ENDED { state.end = ChildProcess.end(message.value) }
    return Int(message.kind)
  }

  /// Ends the program with everything that it started, and waits until all of it is gone; the
  /// second time it does nothing.
  public func end() {
    let wasEnded = state.withLock { state in
      defer { (state.isGone, state.isEnded) = (true, true) }
      // How it ended by itself can be asked for afterwards.
      while state.end == nil, !state.isGone, receive(into: &state, 0) != nil {}
      return state.isEnded
    }
    guard !wasEnded else { return }
    _ = shutdown(control.number, Int32(SHUT_RDWR))
    // Without a namespace the keeper has work to do.
    if kind != Self.lastKind { keeper.signal(SIGKILL) }
    _ = try? keeper.wait()
  }
}

extension LinuxError {
  /// Whether it may be that no namespace can be made; all else would befall any child.
  fileprivate var isOfNamespaces: Bool {
    switch number {
    case EPERM, EACCES, EINVAL, ENOSPC, EUSERS, ENOSYS:
      call.hasPrefix("clone") || call.hasPrefix("write(/proc/self")
    default: false
    }
  }
}
