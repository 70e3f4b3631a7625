import HandoverCore

// The calls in entries of the timeline.

extension ScenarioEncoder {
  /// Returns the ID of a call.
  func call(_ index: Int) -> JSONTree { .text(script.calls[index].id) }

  func created(_ call: Int, starts: Bool) -> JSONTree {
    json(CreatedCall(call: script.calls[call], starts: starts), ScenarioFormat.call)
  }
}
