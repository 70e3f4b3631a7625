public import HandoverBackend
public import HandoverCore

/// A real transport: TCP over SwiftNIO, driven by the same client as the simulation, in real time.
///
/// Its network is given from outside, so that the same backend runs in a device lab and on the
/// loopback interface.
///
/// A script whose `tcpTimeout` the kernel can count to gets it that way; every other one gets it by
/// TCP_USER_TIMEOUT.
public struct NIOBackend: Backend {
  let time: RealTime

  /// Makes the backend on the common ground of those in real time.
  public init(_ time: RealTime) {
    self.time = time
  }

  /// Makes the backend.
  ///
  /// - Parameters:
  ///   - maker: makes the network of each run.
  ///   - options: what can be chosen.
  ///   - expectedEnd: when the run of a script is over in virtual time; what is to happen later is
  ///     not waited for.
  public init(
    in maker: any LiveNetworkMaker, options: RealTime.Options = RealTime.Options(),
    expectedEnd: @escaping @Sendable (Script, Profile) -> Instant
  ) {
    self.init(RealTime(in: maker, options: options, expectedEnd: expectedEnd))
  }

  /// Everything that the simulation shows can be seen here too, in the kernel's time.
  public var description: BackendDescription {
    BackendDescription(
      name: "nio", time: .real(tolerance: time.tolerance), capabilities: [.all, .kernel])
  }

  /// Makes a session; networks are made when scripts are opened.
  public func makeSession() throws(BackendError) -> any BackendSession {
    LiveSession(self)
  }
}
