import Foundation
import FoundationXML
import HandoverCore
import Testing

@testable import HandoverReport
@testable import HandoverTry

@Suite("The page of handover try")
struct TryPageTests {
  private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// A run with two connections, one of which is silent after the change.
  private static var timeline: TryTimeline {
    var timeline = TryTimeline(
      connections: [
        TryTimeline.Connection(
          name: "a to b", opened: at(100), closed: at(5_000), isAnswered: true,
          payload: [at(200), at(1_000), at(1_900)], resent: [at(2_500), at(3_500)],
          lastPacket: at(3_500), frames: 3...40),
        TryTimeline.Connection(
          name: "c to d", opened: at(5_100), closed: nil, isAnswered: false, payload: [],
          resent: [], lastPacket: nil, frames: 41...41),
      ],
      changes: [
        .init(at: at(2_000), text: "no network", frame: 30),
        .init(at: at(6_000), text: "WiFi", frame: 42),
      ],
      lines: [.init(at: at(2_600), text: "<line>"), .init(at: at(2_700), text: " ")],
      end: at(10_000))
    timeline.networks = [
      .init(at: .zero, text: "cellular"), .init(at: at(2_000), text: TryTimeline.noNetwork),
      .init(at: at(6_000), text: "wifi"),
    ]
    timeline.server = [
      .init(at: at(110), text: "connection a to b"), .init(at: at(120), text: "GET b/drip"),
    ]
    for at in [at(100), at(110), at(200)] { timeline.packets.note(fromDevice: true, at: at) }
    timeline.packets.note(fromDevice: false, at: at(1_000))
    timeline.captureFile = "folder/move-0.pcapng"
    return timeline
  }

  private static func page(_ timeline: TryTimeline) -> String {
    var verdict = TryReportTests.verdict(.recovers, recovers: .seconds(2), attempts: 1)
    verdict.legs = [RecoveryLeg(.notice, .seconds(1)), RecoveryLeg(.data, .seconds(1))]
    var result = TryReportTests.result(TryGates(), verdict)
    result.rows[0].timeline = timeline
    return result.html
  }

  @Test("The page is as in its golden file")
  func golden() throws {
    try Golden.expect(Self.page(Self.timeline), is: "try.html")
  }

  @Test("Each lane is drawn on the axis of all lanes")
  func lanes() {
    let html = Self.page(Self.timeline)
    // The coordinates are thousandths of the 10 s that the run took.
    for shape in [
      #"<rect class="network" x="0" y="54" width="197""#, #"<rect class="network" x="600""#,
      #"<rect class="leg" x="200""#, #"<rect class="leg" x="300""#,
      #"<line class="flow" x1="10" x2="350""#, #"<line class="idle" x1="10" x2="500""#,
      #"<line class="flow dead" x1="510" x2="1000""#, #"<path class="payload" d="M20 "#,
      #"<path class="resent" d="M248 "#, #"<path class="sent" d="M8 "#,
      #"<path class="received" d="M100 "#, #"<path class="output" d="M260 "#,
      #"<path class="server" d="M8 "#, #"<path class="act" d="M200 0V"#,
      #"<path class="act" d="M600 18V"#,
    ] {
      #expect(html.contains(shape), "\(shape)")
    }
    for heading in [
      "networks: cellular → no network → wifi", "legs of the recovery", "a to b", "c to d",
      "packets: sent above the line, received below", "output: 2 lines", "servers: 2 events",
    ] {
      #expect(html.contains(">\(heading)</div>"), "\(heading)")
    }
    // A text has the room from its position to the end of the drawing, or from the start to it.
    #expect(
      html.contains(
        #"<foreignObject x="20%" y="0" width="80%" height="18"><div class="start">no network</div>"#
      ))
    #expect(
      html.contains(
        #"<foreignObject x="0%" y="18" width="60%" height="18"><div class="end">WiFi</div>"#))
  }

  @Test("Of many connections, the first ones and those around the change are drawn")
  func connections() {
    var timeline = Self.timeline
    func drawn(_ count: Int) -> [Int] {
      timeline.connections = (0..<count).map { position in
        TryTimeline.Connection(
          name: "number \(position)", opened: Self.at(Int64(position) * 100), closed: nil,
          isAnswered: true, payload: [], resent: [])
      }
      return Self.page(timeline).matches(of: />number ([0-9]+)<\/div>/).compactMap { Int($0.1) }
    }
    // The change is at the time of number 20.
    #expect(drawn(100) == Array(0..<4) + Array(14..<26))
    #expect(drawn(22) == Array(0..<4) + Array(10..<22))
    #expect(drawn(17) == Array(0..<4) + Array(5..<17))
    #expect(drawn(16) == Array(0..<16))
    #expect(drawn(3) == Array(0..<3))
    timeline.changes = []
    #expect(drawn(100) == Array(0..<16))
  }

