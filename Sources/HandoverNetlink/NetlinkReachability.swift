public import HandoverLinux
import Synchronization

/// The reachability of an address as an asynchronous sequence of changes.
///
/// The first element is the current state.
///
///     for try await change in NetlinkReachability() {
///       print(change.reading.category)
///     }
///
/// The sequence ends when its task is canceled. It throws if the kernel cannot be queried. Each
/// iterator has its own thread, which ends with the iterator. A slow reader gets only the newest
/// reading, together with the number of skipped readings.
public struct NetlinkReachability: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = ReachabilityChange
  /// The type of the errors.
  public typealias Failure = LinuxError

  private let target: IPAddress
  private let namespace: Result<NetworkNamespace, LinuxError>
  private let cellular: CellularRule

  /// Creates a sequence; it begins to watch when its first element is requested.
  ///
  /// - Parameters:
  ///   - target: The address; the default represents any address that a default route leads to.
  ///   - namespace: The network namespace, or `nil` for that of the calling thread.
  ///   - cellular: The rule that decides which interfaces are cellular.
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

  /// Returns an iterator that begins to watch when its first element is requested.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// An iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the elements.
    public typealias Element = ReachabilityChange
    /// The type of the errors.
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

    /// Waits for the next change and returns it, or `nil` after the task was canceled.
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
        // Releasing the last reference to the subscription ends its thread.
        phase = .over
        return try taken.get()
      }
      return change
    }
  }

  /// A thread that watches for changes, with the mailbox for its results.
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

/// A mailbox that keeps the newest change until one reader takes it.
final class ChangeMailbox: Sendable {
  /// A change, or `nil` at the end of the sequence.
  typealias Taken = Result<ReachabilityChange?, LinuxError>

  private struct State {
    var change: ReachabilityChange?
    /// The result of all reads after the stored change was taken.
    var end: Taken?
    var reader: CheckedContinuation<Taken, Never>?
  }
  private let state = Mutex(State())

  /// Stores a change, or a failure, after which nothing else is accepted.
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

  /// Closes the mailbox and discards a change that was not taken.
  func close() {
    update { state in
      state.change = nil
      state.end = .success(nil)
    }
  }

  /// Waits for the next change, the failure or the end; only one reader at a time may wait.
  func take() async -> Taken {
    await withCheckedContinuation { reader in
      update { $0.reader = reader }
    }
  }

  /// Changes the state, and resumes the reader if there is a result.
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
        // A failure is reported only once.
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
