public import HandoverLinux
import Synchronization

/// The reachability of an address as a sequence of changes, the first being how things stand.
///
///     for try await change in NetlinkReachability() {
///       print(change.reading.category)
///     }
///
/// The sequence ends when its task is cancelled; it fails where the kernel cannot be asked. Each
/// iterator has a thread of its own, which ends with it. Whoever is slow gets the newest reading,
/// and how many were passed over.
public struct NetlinkReachability: AsyncSequence, Sendable {
  /// What the sequence consists of.
  public typealias Element = ReachabilityChange
  /// How the sequence can fail.
  public typealias Failure = LinuxError

  private let target: IPAddress
  private let namespace: Result<NetworkNamespace, LinuxError>
  private let cellular: CellularRule

  /// Describes what to watch; watching begins with the first element that is asked for.
  ///
  /// - Parameters:
  ///   - target: the address; usually any at all, which is what a default route leads to.
  ///   - namespace: the namespace; nil is that of the thread that makes the sequence.
  ///   - cellular: which interfaces are cellular.
  public init(
    target: IPAddress = ReachabilityProbe.anywhere, in namespace: NetworkNamespace? = nil,
    cellular: CellularRule = CellularRule()
  ) {
    self.target = target
    self.cellular = cellular
    self.namespace = Result { () throws(LinuxError) in
      if let namespace { return namespace }
      return try NetworkNamespace.current(name: "this namespace")
    }
  }

  /// An iterator that begins to watch when it is asked for its first element.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// Takes changes one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// What is taken.
    public typealias Element = ReachabilityChange
    /// How taking can fail.
    public typealias Failure = LinuxError

    private enum Phase {
      case waiting(NetlinkReachability)
      case running(Subscription)
      case over
    }
    private var phase: Phase

    fileprivate init(sequence: NetlinkReachability) {
      phase = .waiting(sequence)
    }

    /// Waits for the next change; nil after the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LinuxError) -> ReachabilityChange? {
      let subscription: Subscription
      switch phase {
      case .over: return nil
      case .running(let running): subscription = running
      case .waiting(let sequence):
        phase = .over
        subscription = try Subscription(sequence)
        phase = .running(subscription)
      }
      let mailbox = subscription.mailbox
      let taken = await withTaskCancellationHandler {
        await mailbox.take()
      } onCancel: {
        mailbox.close()
      }
      guard case .success(let change?) = taken else {
        // The last one to hold the subscription ends its thread.
        phase = .over
        return try taken.get()
      }
      return change
    }
  }

  /// A thread that watches, and where it leaves what it has seen.
  private final class Subscription: Sendable {
    let mailbox: ChangeMailbox
    private let watcher: ReachabilityWatcher

    init(_ sequence: NetlinkReachability) throws(LinuxError) {
      let probe = try ReachabilityProbe(
        target: sequence.target, in: try sequence.namespace.get(), cellular: sequence.cellular)
      let mailbox = ChangeMailbox()
      self.mailbox = mailbox
      watcher = try ReachabilityWatcher(probe) { mailbox.put($0) }
    }
  }
}

/// Holds the newest change until one reader takes it.
final class ChangeMailbox: Sendable {
  /// A change; nil is the end.
  typealias Taken = Result<ReachabilityChange?, LinuxError>

  private struct State {
    var change: ReachabilityChange?
    /// What comes after the change that is held, for good.
    var end: Taken?
    var reader: CheckedContinuation<Taken, Never>?
  }
  private let state = Mutex(State())

  /// Leaves a change, or a failure after which nothing comes any more.
  func put(_ news: Result<ReachabilityChange, LinuxError>) {
    update { state in
      guard state.end == nil else { return }
      switch news {
      case .success(let change):
        state.change = state.change.map(change.inPlace(of:)) ?? change
      case .failure(let error):
        state.end = .failure(error)
      }
    }
  }

  /// Ends it; what nobody took is thrown away.
  func close() {
    update { state in
      state.change = nil
      state.end = .success(nil)
    }
  }

  /// Waits for the next change, the failure or the end; one reader at a time.
  func take() async -> Taken {
    await withCheckedContinuation { reader in
      update { $0.reader = reader }
    }
  }

  /// Changes the state, and serves the reader where there is something for him.
  private func update(_ change: (inout State) -> Void) {
    let served = state.withLock { state -> (CheckedContinuation<Taken, Never>, Taken)? in
      change(&state)
      guard let reader = state.reader else { return nil }
      let taken: Taken
      if let change = state.change {
        taken = .success(change)
        state.change = nil
      } else if let end = state.end {
        taken = end
        // A failure is told once.
        state.end = .success(nil)
      } else {
        return nil
      }
      state.reader = nil
      return (reader, taken)
    }
    if let (reader, taken) = served { reader.resume(returning: taken) }
  }
}
