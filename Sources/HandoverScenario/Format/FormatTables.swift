import HandoverCore

/// The tables of keys in the documentation.
package enum FormatTables {
  /// Returns a page in which the rows about keys are derived from the declarations of the format.
  ///
  /// A comment `<!-- keys: OBJECT -->` precedes a table of keys. The page chooses the keys and
  /// their order, and a row of several keys becomes a row for each of them. A dotted key is a key
  /// in the object of another key.
  package static func page(_ text: String) -> String {
    var lines: [String] = []
    var object: ObjectFormat?
    var columns: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let name = line.firstMatch(of: /^<!-- keys: (\w+) -->$/)?.output.1 {
        object = ScenarioFormat.objects.first { $0.name == name }
        columns = []
      }
      guard let kind = object, line.hasPrefix("|") else {
        if !columns.isEmpty { object = nil }
        lines.append(String(line))
        continue
      }
      let cells = line.dropFirst().split(separator: "|").map { $0.trimming(while: { $0 == " " }) }
      if columns.isEmpty || line.hasPrefix("|---") {
        columns = columns.isEmpty ? cells : columns
        lines.append(String(line))
      } else {
        lines += (cells.first ?? "").matches(of: /`([^`]+)`/).map { match in
          let key = String(match.output.1)
          return row(key, of: kind, columns) ?? String(line)
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ key: String, of object: ObjectFormat, _ columns: [String]) -> String? {
    var format: KeyFormat?
    var owner: ObjectFormat? = object
    for part in key.split(separator: ".") {
      format = owner?.format(of: String(part))
      owner = if case .object(let next) = format?.value { next() } else { nil }
    }
    guard let format else { return nil }
    let cells = columns.map { column in
      switch column {
      case "type":
        format.value.description + (format.condition.map { "; only with \($0.text)" } ?? "")
      case "default": format.needed == nil ? format.defaultText : "required"
      case "meaning": format.meaning
      case "example": format.shownExample.map { "`\($0)`" } ?? ""
      default: "`\(key)`"
      }
    }
    return "| " + cells.joined(separator: " | ") + " |"
  }
}

extension Substring {
  /// Returns the string without the leading and trailing characters that meet a condition.
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
    let begin = drop(while: isTrimmed)
    return String(
      begin[..<(begin.lastIndex { !isTrimmed($0) }.map(begin.index(after:)) ?? begin.startIndex)])
  }
}

extension KeyFormat {
  /// The default in words.
  var defaultText: String {
    guard case .text(let keyword) = defaultValue, case .keyword = value else {
      return isRequired ? "required" : defaultValue.text ?? "none"
    }
    return "`\(keyword)`"
  }

  /// An example of a value, which keywords and booleans need not declare.
  var shownExample: String? {
    if let example { return example }
    switch (value, defaultValue) {
    case (.boolean, .boolean(true)): return "false"
    case (.boolean, _): return "true"
    case (.keyword(let keywords), .text(let defaultValue)):
      return keywords.keywords.first { $0.spelling != defaultValue }.map { "\"\($0.spelling)\"" }
    case (.keyword(let keywords), _): return keywords.keywords.first.map { "\"\($0.spelling)\"" }
    default: return nil
    }
  }
}

extension KeyFormat.DefaultValue {
  /// The default in words, or `nil` if there is none.
  var text: String? {
    switch self {
    case .required, .none, .derived: nil
    case .text(let text): "`\"\(text)\"`"
    case .integer(let number): "\(number)"
    case .decimal(let notation): notation
    case .boolean(let isTrue): "`\(isTrue)`"
    case .described(let keywords): keywords
    }
  }
}

extension KeyCondition {
  /// The condition in words.
  var text: String {
    switch self {
    case .key(let key): "`\(key)`"
    case .keyword(let key, let keywords):
      keywords.map { "`\"\(key)\": \"\($0)\"`" }.joined(separator: " or ")
    case .off: ""
    case .any(let conditions):
      conditions.map(\.text).filter { !$0.isEmpty }.joined(separator: " or ")
    case .all(let conditions): conditions.map(\.text).joined(separator: " and ")
    case .explained(let condition, _, _): condition.text
    }
  }
}

extension ValueFormat: CustomStringConvertible {
  /// The type in words.
  var description: String {
    switch self {
    case .anything: "any"
    case .notation(.host): "host"
    case .notation(.hostOrAll): "host or `\"*\"`"
    case .notation(.positiveTime): "time above zero"
    case .notation(.time), .notation(.entryTime): "time"
    case .notation(.name), .notation(.id), .notation(.path), .reference: "name"
    case .notation(.share): "string: a percentage"
    case .notation(.rate): "string: a number and `kbit`, `Mbit` or `Gbit`"
    case .notation(.title), .notation(.address), .text: "string"
    case .boolean: "boolean"
    case .version: "integer"
    case .integer(let range) where range.upperBound == Int128(ScenarioLimits.count):
      range.lowerBound == 0 ? "integer" : "integer, from \(range.lowerBound)"
    case .integer(let range): "integer, \(range.lowerBound) to \(range.upperBound)"
    case .decimal(let range): "decimal, \(range.lowerBound) to \(range.upperBound)"
    case .keyword(let keywords):
      keywords.keywords.count > 10
        ? "keyword" : keywords.keywords.map { "`\($0.spelling)`" }.joined(separator: ", ")
    case .flags: "flags"
    case .null: "null"
    case .scalar(isInKey: true): "string, integer or boolean"
    case .scalar(isInKey: false): "string, number, boolean or null"
    case .list(.keyword, let count, _): "array of \(Self.text(of: count))keywords"
    case .list(let element, let count, _):
      "array of " + Self.text(of: count)
        + element.plural
    case .names(.text, _): "object of strings"
    case .object(let object) where object().members.count <= 4:
      "object: " + object().members.map { "`\($0.key)`" }.joined(separator: ", ")
    case .names, .object: "object"
    case .either(let values): values.map(\.description).joined(separator: " or ")
    }
  }

  private var plural: String {
    switch self {
    case .object: "objects"
    case .either(let values): values.map(\.plural).joined(separator: " or ")
    default: description + "s"
    }
  }

  private static func text(of count: ClosedRange<Int>) -> String {
    guard count.upperBound < .max, count.lowerBound > 0 else { return "" }
    return count.count == 1
      ? "\(count.lowerBound) " : "\(count.lowerBound) to \(count.upperBound) "
  }
}
