import ArgumentParser
import HandoverReport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which part of a whole this process has, as the command line says it: `2/7`, or `auto` where the
/// engine that starts the processes tells each of them.
enum ShardChoice: ExpressibleByArgument, Equatable {
  case named(RunDescription.Shard)
  /// By the engine's variables; of so many, where the engine does not say how many there are.
  case auto(count: Int?)

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where parts[0] == "auto":
      self = .auto(count: nil)
    case 2:
      guard let count = Self.number(parts[1]),
        (1...RunDescription.Shard.maximumCount).contains(count)
      else { return nil }
      if parts[0] == "auto" {
        self = .auto(count: count)
        return
      }
      guard let index = Self.number(parts[0]), (1...count).contains(index) else { return nil }
      self = .named(.init(index: index, count: count))
    default:
      return nil
    }
  }

  /// A number in digits alone.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// The part that is meant; the engine that asks for a sign gets it.
  ///
  /// - Throws: ``Leave``, with the reason told, where nobody says which part it is.
  func resolved() throws -> RunDescription.Shard {
    let environment = ProcessInfo.processInfo.environment
    do throws(ShardProblem) {
      switch self {
      case .named(let shard):
        return shard
      case .auto(let count):
        let shard = try ShardEngine.shard(of: count) { environment[$0] }
        try Self.confirm(in: environment)
        return shard
      }
    } catch {
      printError("--shard: error: \(error.message)\n    hint: \(error.hint)")
      throw Leave(.badInput)
    }
  }

  /// Tells an engine that asks for it that the run is really divided: without it Bazel takes every
  /// part for the whole, and the run for a failure.
  private static func confirm(in environment: [String: String]) throws(ShardProblem) {
    for name in ["TEST_SHARD_STATUS_FILE", "GTEST_SHARD_STATUS_FILE"] {
      guard let file = environment[name], !file.isEmpty else { continue }
      do throws(OutputFailure) {
        var status = try OutputFile(file)
        status.finish()
        if let failure = status.failure { throw failure }
      } catch {
        throw ShardProblem(
          "\(name) cannot be made: \(file): \(systemWords(error.reason))",
          hint: "without this file the engine takes no part for one; see its log")
      }
    }
  }
}

extension RunDescription.Shard {
  /// In a sentence: `Shard 2 of 7`.
  var words: String { "Shard \(index) of \(count)" }
}

/// Why nobody knows which part of a whole a process has, and what to do about it.
struct ShardProblem: Error, Equatable {
  var message: String
  var hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
