import Foundation
import Testing

/// A judge of JSON texts by the schema that knows nothing of the reader: Python's jsonschema.
struct Judge {
  /// A text that is to be judged.
  struct Request: Encodable {
    /// Names the answer.
    var name: String
    /// The file that holds the text; nil where the text is given.
    var file: String?
    /// The text; nil where a file holds it.
    var text: String?
    /// Whether every complaint is wanted, and not only the first.
    var errors = false
  }

  /// What the schema says of a text.
  struct Answer: Decodable {
    var name: String
    var verdict: Verdict
    var errors: [Complaint]
  }

  /// Whether the schema takes a text.
  enum Verdict: String, Decodable {
    case accepted
    case rejected
    /// There was nothing to judge.
    case notJSON = "not-json"
  }

  /// One reason for which the schema refuses a text.
  struct Complaint: Decodable {
    /// The JSON pointer to the value.
    var pointer: String
    var message: String
  }

  /// What the judge says of the schema itself.
  var schema: Answer
  /// What the schema says of the texts, in their order.
  var answers: [Answer]

  /// Judges texts in one process, by the schema of scenarios or another.
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

  /// Runs the system's Python, which has the package that `make setup` installs.
  private static func run(_ arguments: [String], input: Data) throws -> Data {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "handover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes: nobody has to feed and drain them while the process runs.
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
