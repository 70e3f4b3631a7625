import HandoverMachines

extension Instant {
  static func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }
  static func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

  /// The last instant before this one.
  var justBefore: Instant { Instant(microseconds: microseconds - 1) }
}

func endpoint(_ index: UInt32) -> EndpointID {
  EndpointID(index: index)
}

/// An effect of a dispatcher that no driver could carry out.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