  @Test("The events are listed with their frames, and screen readers get a summary")
  func events() {
    let html = Self.page(Self.timeline)
    for item in [
      "<time>100 ms</time><i>connection</i> a to b <code>frames 3–40</code></li>",
      "<time>110 ms</time><i>server</i> connection a to b</li>",
      "<time>120 ms</time><i>server</i> GET b/drip</li>",
      "<time>2 s</time><i>change</i> no network <code>frame 30</code></li>",
      "<time>2.6 s</time><i>output</i> &lt;line&gt;</li>",
      "<time>5.1 s</time><i>connection</i> c to d <code>frame 41</code></li>",
      "<p>Frames of <code>move-0.pcapng</code></p>", "<summary>10 events</summary>",
    ] {
      #expect(html.contains(item), "\(item)")
    }
    #expect(
      html.contains(
        #"role="img" aria-label="timeline of move 0: 2 connections; 3 packets sent, 1 received; "#
          + "2 lines of output; 2 server events; no network at 2 s; WiFi at 6 s; "
          + #"legs of move 0: notice 1 s, data 1 s""#))
    for landmark in ["<header>", "<main>", "<footer>"] { #expect(html.contains(landmark)) }
    var without = Self.timeline
    without.captureFile = nil
    #expect(!Self.page(without).contains("wireshark"))
  }

  @Test("The page loads nothing, has no scripts, and is well-formed")
  func selfContained() throws {
    let html = Self.page(Self.timeline)
    for part in ["<script", "href=", "src=", "url(", "@import"] {
      #expect(!html.contains(part), "\(part)")
    }
    let body = try #require(html.firstRange(of: "<body>"))
    let document = try XMLDocument(
      xmlString: String(html[body.lowerBound...].replacing("</html>", with: "")))
    #expect(try document.nodes(forXPath: "//svg/svg").count == 1)
  }

  @Test("Strings of the program are escaped at each place", arguments: HostileText.all)
  func hostile(_ hostile: String) throws {
    let text = "<script>\(hostile)\"'&"
    var timeline = Self.timeline
    for index in timeline.connections.indices { timeline.connections[index].name = text }
    let mark = TryTimeline.Mark(at: Self.at(500), text: text)
    timeline.changes.append(mark)
    timeline.lines.append(mark)
    timeline.networks.append(mark)
    timeline.server.append(mark)
    timeline.captureFile = text
    let html = Self.page(timeline)
    #expect(HostileText.isHarmless(html))
    #expect(HostileText.commands(in: html) == [])
    #expect(!html.contains("<script"))
    let body = try #require(html.firstRange(of: "<body>"))
    _ = try XMLDocument(
      xmlString: String(html[body.lowerBound...].replacing("</html>", with: "")))
  }

  @Test("The size of the page has a limit for each network change, whatever the program does")
  func limits() {
    var timeline = Self.timeline
    let long = String(repeating: "<\u{1b}", count: 1_000)
    let all = (0..<100_000).map { Self.at(Int64($0) / 10) }
    timeline.lines = all.map { .init(at: $0, text: long) }
    timeline.server = timeline.lines
    timeline.changes = Array(timeline.lines.prefix(10_000))
    timeline.networks = timeline.changes
    timeline.connections = all.prefix(4_000).map {
      TryTimeline.Connection(
        name: long, opened: $0, closed: nil, isAnswered: true, payload: Array(all.prefix(1_000)),
        resent: Array(all.prefix(1_000)), lastPacket: nil, frames: 1...1_000_000)
    }
    for at in all { timeline.packets.note(fromDevice: true, at: at) }
    let html = Self.page(timeline)
    #expect(html.utf8.count < 500_000, "\(html.utf8.count)")
    #expect(html.split(separator: #"class="flow""#).count == 17)
    #expect(html.contains("and 3984 more connections"))
    #expect(html.contains("… 99950 more events of this kind"))
    #expect(html.contains("<summary>224000 events</summary>"))
  }
}
