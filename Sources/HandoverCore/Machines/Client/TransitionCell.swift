/// A cell of the transition space.
///
/// A cell consists of a category change, and of the state of one call and its channel at that
/// instant. Scenarios and explorations are measured by the cells that they reach.
package struct TransitionCell: Hashable, Sendable {
  /// The phase of a call, or `noCall` for a channel without calls.
  package enum Phase: UInt8, Hashable, Sendable, CaseIterable {
    case noCall
    case awaitingToken
    case waiting
    case running
  }

  /// The change that the monitor reported.
  package var change: CategoryChange
  package var phase: Phase
  /// The state of the call's channel; SHUTDOWN if there is none.
  package var channel: ChannelState
  /// The state of the app.
  ///
  /// ``AppState/background`` means that the app was suspended and was notified of the change when
  /// it returned.
  package var app: AppState

  package init(
    _ change: CategoryChange, _ phase: Phase, _ channel: ChannelState, _ app: AppState
  ) {
    self.change = change
    self.phase = phase
    self.channel = channel
    self.app = app
  }

  /// All possible changes: the previous category may be Unknown, the new one may not (M8).
  package static let changes: [CategoryChange] = NetworkCategory.allCases.flatMap { from in
    [NetworkCategory.noNetwork, .cellular, .wifi].filter { $0 != from }
      .map { CategoryChange(from: from, to: $0) }
  }

  /// Every cell, in the order of tables: by app state, phase, change and channel state.
  package static let all: [TransitionCell] = AppState.allCases.flatMap { app in
    Phase.allCases.flatMap { phase in
      changes.flatMap { change in
        ChannelState.allCases.map { TransitionCell(change, phase, $0, app) }
      }
    }
  }

  /// The index in ``all``, or `nil` for a change that no monitor reports.
  package var position: Int? {
    guard let change = Self.changes.firstIndex(of: change),
      let app = AppState.allCases.firstIndex(of: app)
    else { return nil }
    let row = (app * Phase.allCases.count + Int(phase.rawValue)) * Self.changes.count + change
    return row * ChannelState.allCases.count + Int(channel.rawValue)
  }

  /// A name for files, such as `wifi-to-none-running-ready-background`.
  package var slug: String {
    let channel = channel == .shutdown ? "no-channel" : channel.name.lowercased()
    let words = [
      "\(change.from)", "to", "\(change.to)", phase.slug, channel, app.rawValue,
    ]
    return words.joined(separator: "-").lowercased().replacing("_", with: "-")
  }
}

extension TransitionCell.Phase {
  fileprivate var slug: String {
    switch self {
    case .noCall: "no-call"
    case .awaitingToken: "awaiting-token"
    case .waiting: "waiting"
    case .running: "running"
    }
  }
}

/// A set of cells; ``list`` returns them in order.
package typealias TransitionCells = Set<TransitionCell>  // lookup only

extension TransitionCells {
  /// The cells, in the order of ``TransitionCell/all``.
  package var list: [TransitionCell] { TransitionCell.all.filter(contains) }
}
