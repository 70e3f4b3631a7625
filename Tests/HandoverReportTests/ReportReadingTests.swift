import HandoverCore
import HandoverReport
import Testing

@Suite("Reports with impossible numbers are refused with a position")
struct ReportReadingTests {
  /// A report of a run without cases, in which every count that the cases do not determine is
  /// unique.
  private static let run = """
    {"v":1,"kind":"header","backend":"simulated"}
    {"v":1,"kind":"summary","scenarios":0,"cases":0,"passed":0,"failed":0,"failed_as_expected":0,\
    "non_strict":0,"unsupported":0,"errors":0,"unnamed":11,"interrupted":false,"unfinished":12,\
    "change_to_end":[{"profile":"sockets","median_us":0,"worst_us":0,"calls":13,"never_ended":14}],\
    "hangs":{"max_us":0,"calls":15,"worst_us":0,"never_ended":16}}

    """

  @Test("Counts of a run that would overflow a sum are refused", arguments: 11...16)
  func countsOfRun(_ count: Int) throws {
    _ = try RunReport.read(file: "run", bytes: Array(Self.run.utf8))
    let text = Self.run.replacing(":\(count)", with: ":\(Int.max)")
    let error = #expect(throws: InputError.self) {
      try RunReport.read(file: "run", bytes: Array(text.utf8))
    }
    #expect(error?.position.line == 2)
    #expect(error?.message.contains("must be an integer from 0 to ") == true, "\(text)")
  }
}
