import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverProcess

/// The orders of an external client, and those that are refused.
@Suite("Orders of the protocol")
struct OrderTests {
  private static func names(showsChannels: Bool = true) -> ClientNames {
    var names = ClientNames(
      endpoints: [RemoteEndpoint(host: "a:1", options: ChannelOptions())],
      showsChannels: showsChannels)
    names.introduce(0, "c", as: CallID(index: 0, generation: 0))
    return names
  }

  private static func effects(
    of orders: String..., showsChannels: Bool = true
  ) throws -> [ClientEffect] {
    var names = Self.names(showsChannels: showsChannels)
    var effects = EffectLog<ClientEffect>()
    for order in orders {
      try names.handle(try AnswerFields(line: Array(order.utf8)), into: &effects)
    }
    return effects.elements
  }

  private let call = CallID(index: 0, generation: 0)
  private let connection = ConnectionID(index: 0, generation: 0)
  private let channel = ChannelID(endpoint: EndpointID(index: 0), generation: 1)

  @Test("A client with channels can give every order")
  func whole() throws {
    let effects = try Self.effects(
      of: #"{"channel":{"channel":7,"host":"a:1","options":{},"state":"IDLE"}}"#,
      #"{"bound":{"call":"c","channel":7,"new":true}}"#,
      #"{"channel":{"channel":7,"host":"a:1","state":"CONNECTING"}}"#,
      #"{"connect":{"connection":12,"host":"a:1","channel":7}}"#,
      #"{"send":{"connection":12,"call":"c"}}"#,
      #"{"send":{"connection":12,"call":"c","messages":2,"bytes":30}}"#,
      #"{"finish":{"connection":12,"call":"c"}}"#, #"{"ping":{"connection":12}}"#,
      #"{"deliver":"c"}"#, #"{"reset":{"connection":12,"call":"c"}}"#,
      #"{"close":{"connection":12}}"#, #"{"notify":{"from":"WiFi","to":"None"}}"#,
      #"{"ended":{"call":"c","status":"UNAVAILABLE","message":"Connectivity lost."}}"#,
      #"{"channel":{"channel":7,"host":"a:1","state":"SHUTDOWN","reason":"transition"}}"#)
    #expect(
      effects == [
        .channelCreated(channel), .callBound(call, channel, isNew: true),
        .channelMoved(channel, from: .idle, to: .connecting),
        .openConnection(connection, channel), .startStream(call, connection),
        .sendMessages(call, connection, count: 2, bytes: 30), .finishStream(call, connection),
        .sendPing(connection), .deliverMessage(call), .resetStream(call, connection),
        .closeConnection(connection), .notify(CategoryChange(from: .wifi, to: .noNetwork)),
        .endCall(call, .connectivityLost), .channelDestroyed(channel, .transition),
      ])
  }

  @Test("A client that does not show its channels can give every order")
  func withoutChannels() throws {
    let effects = try Self.effects(
      of: #"{"connect":{"connection":1,"host":"a:1"}}"#, showsChannels: false)
    let unseen = ChannelID(endpoint: EndpointID(index: 0), generation: 0)
    #expect(effects == [.openConnection(connection, unseen)])
  }

  @Test(
    "An order with an unknown name is refused with a message",
    arguments: [
      (#"{"jump":{}}"#, "unknown order \"jump\""),
      (#"{}"#, "an element of \"out\" is empty"),
      (#"{"ended":{"call":"d","status":"OK"}}"#, "there was no call \"d\""),
      (#"{"ended":{"call":"c","status":"FINE"}}"#, "unknown status \"FINE\""),
      (#"{"close":{"connection":1}}"#, "it never made connection 1"),
      (#"{"connect":{"connection":1,"host":"a:1","channel":3}}"#, "it never made channel 3"),
      (#"{"channel":{"channel":1,"host":"b:1","state":"IDLE"}}"#, "no call to \"b:1\""),
      (#"{"channel":{"channel":1,"host":"a:1","state":"BUSY"}}"#, "unknown channel state \"BUSY\""),
      (#"{"notify":{"from":"WiFi","to":"Moon"}}"#, "unknown category \"Moon\""),
      (#"{"deliver":3}"#, "the id of a call must be a string"),
      (#"{"close":{"connection":"one"}}"#, "must be an integer"),
      (#"{"close":{"connection":1},"close":{"connection":1}}"#, "occurs twice"),
    ])
  func refused(_ order: String, _ words: String) {
    let error = #expect(throws: AnswerError.self) { try Self.effects(of: order) }
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
  }

  @Test("A connection to a different host than that of its channel is refused")
  func otherHost() {
    let error = #expect(throws: AnswerError.self) {
      try Self.effects(
        of: #"{"channel":{"channel":1,"host":"a:1","state":"IDLE"}}"#,
        #"{"connect":{"connection":1,"host":"a","channel":1}}"#)
    }
    #expect(error?.reason == #"the connection is to "a", and its channel is to "a:1""#)
  }

  @Test("Each connection has a unique number")
  func twice() {
    let order = #"{"connect":{"connection":1,"host":"a:1"}}"#
    #expect(throws: AnswerError.self) {
      try Self.effects(of: order, order, showsChannels: false)
    }
  }
}
