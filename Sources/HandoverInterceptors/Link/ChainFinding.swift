public import HandoverCore

/// A violation of a chain rule by an interceptor.
///
/// The chain continues as the rules require: the illegal operation was dropped.
public struct ChainFinding: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of violations.
  public typealias Kind = InterceptorViolation

  /// The name of the interceptor.
  public var link: String
  /// The kind of the violation.
  public var kind: Kind

  /// Creates a finding.
  public init(link: String, _ kind: Kind) {
    self.link = link
    self.kind = kind
  }

  /// The finding as a sentence.
  public var description: String { "\(link) \(kind.phrase)" }
}
