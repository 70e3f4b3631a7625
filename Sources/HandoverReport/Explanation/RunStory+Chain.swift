import HandoverCore
import HandoverTrace

// What happens between a call's user and the client.
extension RunStory {
  mutating func describe(_ fact: ChainFact) {
    let call = names.call(Int(fact.call))
    switch fact {
    case .linkMade(_, let link):
      let isEager = names.script.configuration.chain.isEager
      say("\(names.link(Int(link))) is made for \(call)", isEager ? "L17" : "I4")
    case .linkSkipped(_, let link):
      say("\(names.link(Int(link))) is made for no part of \(call)", "I5")
    case .noted(_, let link, let text):
      say("\(names.link(Int(link))) notes \"\(chainText(text))\"")
    case .broke(_, let link, let breach):
      say("\(names.link(Int(link))) \(breach.words)")
    case .attempted(_, let target):
      say("what comes out of the chain of \(call) is a call to \(chainText(target))")
    case .sentHeader(_, let text):
      say("it sends the header \(chainText(text))")
    case .sentMessage(_, let text):
      say("the chain of \(call) sends \"\(chainText(text))\"")
    case .heard(_, .message, let text):
      say("the user of \(call) gets \"\(chainText(text))\"")
    case .heard(_, .metadata, let text):
      say("the user of \(call) gets the headers \(chainText(text))")
    case .trailer(_, let text):
      say("with the end comes the trailer \(chainText(text))")
    case .closed(_, let end):
      let text = end.text.text
      say("\(call) ends \(end.code) for its user" + (text.isEmpty ? "" : " with \"\(text)\""))
    // Each hop would be a sentence; what comes of them is told.
    case .took, .linkLeft, .heard: break
    }
  }

  private func chainText(_ position: UInt32) -> String {
    position < texts.count ? VisibleText.of(texts[Int(position)]) : "?"
  }
}
