public import HandoverCore
public import HandoverTrace

/// What can be put under test: it plays scripts and tells what happened.
///
/// The engine decides what is played when and judges what is told; a backend decides nothing of
/// either. One backend serves many sessions, each used by one thread at a time.
public protocol Backend: Sendable {
  /// Who the backend is and what can be seen of it.
  var description: BackendDescription { get }

  /// Makes something that plays scripts one after the other.
  ///
  /// - Throws: ``BackendError`` where the backend cannot be started.
  func makeSession() throws(BackendError) -> any BackendSession
}

/// One thing that plays scripts, one after the other.
///
/// The order of calls for a script is: `open`; `advance` and `play`, at instants that never
/// decrease; `runUntilIdle`; `close`. Everything that happens is appended to the trace. After an
/// error the session is not used again; in virtual time, one whose `open` said
/// ``BackendError/Code/unsupported`` is opened for the next script.
public protocol BackendSession: AnyObject {
  /// Begins a script: the device stands as `script.initial` says, the client knows nothing.
  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError)

  /// Lets time pass until just before an instant: everything due earlier happens.
  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError)

  /// Lets time pass through an instant: everything due until then, and at it, happens.
  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError)

  /// Plays the entry at a place of the script's timeline, at its instant.
  ///
  /// What follows from it at the same instant happens in the next `advance` or `runUntilIdle`, so
  /// that all entries of an instant come before what follows from them.
  func play(_ entry: Int, into trace: inout Trace) throws(BackendError)

  /// Lets time pass for as long as anything is due that is not merely periodic: the messages of an
  /// endless stream and the disposal of unused channels do not count.
  ///
  /// - Returns: the instant of the last thing that happened; or the limit, where something is due
  ///   after it. Then everything until the limit has happened, also what is periodic.
  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant

  /// Closes the client at an instant; nothing of it may remain afterwards.
  ///
  /// - Returns: what remained all the same, in words; empty where all is well.
  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String]

  /// What the backend wrote for people since `open`; empty where it writes nothing.
  var log: String { get }
}

extension BackendSession {
  /// Nothing.
  public var log: String { "" }
}

/// Who a backend is, and what can be seen of it.
public struct BackendDescription: Hashable, Sendable {
  /// The name in reports.
  public var name: String
  /// Whether time is the harness's or the kernel's.
  public var time: TimeKind
  /// What can be seen; an expectation about anything else is *unsupported*, never failed.
  public var capabilities: Capabilities

  /// Makes a description.
  public init(name: String, time: TimeKind, capabilities: Capabilities) {
    self.name = name
    self.time = time
    self.capabilities = capabilities
  }

  /// Whose time it is.
  public enum TimeKind: Hashable, Sendable {
    /// The harness's: nothing waits, and runs are the same to the byte.
    case virtual
    /// The kernel's: points in time become windows, as wide as the tolerance to both sides.
    case real(tolerance: Interval)

    /// How far things may happen from their instant.
    public var tolerance: Interval {
      switch self {
      case .virtual: .zero
      case .real(let tolerance): tolerance
      }
    }
  }
}

/// What can be seen of a backend, beside how calls end.
public struct Capabilities: OptionSet, Hashable, Sendable {
  /// One bit for each capability.
  public let rawValue: UInt8

  /// Takes one bit for each capability.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// What becomes of channels.
  public static let channels = Capabilities(rawValue: 1)
  /// What becomes of connections.
  public static let connections = Capabilities(rawValue: 2)
  /// What the servers read.
  public static let server = Capabilities(rawValue: 4)
  /// What the monitor notifies.
  public static let monitor = Capabilities(rawValue: 8)
  /// What passes the interceptors of calls.
  public static let interceptors = Capabilities(rawValue: 16)
  /// What becomes of requests, and what dispatchers answer.
  public static let requests = Capabilities(rawValue: 32)
  /// The documents' texts beside the status codes; without it a client words its ends as it likes.
  public static let messages = Capabilities(rawValue: 64)
  /// What the device's kernel counts; there is none in virtual time.
  public static let kernel = Capabilities(rawValue: 128)
  /// All that there is in virtual time.
  public static let all: Capabilities = [
    .channels, .connections, .server, .monitor, .interceptors, .requests, .messages,
  ]
}

/// A backend or the harness broke: there is no verdict.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of breakage it is.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case cannotStart
      case brokeDown
      case unsupported
    }
    private let kind: Kind

    /// The backend cannot be started.
    public static let cannotStart = Code(kind: .cannotStart)
    /// The backend broke down in the middle of a run.
    public static let brokeDown = Code(kind: .brokeDown)
    /// The backend cannot play this script, and says so beforehand; the next one it may.
    public static let unsupported = Code(kind: .unsupported)
  }

  /// The kind.
  public var code: Code
  /// What happened, why, and what to do.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
