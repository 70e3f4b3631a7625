/// A link broke a rule of the chain, by its name.
///
/// The chain goes on as the rules say: what must not happen was dropped.
public struct ChainFinding: Hashable, Sendable, CustomStringConvertible {
  /// The name of the link.
  public var link: String
  /// What it did, or did not do.
  public var kind: Kind

  /// What a link can do wrong.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// A second close was forwarded (I16).
    case closedTwice
    /// Something was forwarded after the close (I16).
    case forwardedAfterClose
    /// Something was forwarded after the link had shut down (I22).
    case forwardedAfterShutDown
    /// Initial metadata was forwarded after a message (I15).
    case metadataAfterMessage
    /// The next link was started twice (I27).
    case startedTwice
    /// The requests were finished before the start (I27).
    case finishedBeforeStart
    /// The requests were finished twice (I17).
    case finishedTwice
    /// A message was written after the requests were finished (I27).
    case writtenAfterFinish
    /// The rest of the chain was made anew while it lived.
    case renewedBeforeClose
    /// A message came in the deprecated way (I30).
    case rawMessage
    /// The call is over for the link, and it forwarded no close (I24).
    case closeNotForwarded
    /// The call is over for the link, and it did not shut down (I24).
    case notShutDown
    /// A link chose another transport than the call was opened with (I28).
    case transportChanged
    /// Neither an interceptor nor a transport could be made (I11, R6).
    case nothingToStart
  }

  /// Makes a finding.
  public init(link: String, _ kind: Kind) {
    self.link = link
    self.kind = kind
  }

  /// The finding as a sentence.
  public var description: String {
    let what =
      switch kind {
      case .closedTwice: "forwards a second close"
      case .forwardedAfterClose: "forwards something after the close"
      case .forwardedAfterShutDown: "forwards something after it has shut down"
      case .metadataAfterMessage: "forwards initial metadata after a message"
      case .startedTwice: "starts the next link twice"
      case .finishedBeforeStart: "finishes the requests before the start"
      case .finishedTwice: "finishes the requests twice"
      case .writtenAfterFinish: "writes after the requests were finished"
      case .renewedBeforeClose: "makes the rest of the chain anew while it lives"
      case .rawMessage: "was given a raw message, which no interceptor takes"
      case .closeNotForwarded: "never forwards the close: the user does not hear the end"
      case .notShutDown: "does not shut down when the call is over: its neighbours stay"
      case .transportChanged: "changes the transport, which a link must not"
      case .nothingToStart: "has nothing behind it that could make the call"
      }
    return "\(link) \(what)"
  }
}
