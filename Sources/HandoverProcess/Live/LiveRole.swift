import HandoverBackend
import HandoverCore
import HandoverTrace

/// What the process under test is in a run: a whole client, or the transport of this process's own.
///
/// Entries of the timeline, the network and the servers are the run's; what becomes of the client
/// is told and written down here.
protocol LiveRole: AnyObject {
  /// What messages call the process.
  var title: String { get }
  /// The process under test.
  var process: LiveProcess { get }
  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { get }
  /// The way of callbacks to the client's monitor; nil where it has none in this process.
  var callbacks: FlagCallbacks? { get }
  /// When time alone changes something; nil where it never does.
  var nextDeadline: Instant? { get }

  /// Tells the process that a run begins.
  func open() throws(BackendError)
  /// Takes note that time has begun, and the device stands where the script begins.
  func begin(into trace: inout Trace) throws(BackendError)
  /// Gives the call at a place of the script, which is about to be started, its identifier.
  func introduce(_ call: Int) -> CallID
  /// Tells the client of something that its user does.
  func send(_ event: ChannelPool.Event, into trace: inout Trace) throws(BackendError)
  /// Takes in all that has come by now, and what is due.
  func poll(into trace: inout Trace) throws(BackendError)
  /// Takes note that the application has returned from the background.
  func goOn(into trace: inout Trace) throws(BackendError)
  /// Closes the client; answers what of it remains. Its process is told afterwards.
  func close(into trace: inout Trace) throws(BackendError) -> [String]
}
