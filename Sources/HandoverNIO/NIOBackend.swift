public import HandoverBackend
public import HandoverCore

/// A backend with real TCP connections over SwiftNIO, driven in real time by the simulation's
/// client.
///
/// The caller provides the network, so the same backend runs in a device lab and on the loopback
/// interface.
///
/// If the kernel's retransmission count can produce the script's `tcpTimeout`, the backend uses the
/// count. For any other value it sets TCP_USER_TIMEOUT.
public struct NIOBackend: Backend {
  let time: RealTime

  /// Creates the backend from the common settings of real-time backends.
  public init(_ time: RealTime) {
    self.time = time
  }

  /// Creates the backend.
  ///
  /// - Parameters:
  ///   - maker: The factory for the network of each run.
  ///   - options: The options of real-time backends.
  ///   - expectedEnd: Returns the time at which the run of a script ends in virtual time; the run
  ///     does not wait for later events.
  public init(
    in maker: any LiveNetworkFactory, options: RealTime.Options = RealTime.Options(),
    expectedEnd: @escaping @Sendable (Script, Profile) -> Instant
  ) {
    self.init(RealTime(in: maker, options: options, expectedEnd: expectedEnd))
  }

  /// The description of the backend, which can observe everything that the simulation shows.
  public var description: BackendDescription {
    BackendDescription(
      name: "nio", time: .real(tolerance: time.tolerance), capabilities: [.all, .kernel])
  }

  /// Creates a session; networks are created when scripts are opened.
  public func makeSession() throws(BackendError) -> any BackendSession {
    LiveSession(self)
  }
}
