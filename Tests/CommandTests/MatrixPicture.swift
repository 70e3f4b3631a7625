import Foundation

/// The first screen of a page of `handover matrix` as a picture: who hangs, the tiles, and the
/// first groups of scenarios.
///
/// An SVG with the page's own markup and style, so that it shows what a reader of the page sees, in
/// the light and in the dark. It needs no script.
struct MatrixPicture {
  /// The text of the page.
  var page: String
  var title: String
  /// How many groups of scenarios are shown.
  var groups: Int
  /// Its size in the picture's units.
  var (width, height): (Int, Int)

  /// Parts of the page's style that concern nothing in the picture.
  private static let others = [
    ".sums", ".bar", ".controls", ".legend", ".contents", ".hint", "input", "select",
    "*::placeholder", "[aria-pressed", ".skip", ":focus-visible",
  ]

  var svg: String {
    let style = between("<style>", "\n.trouble").split(separator: "\n").filter { line in
      !Self.others.contains(where: line.hasPrefix)
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" role="img" aria-label="\(title)">
      <title>\(title)</title>
      <style><![CDATA[\(style.joined(separator: "\n"))
      ]]></style>
      <foreignObject width="\(width)" height="\(height)">
      <body xmlns="http://www.w3.org/1999/xhtml">
      \(asXML("<header>" + between("<header>", "</header>") + "</header>"))
      \(asXML(table))
      </body>
      </foreignObject>
      </svg>

      """
  }

  private var table: String {
    let whole = between("<table class=\"matrix", "</table>")
    let bodies = whole.components(separatedBy: "</tbody>").prefix(groups)
    return "<table class=\"matrix" + bodies.joined(separator: "</tbody>") + "</tbody></table>"
  }

  /// What stands between two texts, without them.
  private func between(_ start: String, _ end: String) -> String {
    guard let from = page.range(of: start),
      let to = page.range(of: end, range: from.upperBound..<page.endIndex)
    else { return "" }
    return String(page[from.upperBound..<to.lowerBound])
  }

  /// Elements without an end have one in XML; links would lead nowhere.
  private func asXML(_ html: String) -> String {
    html.replacing(/<(wbr|col)(|\ [^>]*)>/) { "<\($0.output.1)\($0.output.2)/>" }
      .replacing(/\ (href|id|data-[a-z]+|tabindex|aria-[a-z]+)="[^"]*"/, with: "")
  }
}
