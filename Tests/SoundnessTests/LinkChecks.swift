import Foundation

/// Checks that every relative link of a page leads to a file of the repository, and every anchor to
/// a heading of that file.
///
/// Links are written as a forge resolves them. `Tests/Tools/docs-catalog` converts them for DocC.
///
/// - Parameters:
///   - path: The page, relative to the root of the repository.
///   - text: The text of the page.
///   - paths: All files of the repository.
///   - pages: The texts of all pages, by path.
/// - Returns: A complaint for each link without a target.
func checkLinks(path: String, text: String, paths: Set<String>, pages: [String: String])
  -> [Complaint]
{
  guard path.hasSuffix(".md") else { return [] }
  let folder = path.split(separator: "/").dropLast()
  return markdownLines(text).flatMap { line -> [Complaint] in
    line.text.matches(of: /\]\((?<target>[^)\s]*)\)/).compactMap { match in
      let link = String(match.target)
      guard !link.contains("://"), !link.isEmpty else { return nil }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? path : resolved(String(parts[0]), in: folder)
      func complaint(_ what: String, _ remedy: String) -> Complaint {
        Complaint(
          path: path, line: line.number, what: what,
          why: "a reader who follows the link finds nothing", remedy: remedy)
      }
      guard paths.contains(target) || paths.contains(where: { $0.hasPrefix(target + "/") }) else {
        return complaint("the link target \(link) does not exist", "correct the path")
      }
      guard parts.count == 2 else { return nil }
      let anchors = markdownLines(pages[target] ?? "").compactMap { anchor(ofHeading: $0.text) }
      return anchors.contains(String(parts[1]))
        ? nil : complaint("\(target) has no heading for #\(parts[1])", "correct the anchor")
    }
  }
}

/// Returns the lines of a page outside fenced blocks, without code spans.
///
/// - Returns: Each line with its number, from 1.
func markdownLines(_ text: String) -> [(number: Int, text: String)] {
  unfencedLines(text).map { ($0.number, String($0.text).replacing(/`[^`]*`/, with: "`")) }
}

/// Returns the code spans of a page outside fenced blocks.
///
/// - Returns: Each span with the number of its line, from 1.
func codeSpans(_ text: String) -> [(line: Int, text: Substring)] {
  unfencedLines(text).flatMap { line in
    line.text.matches(of: /``?([^`]+)``?/).map { (line.number, $0.output.1) }
  }
}

/// Returns the lines of a page outside fenced blocks, each with its number, from 1.
private func unfencedLines(_ text: String) -> [(number: Int, text: Substring)] {
  var isFenced = false
  var lines: [(number: Int, text: Substring)] = []
  let all = text.split(separator: "\n", omittingEmptySubsequences: false)
  for (index, line) in all.enumerated() {
    if line.drop(while: { $0 == " " }).hasPrefix("```") {
      isFenced.toggle()
    } else if !isFenced {
      lines.append((index + 1, line))
    }
  }
  return lines
}

/// Returns the anchor that a forge gives to a heading, or `nil` if the line is not a heading.
private func anchor(ofHeading line: String) -> String? {
  guard let heading = line.wholeMatch(of: /#{1,6} (.+)/)?.output.1 else { return nil }
  return heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
    .replacing(" ", with: "-")
}

/// Converts a path relative to a folder to one relative to the root of the repository.
private func resolved(_ link: String, in folder: some Collection<Substring>) -> String {
  var parts = folder.map(String.init)
  for part in link.split(separator: "/") {
    switch part {
    case ".": continue
    case "..": _ = parts.popLast()
    default: parts.append(String(part))
    }
  }
  return parts.joined(separator: "/")
}
