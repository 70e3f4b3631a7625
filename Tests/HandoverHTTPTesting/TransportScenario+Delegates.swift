import Foundation
import HandoverCore
import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The events that delegates receive, and how long delegates are retained.
extension TransportScenario {
  static let delegates = [
    TransportScenario(
      "U51: Only synchronous requests collect their body; others report it to the delegate"
    ) {
      stage in
      let reported = try stage.short("held")
      try await reported.recorder.record.wait(for: "a piece") { !$0.body.isEmpty }
      let request = URLRequest(stage.server.url("held"))
      let dispatcher = stage.dispatcher
      async let answer = onThread { try dispatcher.performSynchronously(request) }
      try await stage.server.figures.wait(for: "both") { $0.held.count == 2 }
      stage.server.release()
      let body = Data("PROBE\r\nend".utf8)
      try check(try await answer.body == body, "the synchronous request collected another body")
      try check(
        try await reported.recorder.ended().body == body,
        "the delegate received another body")
    },
    TransportScenario("U54: An error thrown by a delegate does not affect the request") { stage in
      struct Mishap: Error {}
      let recorder = Recorder { _, _ in throw Mishap() }
      try stage.dispatcher.startShort(URLRequest(stage.server.url("short")), delegate: recorder)
      let record = try await recorder.ended()
      try check(record.statuses == [200] && record.error == nil, "it was \(record)")
      try check(record.body == Data("short".utf8), "the body is another")
      stage.dispatcher.close()
      try await stage.closed()
      // A response, at least one piece, and the end.
      try check(stage.dispatcher.statistics.delegateErrors >= 3, "\(stage.dispatcher.statistics)")
    },
    TransportScenario("U55: The delegate of a synchronous request receives the same events") {
      stage in
      let recorder = Recorder()
      let request = URLRequest(stage.server.url("short"))
      let dispatcher = stage.dispatcher
      let answer = try await onThread {
        try dispatcher.performSynchronously(request, delegate: recorder)
      }
      let record = recorder.record.value
      try check(answer.status == 200 && record.statuses == [200], "it was \(record)")
      try check(record.body == answer.body && record.ends == 1, "it was \(record)")
    },
    TransportScenario("U56: A delegate is retained exactly until the end") { stage in
      let isGone = Watched(false)
      let words = Watched<[String]>([])
      do {
        let token = Token(isGone)
        let recorder = Recorder { event, _ in
          withExtendedLifetime(token) { words.change { $0.append(event.word) } }
        }
        try stage.dispatcher.startShort(URLRequest(stage.server.url("held")), delegate: recorder)
      }
      try await words.wait(for: "a piece") { $0.contains("data") }
      try check(!isGone.value, "nothing retains the delegate")
      stage.server.release()
      try await words.wait(for: "the end") { $0.last == "finished" }
      try await isGone.wait(for: "the end of the delegate") { $0 }
    },
  ]
}

/// Signals when its last reference is released.
private final class Token: Sendable {
  private let isGone: Watched<Bool>

  init(_ isGone: Watched<Bool>) {
    self.isGone = isGone
  }

  deinit { isGone.change { $0 = true } }
}
