import HandoverCore
import Testing

@testable import HandoverSimulation

/// A fault reports its effect once, and not at all if it had none.
@Suite("The effects of faults")
struct FaultTests {
  @Test(
    "Each fault reports once, at its first effect",
    arguments: [
      (ScriptAction.server(0, .close), 1_000), (.server(0, .reset), 1_000),
      (.server(0, .goaway), 1_000), (.server(0, .silent), 2_000),
      (.transport(.all, .stall), 1_000), (.transport(.all, .stallAcked), 1_000),
      (.transport(.all, .reset), 1_000), (.transport(.all, .fin), 1_000),
      (.transport(.all, .halfClose), 1_000), (.transport(.all, .kill), 1_000),
    ] as [(ScriptAction, Int64)])
  func notifiesOnce(fault: ScriptAction, at milliseconds: Int64) throws {
    let played = try Story().call().call(host: 1).at(1_000, fault).unary(at: 2_000)
      .unary(at: 3_000).played()
    #expect(played.faultsWithEffect == [.init(milliseconds, 2)])
  }

  @Test(
    "A fault for new connections has its effect with the next one",
    arguments: [
      ScriptAction.server(0, .refuse), .names(0, .fail), .names(0, .hang),
      .transport(.all, .blackholeConnect),
    ])
  func waitForAnAttempt(fault: ScriptAction) throws {
    let story = Story().call(host: 1).at(1_000, fault)
    #expect(try story.played().faultsWithEffect.isEmpty)
    let played = try story.unary(at: 2_000).unary(at: 40_000).played()
    #expect(played.faultsWithEffect == [.init(2_000, 1)])
  }

  @Test(
    "A fault that finds nothing to act on has no effect",
    arguments: [
      ScriptAction.server(0, .close), .server(0, .reset), .server(0, .goaway), .server(0, .silent),
      .server(0, .refuse), .server(0, .accept), .names(0, .fail), .names(0, .resolve),
      .transport(.all, .stall), .transport(.all, .stallAcked), .transport(.all, .reset),
      .transport(.all, .fin), .transport(.all, .halfClose), .transport(.all, .kill),
      .transport(.all, .resume), .transport(.one(0), .stall),
    ])
  func needSomethingToActOn(fault: ScriptAction) throws {
    #expect(try Story().at(1_000, fault).played().faultsWithEffect.isEmpty)
  }

  @Test(
    "A fault that changes nothing has no effect",
    arguments: [
      ScriptAction.server(0, .accept), .names(0, .resolve), .transport(.all, .resume),
    ])
  func needAChange(fault: ScriptAction) throws {
    let played = try Story().call().at(1_000, fault).unary(at: 1_500)
      .at(2_000, .disconnect(.all)).unary(at: 3_000).played()
    #expect(played.faultsWithEffect.isEmpty)
  }

  @Test(
    "The end of a fault reports a separate effect",
    arguments: [
      (ScriptAction.server(0, .silent), ScriptAction.server(0, .accept)),
      (.transport(.all, .stall), .transport(.all, .resume)),
      (.transport(.all, .stallAcked), .transport(.all, .resume)),
    ])
  func notifiesOfEnd(fault: ScriptAction, remedy: ScriptAction) throws {
    let played = try Story().call().at(1_000, fault).unary(at: 2_000).at(3_000, remedy).played()
    #expect(Set(played.faultsWithEffect.map(\.thing)) == [1, 3])
  }
}
