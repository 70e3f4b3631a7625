import HandoverBackend
import HandoverCore

/// The role of the process under test: a whole client, or the transport of the built-in client.
///
/// The run controls the timeline, the network and the servers. The role sends facts to the client
/// and records the client's behavior.
protocol LiveRole: AnyObject {
  /// The name of the process in messages.
  var title: String { get }
  /// The process under test.
  var process: LiveProcess { get }
  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { get }
  /// The callbacks to the client's monitor, or `nil` if this process contains no monitor.
  var callbacks: FlagCallbacks? { get }
  /// The next instant at which time alone changes the client, or `nil` if there is none.
  var nextDeadline: Instant? { get }

  /// Sends the beginning of the run to the process.
  func open() throws(BackendError)
  /// Records that the clock has started, with the device in the script's initial state.
  func begin(into trace: inout Trace) throws(BackendError)
  /// Assigns an identifier to a call, given by its index in the script, that is about to start.
  func introduce(_ call: Int) -> CallID
  /// Sends a user action to the client.
  func send(_ event: ChannelPool.Event, into trace: inout Trace) throws(BackendError)
  /// Processes all lines that have arrived, and the timers that are due.
  func poll(into trace: inout Trace) throws(BackendError)
  /// Continues after the application has returned from the background.
  func continueRun(into trace: inout Trace) throws(BackendError)
  /// Closes the client and returns its remaining resources; its process is notified afterwards.
  func close(into trace: inout Trace) throws(BackendError) -> [String]
}
