import Foundation
import Testing

/// Validates JSON texts by the schema, independently of the reader, with Python's jsonschema.
struct Judge {
  /// A text to validate.
  struct Request: Encodable {
    /// The name of the answer.
    var name: String
    /// The file with the text, or `nil` if the text is given.
    var file: String?
    /// The text, or `nil` if a file contains it.
    var text: String?
    /// Whether every error is requested instead of only the first.
    var errors = false
  }

  /// The result of the validation of a text.
  struct Answer: Decodable {
    var name: String
    var verdict: Verdict
    var errors: [Complaint]
  }

  /// Whether the schema accepts a text.
  enum Verdict: String, Decodable {
    case accepted
    case rejected
    /// The text is not JSON.
    case notJSON = "not-json"
  }

  /// One reason for which the schema refuses a text.
  struct Complaint: Decodable {
    /// The JSON pointer to the value.
    var pointer: String
    var message: String
  }

  /// The result of the validation of the schema itself.
  var schema: Answer
  /// The results for the texts, in order.
  var answers: [Answer]

  /// Validates texts in one process, by the schema of scenarios or another one.
  init(_ requests: [Request], by file: URL = Repository.schema) throws {
    let encoder = JSONEncoder()
    var input = Data()
    for request in requests { input += try encoder.encode(request) + [UInt8(ascii: "\n")] }
    let output = try Self.run(
      [Repository.validator.path, file.path], input: input)
    let decoder = JSONDecoder()
    let lines = try output.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Answer.self, from: Data($0))
    }
    schema = try #require(lines.first)
    answers = Array(lines.dropFirst())
    try #require(answers.map(\.name) == requests.map(\.name))
  }

  /// Runs the system's Python with the package that `make setup` installs.
  private static func run(_ arguments: [String], input: Data) throws -> Data {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "handover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes, because a full pipe would block the process.
    let (requests, answers) = (folder.appending(path: "in"), folder.appending(path: "out"))
    let faults = folder.appending(path: "err")
    try input.write(to: requests)
    for file in [answers, faults] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: requests)
    process.standardOutput = try FileHandle(forWritingTo: answers)
    process.standardError = try FileHandle(forWritingTo: faults)
    try process.run()
    process.waitUntilExit()
    let complaints = String(decoding: try Data(contentsOf: faults), as: UTF8.self)
    try #require(
      process.terminationStatus == 0,
      "the judge could not judge; where jsonschema is missing, run make setup\n\(complaints)")
    return try Data(contentsOf: answers)
  }
}
