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
        for (place, (phase, channel)) in columns.enumerated() {
          let isFirst = place == 0 || columns[place - 1].0 != phase
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
    "Application \(app.hearingPhrase)"
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

extension MatrixPageParts {
  /// The style of the heat map; numbers and text convey everything without colors.
  static let spaceStyle = #"""

    :root { --heat: 43 106 69; }
    @media screen and (prefers-color-scheme: dark) { :root { --heat: 134 207 162; } }
    .space { font-size: .8125rem; margin: .75rem 0 0; }
    .space caption { text-align: left; color: var(--soft); padding-bottom: .6rem; }
    .space caption span { position: sticky; left: 0; display: inline-block; max-width: min(100vw - 2rem, 60rem); }
    .space th, .space td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
    .space thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; border-bottom-color: var(--strong); font-size: .75rem; }
    .space thead th[scope="colgroup"] { color: var(--ink); font-weight: 600; }
    .space tbody th { font-weight: 500; padding-left: 0; position: sticky; left: 0; background: var(--paper); }
    .space .app th { padding: .9rem 0 .3rem; font-weight: 650; }
    .space td { text-align: right; min-width: 3.2rem; }
    .space .edge { border-left: 1px solid var(--strong); }
    .space .m1 { background: rgb(var(--heat) / 7%); } .space .m2 { background: rgb(var(--heat) / 16%); }
    .space .m3 { background: rgb(var(--heat) / 27%); } .space .m4 { background: rgb(var(--heat) / 40%); }
    .space td.gap, .space caption .gap { background: var(--n-fill); color: var(--n); font-weight: 600; } .space caption .gap { padding: 0 .25rem; border-radius: .2rem; }
    .space td.never { color: var(--soft); }

    """#
}
