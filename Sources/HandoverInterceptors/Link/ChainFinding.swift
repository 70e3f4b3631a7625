public import HandoverCore

/// A link broke a rule of the chain, by its name.
///
/// The chain goes on as the rules say: what must not happen was dropped.
public struct ChainFinding: Hashable, Sendable, CustomStringConvertible {
  /// What a link can do wrong.
  public typealias Kind = InterceptorBreach

  /// The name of the link.
  public var link: String
  /// What it did, or did not do.
  public var kind: Kind

  /// Makes a finding.
  public init(link: String, _ kind: Kind) {
    self.link = link
    self.kind = kind
  }

  /// The finding as a sentence.
  public var description: String { "\(link) \(kind.words)" }
}
