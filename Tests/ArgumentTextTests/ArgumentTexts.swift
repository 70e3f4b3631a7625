public import HandoverCore
public import HandoverInterceptors
public import HandoverScenario
public import HandoverThreadPool
public import HandoverTrace
public import Testing

// How arguments of tests are shown, in the place of dumps of some hundred characters. All test
// targets are one program, so that a conformance holds in each of them, and stands here once.

/// Makes a dump short: without the names of modules and enclosing types, and cut off.
enum ShortText {
  /// What is longer ends in "…".
  static let limit = 100

  static func of(_ value: some Any) -> String {
    let text = String(describing: value)
      .replacing(
        /\bHandover\w+\.(?:[A-Z]\w*\.)*(?:\(unknown context at \$[0-9a-f]+\)\.)?/, with: ""
      )
      .replacing(/(\w+ID)\(index: (\d+)(?:, generation: (\d+))?\)/) { match in
        let generation = match.output.3.flatMap { Int($0) } ?? 0
        return "\(match.output.1) \(match.output.2)" + (generation == 0 ? "" : "/\(generation)")
      }
    return text.count > limit ? text.prefix(limit - 1) + "…" : text
  }
}

/// What has no name of its own and is shown by its short text.
public protocol ShortlyShown: CustomTestStringConvertible {}

extension ShortlyShown {
  /// The short text.
  public var testDescription: String { ShortText.of(self) }
}

extension CallEnd: ShortlyShown {}
extension ChainRequest: ShortlyShown {}
extension ChannelPool.Event: ShortlyShown {}
extension ClientCore.Event: ShortlyShown {}
extension ClientEffect: ShortlyShown {}
extension ScriptAction: ShortlyShown {}
extension ThreadPool.Configuration: ShortlyShown {}
extension TraceRecord.Body: ShortlyShown {}

extension Profile: CustomTestStringConvertible {
  /// The name, as scenarios write it.
  public var testDescription: String { name }
}

extension DiagnosticCode: CustomTestStringConvertible {
  /// The code, as diagnostics show it.
  public var testDescription: String { rawValue }
}

extension Array: @retroactive CustomTestStringConvertible
where Element: CustomTestStringConvertible {
  /// The texts of the elements, cut off where they are longer than a line.
  public var testDescription: String {
    let text = map(\.testDescription).joined(separator: ", ")
    return text.count > ShortText.limit - 2 ? "[\(text.prefix(ShortText.limit - 3))…]" : "[\(text)]"
  }
}

#if canImport(HandoverLinux)
  public import HandoverLinux

  extension NetworkInterface: CustomTestStringConvertible {
    /// The name and the kind.
    public var testDescription: String { "\(name) (\(kind ?? "no kind"), \(hardwareType))" }
  }
#endif
