import Foundation

/// The first screen of a page of `handover matrix` as a picture: the clients that hang, the tiles,
/// and the first groups of scenarios.
///
/// The picture is an SVG with the page's own markup and style, so it looks like the page in light
/// and dark mode. It needs no script.
struct MatrixPicture {
  /// The HTML of the page.
  var page: String
  var title: String
  /// The number of groups of scenarios in the picture.
  var groups: Int
  /// The size in the picture's units.
  var (width, height): (Int, Int)

  /// Selectors of the page's style that match nothing in the picture.
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
      :root { --view: \(width)px; }
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

  /// Returns the text between two strings.
  private func between(_ start: String, _ end: String) -> String {
    guard let from = page.range(of: start),
      let to = page.range(of: end, range: from.upperBound..<page.endIndex)
    else { return "" }
    return String(page[from.upperBound..<to.lowerBound])
  }

  /// Converts HTML to XML: closes void elements, and removes links, which would lead nowhere.
  private func asXML(_ html: String) -> String {
    html.replacing(/<(wbr|col)(|\ [^>]*)>/) { "<\($0.output.1)\($0.output.2)/>" }
      .replacing(/\ (href|id|data-[a-z]+|tabindex|aria-[a-z]+)="[^"]*"/, with: "")
  }
}
