import HandoverCore

extension LinkQuality {
  /// The effect on packets, as text.
  package var phrase: String {
    var parts: [String] = []
    if delay > .zero { parts.append("packets take \(delay.exactText)") }
    if let bitsPerSecond { parts.append("\(Self.rate(bitsPerSecond)) pass") }
    if let trace { parts.append("they pass at the times of \(trace.name)") }
    if lossPerMillion > 0 {
      let bursts = burst.map { ", \($0) at a time" } ?? ""
      parts.append("\(Self.share(lossPerMillion)) are lost\(bursts)")
    }
    if reorderPerMillion > 0 {
      parts.append("\(Self.share(reorderPerMillion)) come \(reorderBy.exactText) late")
    }
    if let mtu {
      let signal = mtuSignal == .none ? ", and longer ones vanish" : ""
      parts.append("they have at most \(mtu) bytes\(signal)")
    }
    let text = parts.isEmpty ? "packets are delivered unchanged" : parts.joined(separator: ", ")
    switch direction {
    case .both: return text
    case .up: return text + " (what the device sends)"
    case .down: return text + " (what it receives)"
    }
  }

  private static func rate(_ bits: Int64) -> String {
    for (unit, size) in [("Gbit", 1_000_000_000), ("Mbit", 1_000_000)] as [(String, Int64)]
    where bits >= size {
      return decimal(bits, size) + " \(unit) each second"
    }
    return decimal(bits, 1_000) + " kbit each second"
  }

  private static func share(_ perMillion: UInt32) -> String {
    decimal(Int64(perMillion), 10_000) + " %"
  }

  /// Returns a number in a unit that is a power of ten, with as many decimals as needed.
  private static func decimal(_ value: Int64, _ unit: Int64) -> String {
    guard value % unit > 0 else { return "\(value / unit)" }
    var digits = String(String(unit + value % unit).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(value / unit).\(digits)"
  }
}
