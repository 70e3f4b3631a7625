@testable import HandoverCore

/// Invariants that hold independently of any model.
///
/// The checks use only effects and usage.
struct DispatcherWatch {
  /// The requests that were neither refused nor notified of their end.
  private(set) var open: [RequestID] = []
  private(set) var mostOpen = 0
  /// For each endpoint, the requests that wait for a slot, in the order in which they started to
  /// wait.
  private var waiting: [[(id: RequestID, isShort: Bool)]]
  /// The request that is admitted although the long limit is reached.
  private var ignoring: RequestID?

  init(endpointCount: Int) {
    waiting = Array(repeating: [], count: endpointCount)
  }

  mutating func arrive(_ id: RequestID) throws {
    guard !open.contains(id) else { throw Refusal("two requests have one identifier") }
    open.append(id)
    mostOpen = max(mostOpen, open.count)
  }

  mutating func see(_ effect: DispatcherEffect, in machine: EndpointDispatcher) throws {
    switch effect {
    case .start(let id), .startPoll(let id):
      try requireOpen(id)
      try begin(id, in: machine)
    case .wait(let id, _):
      try requireOpen(id)
      let row = machine.requests[id.index]
      waiting[Int(row.endpoint)].append((id, !row.isLong))
    case .refuse(let id, _), .notify(let id, _):
      try requireOpen(id)
      open.removeAll { $0 == id }
      for index in waiting.indices { waiting[index].removeAll { $0.id == id } }
    case .limitReached(let id, _):
      try requireOpen(id)
      ignoring = id
    case .hold(let id):
      try requireOpen(id)
      ignoring = nil
      waiting[Int(machine.requests[id.index].endpoint)].append((id, false))
    case .thaw(let id):
      try requireOpen(id)
      // A request that the platform froze already has its place there, and was admitted for good.
      let row = machine.requests[id.index]
      if waiting[Int(row.endpoint)].contains(where: { $0.id == id }) { try begin(id, in: machine) }
    case .freeze(let id), .replaceByPolls(let id, _), .abandon(let id), .slotReleased(let id):
      try requireOpen(id)
    }
  }

  private func requireOpen(_ id: RequestID) throws {
    guard open.contains(id) else { throw Refusal("\(id) was told of its end before") }
  }

  /// Checks that no request starts beyond the limits, or in a slot for which a short request was
  /// waiting earlier.
  private mutating func begin(_ id: RequestID, in machine: EndpointDispatcher) throws {
    let row = machine.requests[id.index]
    guard row.kind != .exempt else { return }
    let index = Int(row.endpoint)
    let usage = machine.usage(of: EndpointID(index: row.endpoint))
    guard usage.running <= usage.total else { throw Refusal("the limit is exceeded") }
    guard !row.isLong || ignoring == id || usage.runningLong <= usage.longLimit else {
      throw Refusal("the long limit is exceeded")
    }
    let own = waiting[index].firstIndex { $0.id == id } ?? waiting[index].count
    guard !waiting[index][..<own].contains(where: \.isShort) else {
      throw Refusal("\(id) overtook a short request")
    }
    if own < waiting[index].count { waiting[index].remove(at: own) }
  }

  /// Checks that the admission of a request is the predicted one.
  func check(_ predicted: Admission?, against effects: [DispatcherEffect]) throws {
    guard let predicted else { return }
    var admission: Admission?
    for effect in effects {
      switch effect {
      case .start: admission = .startsNow
      case .wait(_, let position) where admission == .polls(position: 0):
        admission = .polls(position: position)
      case .wait(_, let position): admission = .waits(position: position)
      case .refuse(_, let refusal): admission = .refused(refusal)
      case .freeze, .hold: admission = .freezes
      case .replaceByPolls: admission = .polls(position: 0)
      case .startPoll, .limitReached, .thaw, .abandon, .slotReleased, .notify: break
      }
    }
    guard admission == predicted else { throw Refusal("\(predicted) was predicted") }
  }

  /// Checks that no request waits while it could use a free slot.
  func checkWaiting(_ usage: EndpointUsage, frozenByPlatform: UInt32) throws {
    guard usage.running < usage.total else { return }
    guard usage.waitingShort + frozenByPlatform == 0 else {
      throw Refusal("a request waits although a slot is free")
    }
    guard usage.waitingLong + usage.frozen == 0 || usage.runningLong >= usage.longLimit else {
      throw Refusal("a long request waits while a slot is free")
    }
  }
}
