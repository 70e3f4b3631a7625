import HandoverDispatcher
import HandoverMachines

/// The defects of all parts of a client together: the one list of what can be asked for by name.
public enum KnownDefects {
  /// The names, those of ``Defect`` first; no two parts share one.
  public static let names: [String] =
    Defect.allCases.map(\.rawValue) + DispatcherDefect.allCases.map(\.rawValue)
}
