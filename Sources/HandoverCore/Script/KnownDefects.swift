/// The injected bugs of all parts of a client, which can be enabled by name.
public enum KnownDefects {
  /// The names, those of ``Defect`` first; no name occurs twice.
  public static let names: [String] =
    Defect.allCases.map(\.rawValue) + DispatcherDefect.allCases.map(\.rawValue)
}
