public import HandoverCore
public import HandoverInterceptors
public import HandoverScenario
public import HandoverThreadPool
public import Testing

// Short descriptions of test arguments, which replace dumps of some hundred characters. All test
// targets are linked into one program, so a conformance declared here applies to each of them.

/// Shortens a dump: removes the names of modules and enclosing types, and truncates the rest.
enum ShortText {
  /// The maximum length.
  ///
  /// Longer strings are truncated and end in "…".
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

/// A type without a name that is shown by its short dump.
public protocol ShortlyShown: CustomTestStringConvertible {}

extension ShortlyShown {
  /// The shortened dump.
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
  /// The descriptions of the elements, truncated to one line.
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
