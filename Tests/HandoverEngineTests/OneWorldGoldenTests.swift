import Foundation
import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverSimulation
import Testing

/// The bundled cases that run only in virtual time, with the reasons.
///
/// All other short cases run in the lab too, and `make agreement` compares the two. `make golden`
/// saves the list.
@Suite("Cases for the simulation only, Golden")
struct OneWorldGoldenTests {
  private struct NoNetworks: LiveNetworkFactory {
    func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
      throw BackendError(.cannotStart, "the network could be made")
    }
  }

  /// Returns why a case cannot run on the kernel, or `nil` if it can.
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

  @Test("Each case that runs only in simulation is listed with its reason")
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
    // For the other reasons only their number is listed. Apart from names of calls and hosts, there
    // are few different reasons.
    lines += reasons.map { "\($0.value.count) cases\t\(Set($0.value).count) scenarios\t\($0.key)" }
      .sorted()
    try DigestGoldenTests.expect(lines, areKeptIn: "../Agreement/one-world.tsv")
  }
}
