import HandoverCore
import Testing

@testable import HandoverTry

@Suite("The phase of a program's connections, and settled verdicts")
struct ConnectionPhaseTests {
  private func phase(_ story: StreamStory, at milliseconds: Int64) -> ConnectionPhase {
    story.observation.phase(at: FlowStory.at(milliseconds), StreamStory.rhythm)
  }

  @Test("The newest connection that is not released decides the phase")
  func phases() {
    var story = StreamStory()
    story.stream(1_000, 5_000)
    story.release(8_000)
    story.stream(9_000, 12_000, port: 40_001)
    #expect(phase(story, at: 500) == .none)
    #expect(phase(story, at: 1_002) == .open)
    #expect(phase(story, at: 3_000) == .carrying)
    #expect(phase(story, at: 6_000) == .silent)
    #expect(phase(story, at: 8_500) == .none)
    #expect(phase(story, at: 10_000) == .carrying)
  }

  @Test("A connection without an answer is being opened")
  func connecting() {
    var story = StreamStory()
    story.stream(1_000, 5_000)
    story.story.up(6_000, port: 40_001, sequence: 100, flags: 2)
    #expect(phase(story, at: 6_500) == .connecting)
  }

  @Test("A verdict is settled when data has arrived for 5 s, or when the program has ended")
  func settled() {
    func isSettled(_ story: StreamStory) -> Bool {
      TryJudge(StreamStory.rhythm).isSettled(story.observation, story.traits)
    }
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(13_200, 35_000)
    story.end = 17_000
    #expect(!isSettled(story), "5 s are not over")
    story.end = 19_000
    #expect(isSettled(story))
    var silent = StreamStory.thereAndBack
    silent.stream(0, 5_000)
    silent.drip(13_200, 17_000)
    silent.end = 20_000
    #expect(!isSettled(silent), "the data stopped again")
    var hanging = StreamStory()
    hanging.stream(0, 5_000)
    hanging.owe(6_000)
    #expect(!isSettled(hanging))
    hanging.programEnd = (9_000, "status 1")
    #expect(isSettled(hanging))
    hanging.moved = nil
    #expect(!isSettled(hanging))
  }
}
