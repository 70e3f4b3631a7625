import HandoverCore

// What happened in the chain of a call.
extension TraceWriter {
  mutating func write(_ fact: ChainFact) {
    switch fact {
    case .linkMade(let call, let link): begin("linkMade", call, link)
    case .linkSkipped(let call, let link): begin("linkSkipped", call, link)
    case .linkLeft(let call, let link): begin("linkLeft", call, link)
    case .took(let call, let link, let step):
      begin("took", call, link)
      json.member("step", step.rawValue)
    case .noted(let call, let link, let text):
      begin("noted", call, link)
      write(text: text)
    case .broke(let call, let link, let breach):
      begin("broke", call, link)
      json.member("breach", breach.rawValue)
    case .attempted(let call, let target): begin("attempted", call, text: target)
    case .sentHeader(let call, let text): begin("sentHeader", call, text: text)
    case .sentMessage(let call, let text): begin("sentMessage", call, text: text)
    case .heard(let call, let step, let text):
      begin("heard", callAt: call)
      json.member("step", step.rawValue)
      write(text: text)
    case .closed(let call, let end):
      begin("closed", callAt: call)
      json.member("status", end.code.name)
      json.member("message", end.text.text)
    case .trailer(let call, let text): begin("trailer", call, text: text)
    }
    json.endObject()
  }

  private mutating func begin(_ name: String, callAt call: UInt32) {
    begin(name)
    write(callAt: call)
  }

  private mutating func begin(_ name: String, _ call: UInt32, text: UInt32) {
    begin(name, callAt: call)
    write(text: text)
  }

  private mutating func begin(_ name: String, _ call: UInt32, _ link: UInt16) {
    begin(name, callAt: call)
    let links = script.configuration.chain.links
    json.member("link", link < links.count ? links[Int(link)].name : nil)
  }

  /// Writes a text of the trace; what the trace does not hold is null.
  private mutating func write(text: UInt32) {
    json.member("text", text < texts.count ? texts[Int(text)] : nil)
  }
}
