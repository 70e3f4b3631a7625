import HandoverBackend
import HandoverCore
import HandoverLinux

/// Measures the time from a network change to the end of the last of many calls, in both directions
/// between cellular and WiFi.
struct CallsBench {
  var calls: Int
  var connections: Int

  /// Thousands of calls take long to start.
  private static let patienceMicroseconds: Int64 = 60_000_000
  /// Connections that the client abandoned stay open at their servers until the session ends.
  private var roundsOfSession: Int { calls > 1_000 ? 2 : 10 }

  func run(flips: Int) throws {
    var toWiFi = Direction("to-wifi")
    var toCellular = Direction("to-cellular")
    let deadline = monotonicMicroseconds() + Self.patienceMicroseconds
    while toWiFi.count < flips, monotonicMicroseconds() < deadline {
      var play = try Play(script(rounds: min(roundsOfSession, flips - toWiFi.count)))
      while !play.isOver {
        toWiFi.append(try move(&play))
        toCellular.append(try move(&play))
      }
      try play.close()
    }
    for direction in [toWiFi, toCellular] { direction.show("calls-\(calls)-\(connections)") }
  }

  private func move(_ play: inout Play) throws -> Play.Outcome {
    let outcome = try play.playThroughMove()
    guard outcome.ended == calls else {
      throw Failed("\(outcome.ended) of \(calls) calls ended UNAVAILABLE")
    }
    return outcome
  }

  private func script(rounds: Int) -> Script {
    var script = Script(beginning: .cellular, hostCount: connections)
    for _ in 0..<rounds {
      for flags in [ReachabilityFlags.wifi, .cellular] {
        for call in 0..<calls { script.startCall(to: call % connections) }
        script.move(flags)
      }
    }
    return script
  }

  private struct Direction {
    private let name: String
    private var callbacks = Times()
    private var ends = Times()

    init(_ name: String) { self.name = name }

    var count: Int { ends.count }

    mutating func append(_ outcome: Play.Outcome) {
      if let callback = outcome.callback { callbacks.append(callback.microseconds) }
      ends.append(outcome.done.microseconds)
    }

    func show(_ title: String) {
      print(callbacks.line("\(title)-\(name)-callback"))
      print(ends.line("\(title)-\(name)-ended"))
    }
  }
}
