import HandoverCore

// The network changes of the scenarios, by the state of calls and channels at the time.
extension Matrix {
  /// The heat map; empty if changes were not counted or no backend reported one.
  var spaceSection: String {
    guard let space, space.reached.count > 0 else { return "" }
    let columns = TransitionCell.Phase.allCases.flatMap { phase in
      space.channels(of: phase).map { (phase, $0) }
    }
    guard !columns.isEmpty else { return "" }
    var rows = ""
    for app in AppState.allCases {
      rows += "<tbody>\n<tr class=\"app\"><th scope=\"rowgroup\" colspan=\"\(columns.count + 1)\">"
      rows += "<div>\(Self.heading(of: app))</div></th></tr>\n"
      for change in TransitionCell.changes {
        rows += "<tr><th scope=\"row\">\(change.from) → \(change.to)</th>"
        for (position, (phase, channel)) in columns.enumerated() {
          let isFirst = position == 0 || columns[position - 1].0 != phase
          rows += Self.cell(
            space.state(of: TransitionCell(change, phase, channel, app)), isFirst: isFirst)
        }
        rows += "</tr>\n"
      }
      rows += "</tbody>\n"
    }
    return """
      <section class="block" aria-labelledby="h-space">
      <h2 id="h-space">Category changes during calls</h2>
      <p>\(HTMLText.of(space.sum))</p>
      <div class="scroll" role="region" aria-label="Category changes in a table" tabindex="0">
      <table class="space">
      <caption><span>A number: how many of these scenarios had the change in this state of a call \
      and its channel. <b class="gap">gap</b>: a client can reach this state, and no scenario covers \
      it. –: no client can reach it.</span></caption>
      <thead>
      <tr><th scope="col" rowspan="2">Change</th>\(Self.phases(space))</tr>
      <tr>\(columns.map { "<th scope=\"col\">\(Self.title(of: $0.1))</th>" }.joined())</tr>
      </thead>
      \(rows)</table>
      </div>
      </section>

      """
  }

  private static func heading(of app: AppState) -> String {
    "Application \(app.notificationPhrase)"
  }

  private static func phases(_ space: SpaceCoverage) -> String {
    TransitionCell.Phase.allCases.map { phase in
      let count = space.channels(of: phase).count
      return count == 0
        ? ""
        : "<th scope=\"colgroup\" colspan=\"\(count)\" class=\"edge\">\(phase.phrase)</th>"
    }.joined()
  }

  /// Returns the name with line-break opportunities, so that columns stay narrow.
  private static func title(of channel: ChannelState) -> String {
    channel == .shutdown
      ? "no channel" : channel.name.replacing("_", with: "_<wbr>")
  }

  private static func cell(_ state: SpaceCoverage.State, isFirst: Bool) -> String {
    let edge = isFirst ? " edge" : ""
    switch state {
    case .reached(let count): return "<td class=\"m\(heat(of: count))\(edge)\">\(count)</td>"
    case .gap: return "<td class=\"gap\(edge)\">gap</td>"
    case .unreachable:
      return "<td class=\"never\(edge)\"><span aria-hidden=\"true\">–</span>"
        + "<span class=\"hide\">not reachable</span></td>"
    }
  }

  /// Returns a level from 1 to 4, with a step for each factor of four.
  private static func heat(of count: Int) -> Int {
    count < 4 ? 1 : count < 16 ? 2 : count < 64 ? 3 : 4
  }
}
