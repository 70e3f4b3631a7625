import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverScenario

/// The requested transport variants, such as `keepalive=10s/5s,user-timeout=5s`.
struct VariantList: ExpressibleByArgument, CustomStringConvertible, Sendable {
  /// The maximum number of variants.
  static let maximumCount = 16

  private(set) var variants: [TransportVariant]
  /// The error message if the argument is invalid.
  private(set) var problem: String?

  static let standard = VariantList(variants: TransportVariant.standard)

  init(variants: [TransportVariant]) {
    self.variants = variants
  }

  /// Accepts any string; ``problem`` contains an error message with a hint if it is invalid.
  init?(argument: String) {
    variants = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let variant = Self.variant(part) else {
        problem =
          part.contains("=")
          ? "\"\(part)\" is not a variant. Write keepalive=10s/5s or user-timeout=5s."
          : "\"\(part)\" is not a variant. Write paths before --variants, or write `--` between "
            + "them."
        return
      }
      guard !variants.contains(variant) else {
        problem = "--variants names \"\(part)\" twice."
        return
      }
      variants.append(variant)
    }
    if variants.count > Self.maximumCount {
      problem = "--variants accepts at most \(Self.maximumCount) variants."
    }
  }

  private static func variant(_ text: Substring) -> TransportVariant? {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let times = sides[1].split(separator: "/", omittingEmptySubsequences: false).compactMap {
      TimeNotation.interval(String($0))
    }
    guard times.allSatisfy({ $0 > .zero }) else { return nil }
    let slashes = sides[1].count { $0 == "/" }
    switch (sides[0], times.count, slashes) {
    case ("keepalive", 2, 1): return .keepalive(time: times[0], timeout: times[1])
    case ("user-timeout", 1, 0): return .userTimeout(times[0])
    default: return nil
    }
  }

  var description: String { variants.map(\.argument).joined(separator: ",") }
}
