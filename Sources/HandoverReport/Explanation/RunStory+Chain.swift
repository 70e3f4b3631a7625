import HandoverCore
import HandoverEngine

// Sentences about the chain between a call's user and the client.
extension RunStory {
  mutating func describe(_ fact: ChainFact) {
    guard append(fact.sentence(self)), case .linkMade(let call, let link) = fact else { return }
    let isEager = names.script.configuration.chain.isEager
    say("\(self.link(link)) is made for \(self.call(call))", isEager ? "L17" : "I4")
  }
}
