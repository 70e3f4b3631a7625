import HandoverCore
import Testing

/// The effects of faults on requests, and how often they occur.
@Suite("Faults and requests")
struct RequestFaultTests {
  private static let story = Story(connect: .milliseconds(50)).with {
    $0.requests.append(
      ScriptRequest(id: "r", host: 0, kind: .long, takes: nil, responds: .seconds(1)))
  }

  private static func facts(_ played: Played) -> [RequestFact] {
    played.trace.records.compactMap { record in
      if case .request(let fact) = record.body { fact } else { nil }
    }
  }

  @Test("A silent server sends its pending answers once")
  func paidOnce() throws {
    let played = try Self.story.at(0, .request(0)).at(500, .server(0, .silent))
      .at(2_000, .server(0, .accept)).at(3_000, .server(0, .silent))
      .at(4_000, .server(0, .accept)).played(on: .urlDispatcher)
    #expect(Self.facts(played).count { $0 == .responded(request: 0) } == 1)
    #expect(played.faultsWithEffect.map(\.thing) == [1, 2])
  }

  @Test("A connection that was made when its host resumed is not made again")
  func madeOnce() throws {
    let played = try Self.story.at(0, .transport(.one(0), .blackholeConnect)).at(0, .request(0))
      .at(1_000, .transport(.one(0), .resume)).at(2_000, .transport(.one(0), .resume))
      .played(on: .urlDispatcher)
    #expect(Self.facts(played).contains(.responded(request: 0)))
    #expect(played.faultsWithEffect.map(\.thing) == [0, 2])
  }

  @Test("A server that has ended its answer sends nothing more")
  func nothingAfterTheEnd() throws {
    let played = try Self.story.with {
      $0.requests[0].takes = .seconds(1)
      $0.requests[0].every = .milliseconds(300)
      $0.requests[0].responds = .zero
    }.at(0, .request(0)).at(500, .app(.background)).at(5_000, .app(.foreground))
      .played(on: .urlDispatcher)
    #expect(played.instants { $0 == .deferred(.transportEvent) } == [650, 950, 1_050])
  }

  @Test("An entry without a change does not affect stalled data")
  func noEffectOnStalls() throws {
    let played = try Self.story.at(0, .request(0)).at(500, .transport(.one(0), .stall))
      .at(2_000, .server(0, .accept)).at(3_000, .transport(.one(0), .resume))
      .played(on: .urlDispatcher)
    #expect(Self.facts(played).contains(.responded(request: 0)))
    #expect(played.faultsWithEffect.map(\.thing) == [1, 3])
  }

  @Test("A request that is sent again gets no headers of its first attempt")
  func headersOfTheFirstAttempt() throws {
    let played = try Self.story.with {
      $0.requests[0].responds = .zero
      $0.requests[0].takes = .zero
      $0.requests.append(
        ScriptRequest(id: "again", host: 0, kind: .short, takes: .seconds(8), responds: .seconds(5))
      )
      $0.requests[1].timeout = .seconds(60)
    }.at(0, .request(0)).at(1_000, .request(1)).at(3_000, .transport(.all, .reset))
      .played(on: .okHTTPPool)
    let headers = played.trace.records.filter { $0.body == .request(.responded(request: 1)) }
    // The second attempt begins at 3 s, and its connection takes 50 ms.
    #expect(headers.map(\.at) == [.milliseconds(8_050)])
  }

  @Test("Data that was sent before a reset comes before it through a stall")
  func inOrderThroughAStall() throws {
    let played = try Self.story.at(0, .request(0)).at(500, .transport(.one(0), .stall))
      .at(2_000, .transport(.one(0), .reset)).at(3_000, .transport(.one(0), .resume))
      .played(on: .urlDispatcher)
    let facts = Self.facts(played)
    let answer = try #require(facts.firstIndex(of: .responded(request: 0)))
    let loss = try #require(facts.firstIndex(of: .connectionLost(0)))
    #expect(answer < loss)
  }
}
