/// A drawing of boxes, bars and arrows as an SVG that follows the reader's light or dark theme.
struct DiagramPicture {
  /// A labeled box, or a bar of a timeline.
  struct Box {
    var x, y, width, height: Int
    /// The lines of the label; the first one is bold.
    var lines: [String]
    /// The role, which selects the color.
    var role = Role.plain
  }

  /// Selects the color of a box.
  enum Role: String {
    case plain, good, bad
  }

  /// A line through some points, with an arrowhead at its end.
  struct Arrow {
    var points: [(x: Int, y: Int)]
    /// The label, and the position of its first letter.
    var label: (x: Int, y: Int, text: String)?
    var hasHead = true
  }

  var title: String
  var width, height: Int
  var boxes: [Box]
  var arrows: [Arrow]
  /// Labels without a box, placed by the left edge of their first letter.
  var notes: [(x: Int, y: Int, text: String)] = []

  var svg: String {
    let parts =
      boxes.map(Self.svg(of:)) + arrows.map(Self.svg(of:))
      + notes.map { "<text x=\"\($0.x)\" y=\"\($0.y)\" class=\"note\">\(escaped($0.text))</text>" }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      role="img" aria-label="\(escaped(title))">
      <title>\(escaped(title))</title>
      <style>
      text{font:14px system-ui,sans-serif;fill:#1f2328}.bold{font-weight:600}.note{fill:#59636e}
      rect{fill:#f6f8fa;stroke:#818b98}.good rect{fill:#dafbe1;stroke:#1a7f37}
      .bad rect{fill:#ffebe9;stroke:#cf222e}path{stroke:#59636e;fill:none}.head{fill:#59636e}
      @media (prefers-color-scheme:dark){text{fill:#f0f6fc}.note{fill:#9198a1}
      rect{fill:#151b23;stroke:#656c76}.good rect{fill:#12261e;stroke:#3fb950}
      .bad rect{fill:#25171c;stroke:#f85149}path{stroke:#9198a1}.head{fill:#9198a1}}
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
      orient="auto"><path class="head" stroke="none" d="M0 0L8 4L0 8z"/></marker></defs>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  private static func svg(of box: Box) -> String {
    let top = box.y + box.height / 2 - (box.lines.count - 1) * 10 + 5
    let texts = box.lines.enumerated().map { index, line in
      let style = index == 0 ? " class=\"bold\"" : ""
      return "<text x=\"\(box.x + box.width / 2)\" y=\"\(top + index * 20)\" "
        + "text-anchor=\"middle\"\(style)>\(escaped(line))</text>"
    }
    return "<g class=\"\(box.role.rawValue)\"><rect x=\"\(box.x)\" y=\"\(box.y)\" "
      + "width=\"\(box.width)\" height=\"\(box.height)\" rx=\"6\"/>\(texts.joined())</g>"
  }

  private static func svg(of arrow: Arrow) -> String {
    let points = arrow.points.map { "\($0.x) \($0.y)" }.joined(separator: "L")
    let head = arrow.hasHead ? "marker-end=\"url(#head)\" " : ""
    let label = arrow.label.map {
      "<text x=\"\($0.x)\" y=\"\($0.y)\" class=\"note\">\(escaped($0.text))</text>"
    }
    return "<path \(head)d=\"M\(points)\"/>" + (label ?? "")
  }
}

extension DiagramPicture {
  /// The path from a scenario to a verdict.
  static let howHandoverWorks = DiagramPicture(
    title: "A scenario drives the device and the client; the checker reads their trace",
    width: 880, height: 270,
    boxes: [
      Box(x: 10, y: 80, width: 150, height: 70, lines: ["Scenario", "JSON file"]),
      Box(
        x: 260, y: 20, width: 190, height: 70,
        lines: ["Device and networks", "simulated, or a lab"]),
      Box(
        x: 260, y: 150, width: 190, height: 70,
        lines: ["Client under test", "built in, or yours"]),
      Box(x: 540, y: 85, width: 120, height: 70, lines: ["Trace", "every event"]),
      Box(x: 740, y: 85, width: 130, height: 70, lines: ["Checker", "verdict"]),
    ],
    arrows: [
      Arrow(points: [(160, 100), (258, 60)], label: (170, 68, "timeline")),
      Arrow(points: [(160, 130), (258, 180)], label: (178, 178, "calls")),
      Arrow(points: [(355, 150), (355, 92)], label: (363, 126, "connections")),
      Arrow(points: [(450, 55), (538, 105)]),
      Arrow(points: [(450, 185), (538, 140)]),
      Arrow(points: [(660, 120), (738, 120)]),
      Arrow(
        points: [(85, 150), (85, 245), (805, 245), (805, 157)], label: (405, 238, "expectations")),
    ])

  /// Two connections after a network loss: one breaks, one stalls.
  static let breakOrStall = DiagramPicture(
    title: "When its network is lost, a connection breaks or stalls",
    width: 880, height: 220,
    boxes: [
      Box(x: 90, y: 40, width: 200, height: 44, lines: ["connection works"], role: .good),
      Box(x: 300, y: 40, width: 120, height: 44, lines: ["reconnects"]),
      Box(x: 430, y: 40, width: 440, height: 44, lines: ["new connection works"], role: .good),
      Box(x: 90, y: 130, width: 200, height: 44, lines: ["connection works"], role: .good),
      Box(
        x: 300, y: 130, width: 470, height: 44,
        lines: ["no data, no error: calls hang for up to 15 minutes"], role: .bad),
      Box(x: 780, y: 130, width: 90, height: 44, lines: ["timeout"]),
    ],
    arrows: [
      Arrow(points: [(295, 20), (295, 190)], hasHead: false),
      Arrow(points: [(90, 200), (868, 200)], label: (830, 192, "time")),
    ],
    notes: [(10, 66, "breaks"), (10, 156, "stalls"), (305, 24, "the network is lost")])
}
