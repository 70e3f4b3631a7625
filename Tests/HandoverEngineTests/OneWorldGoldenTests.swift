import Foundation
import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverSimulation
import Testing

/// Which bundled cases are played in virtual time alone, and why, whatever the time that there is.
///
/// All others that are short enough are played in the lab too; `make agreement` compares the two.
/// `make golden` keeps the list.
@Suite("Cases of one world, Golden")
struct OneWorldGoldenTests {
  private struct NoNetworks: LiveNetworkMaker {
    func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
      throw BackendError(.cannotStart, "the network could be made")
    }
  }

  /// Why a case cannot be played on the kernel; nil where it can.
  private static func reason(_ scenario: Scenario, _ profile: Profile) -> String? {
    let time = RealTime(in: NoNetworks()) { _, _ in .zero }
    do throws(BackendError) {
      _ = try time.expectedEnd(of: scenario.script, profile)
      _ = try time.makeNetwork(for: scenario.script)
    } catch {
      return error.code == .unsupported ? error.message : nil
    }
    return nil
  }

  @Test("each is listed with its reason, and no other")
  func list() throws {
    var reasons: [String: [String]] = [:]
    var lines: [String] = []
    for scenario in Bundled.scenarios {
      for profile in scenario.profiles {
        guard let reason = Self.reason(scenario, profile) else { continue }
        let isStory = !scenario.script.networks.isEmpty
        if isStory {
          lines.append("\(scenario.id)\t\(profile.name)\t\(reason)")
        } else {
          let general = reason.replacing(/"[^"]*"/, with: "\"…\"")
          reasons[general, default: []].append(scenario.id)
        }
      }
    }
    // Of the others their number is enough: names of calls and hosts aside, reasons are few.
    lines += reasons.map { "\($0.value.count) cases\t\(Set($0.value).count) scenarios\t\($0.key)" }
      .sorted()
    try DigestGoldenTests.expect(lines, areKeptIn: "../Agreement/one-world.tsv")
  }
}
