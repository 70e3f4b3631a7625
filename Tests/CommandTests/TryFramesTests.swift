import Foundation
import Testing

@Suite("handover try, live, with captured frames", .enabled(if: labIsThere))
struct TryFramesTests {
  @Test(
    "The page and the captured frames agree, and the frames of the lab's TLS servers are readable",
    .enabled(if: Program.find("tshark") != nil))
  func frames() throws {
    let scratch = try ScratchDirectory()
    let page = scratch.url.appending(path: "page.html").path
    let run = try CommandLineRun([
      "try", "--watch", "5s", "--move", "hotspot", "--pcap", scratch.url.path, "-o",
      "html=\(page)", "--", "python3", "-c",
      """
      import urllib.request
      for line in urllib.request.urlopen("https://api.example/drip"): pass
      """,
    ])
    func frames(_ filter: String) throws -> [String] {
      let file = scratch.url.appending(path: "hotspot.pcapng").path
      let read = try CommandLineRun(
        command: URL(filePath: try #require(Program.find("tshark"))),
        ["-n", "-r", file, "-Y", filter, "-T", "fields", "-e", "frame.number"])
      return read.output.split(separator: "\n").map(String.init)
    }
    let html = try String(contentsOfFile: page, encoding: .utf8)
    let section = try #require(html.firstRange(of: "<h2>another hotspot"))
    let events = html[section.lowerBound...]
    let change = try frames(#"frame.comment == "network change: another hotspot""#)
    #expect(change.count == 1, "\(run.output)\(run.errors)")
    #expect(
      events.contains("<i>change</i> another hotspot <code>frame \(change.first ?? "")</code>"))
    let packets = try frames("tcp.port == 443")
    let (first, last) = (packets.first ?? "", packets.last ?? "")
    #expect(events.contains("<code>frames \(first)–\(last)</code>"), "\(first)–\(last) \(events)")
    #expect(events.contains("<i>server</i> GET api.example/drip</li>"), "\(events)")
    // Python sends its request together with the end of the handshake, before the server has keys.
    #expect(try frames(#"http.request.uri == "/drip""#).count == 1)
  }
}
