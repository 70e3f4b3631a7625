/// The rules for the two ends of a call's chain, which must hold whatever its interceptors do.
///
///     transport: start → send, finish → ended, or cancelled → start of another attempt → …
///     caller:    any event → one close → nothing
struct OrderRules: Hashable {
  private var closes = 0
  /// The attempts that were started and have not ended.
  private var live: [UInt32] = []

  /// Checks an effect of a chain.
  ///
  /// - Parameters:
  ///   - effect: the effect.
  ///   - cancelIsUnderWay: whether a cancel follows the order that the transport receives now. The
  ///     base interceptor closes toward the caller while its cancel still waits for the next
  ///     interceptors. Operations before the cancel may also still be waiting (I18).
  /// - Returns: the description of the violation, or `nil` if there is none.
  mutating func violation(of effect: ChainEffect, cancelIsUnderWay: Bool) -> String? {
    switch effect {
    case .transport(_, let attempt, let order):
      if closes > 0, let what = Self.sending(order), !cancelIsUnderWay {
        return "\(what) after the user received the end"
      }
      guard case .start = order else { return nil }
      guard live.isEmpty else { return "two attempts run simultaneously" }
      live.append(attempt)
      return nil
    case .user(_, let response):
      guard case .close = response else {
        return closes > 0 ? "the user receives something after the end" : nil
      }
      closes += 1
      return closes > 1 ? "the user receives the end twice" : nil
    case .finding(_, let finding):
      return finding.description
    case .queueFilled, .took, .asked, .noted, .linkMade, .linkSkipped, .linkReleased,
      .transportMade:
      return nil
    }
  }

  /// Records that an attempt is over, because the transport ended it or it was cancelled there.
  mutating func attemptEnded(_ attempt: UInt32) {
    live.removeAll { $0 == attempt }
  }

  /// The unmet obligation when nothing more can happen, or `nil` if there is none.
  var obligation: String? {
    guard closes == 1 else { return "the user never receives the end" }
    return live.isEmpty ? nil : "an attempt continues after the call is over"
  }

  private static func sending(_ order: TransportOrder) -> String? {
    switch order {
    case .start: "a call starts"
    case .send: "a message is sent"
    case .finish: "the requests are finished"
    case .cancel, .readMessage: nil
    }
  }
}

extension CallChains {
  /// Returns whether a cancel of a call waits for an interceptor that will receive it, or for the
  /// transport end.
  func hasCancelUnderWay(_ call: ChainID) -> Bool {
    queues.rows.contains { row in
      row.tasks.contains { $0.chain == call && $0.work == .request(.cancel) && isAwaited($0) }
    }
  }

  private func isAwaited(_ task: ChainTask) -> Bool {
    guard let index = position(of: task.chain) else { return false }
    guard let link = chains[index].position(of: task.link) else {
      return chains[index].attempt == task.link.serial
    }
    return !chains[index].links[link].isReleased
  }
}
