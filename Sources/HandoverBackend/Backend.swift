public import HandoverCore

/// An implementation under test that runs scripts and records the events.
///
/// The engine decides which script runs and when, and checks the trace; a backend does neither. One
/// backend serves many sessions, each used by one thread at a time.
public protocol Backend: Sendable {
  /// The backend's name, its kind of time and its capabilities.
  var description: BackendDescription { get }

  /// Creates a session that runs scripts one after the other.
  ///
  /// - Throws: ``BackendError`` if the backend cannot be started.
  func makeSession() throws(BackendError) -> any BackendSession
}

/// A session that runs scripts one after the other.
///
/// The order of calls for a script is: `open`; `advance` and `play`, at instants that never
/// decrease; `runUntilIdle`; `close`. The session appends every event to the trace. After an error
/// the session is not used again. There is one exception: in virtual time, a session whose `open`
/// threw ``BackendError/Code/unsupported`` is opened for the next script.
public protocol BackendSession: AnyObject {
  /// Begins a script: the device is in the state `script.initial`, and the client is new.
  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError)

  /// Advances time to just before an instant and processes every event due earlier.
  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError)

  /// Advances time through an instant and processes every event due until then, or at it.
  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError)

  /// Runs one entry of the script's timeline, given by its index, at its instant.
  ///
  /// The consequences of the entry at the same instant happen in the next `advance` or
  /// `runUntilIdle`. Therefore all entries of an instant run before any of their consequences.
  func play(_ entry: Int, into trace: inout Trace) throws(BackendError)

  /// Advances time for as long as an event is due that is not merely periodic.
  ///
  /// The messages of an endless stream and the disposal of unused channels are periodic.
  ///
  /// - Returns: The instant of the last event, or the limit if a non-periodic event is due after
  ///   it. In that case every event until the limit has been processed, including periodic ones.
  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant

  /// Closes the client at an instant; no resources of the client may remain.
  ///
  /// - Returns: Descriptions of resources that remain nevertheless; empty if none do.
  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String]

  /// The log that the backend wrote since `open`; empty if it writes none.
  var log: String { get }
}

extension BackendSession {
  /// An empty log, the default.
  public var log: String { "" }
}

/// The name of a backend and the events that it makes observable.
public struct BackendDescription: Hashable, Sendable {
  /// The name in reports.
  public var name: String
  /// Whether the harness or the kernel controls time.
  public var time: TimeKind
  /// The observable events.
  ///
  /// An expectation about any other event is *unsupported*, never failed.
  public var capabilities: Capabilities

  /// Creates a description.
  public init(name: String, time: TimeKind, capabilities: Capabilities) {
    self.name = name
    self.time = time
    self.capabilities = capabilities
  }

  /// The source of a backend's time.
  public enum TimeKind: Hashable, Sendable {
    /// The harness controls time: no run waits, and repeated runs are identical to the byte.
    case virtual
    /// The kernel controls time: each instant becomes a window that extends by the tolerance to
    /// both sides.
    case real(tolerance: Interval)

    /// The largest allowed distance of an event from its instant.
    public var tolerance: Interval {
      switch self {
      case .virtual: .zero
      case .real(let tolerance): tolerance
      }
    }
  }
}

/// The events of a backend that are observable in addition to how calls end.
public struct Capabilities: OptionSet, Hashable, Sendable {
  /// The bits, one for each capability.
  public let rawValue: UInt8

  /// Creates a set from its bits, one for each capability.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// State changes of channels.
  public static let channels = Capabilities(rawValue: 1)
  /// State changes of connections.
  public static let connections = Capabilities(rawValue: 2)
  /// The requests and messages that the servers read.
  public static let server = Capabilities(rawValue: 4)
  /// The notifications of the monitor.
  public static let monitor = Capabilities(rawValue: 8)
  /// The events that pass through the interceptors of calls.
  public static let interceptors = Capabilities(rawValue: 16)
  /// State changes of requests, and the answers of dispatchers.
  public static let requests = Capabilities(rawValue: 32)
  /// The specifications' status messages in addition to the status codes.
  ///
  /// A client without this capability may word its messages as it likes.
  public static let messages = Capabilities(rawValue: 64)
  /// The counters of the device's kernel, which do not exist in virtual time.
  public static let kernel = Capabilities(rawValue: 128)
  /// All capabilities that are possible in virtual time.
  public static let all: Capabilities = [
    .channels, .connections, .server, .monitor, .interceptors, .requests, .messages,
  ]
}

/// The reason why a run did not take place or did not end.
///
/// The script is not supported, or the backend or the harness failed.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case cannotStart
      case backendFailed
      case late
      case unsupported
    }
    private let kind: Kind

    /// The backend cannot be started.
    public static let cannotStart = Code(kind: .cannotStart)
    /// The backend failed in the middle of a run.
    public static let backendFailed = Code(kind: .backendFailed)
    /// The network changed too late in real time, so the run was not a run of the script.
    ///
    /// A machine that was busy for a moment may keep up the next time.
    public static let late = Code(kind: .late)
    /// The backend cannot run this script and reported so before the run; it may run the next one.
    public static let unsupported = Code(kind: .unsupported)
  }

  /// The kind of the error.
  public var code: Code
  /// The message: what happened, why, and what the user can do.
  public var message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
