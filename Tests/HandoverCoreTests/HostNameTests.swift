import HandoverCore
import Testing

@Suite("Host names")
struct HostNameTests {
  @Test(
    "Two spellings of one host are one host (P1, H5)",
    arguments: [
      ("api.example", "api.example:443"),
      ("api.example:443", "api.example:443"),
      ("api.example:50051", "api.example:50051"),
      ("api.example:0080", "api.example:80"),
      ("https://api.example", "api.example:443"),
      ("https://api.example:8443/path", "api.example:8443"),
      ("api.example/some/path", "api.example:443"),
      ("api.example?query", "api.example:443"),
      ("api.example#part", "api.example:443"),
      ("API.Example", "API.Example:443"),
      ("Ā+1.x-y://api.example", "api.example:443"),
      ("10.0.0.1", "10.0.0.1:443"),
      ("10.0.0.1:80", "10.0.0.1:80"),
      ("[::1]", "[::1]:443"),
      ("[2001:db8::1]:8080", "[2001:db8::1]:8080"),
      ("https://[::1]/x", "[::1]:443"),
      ("api.example:65535", "api.example:65535"),
      ("api.example:1", "api.example:1"),
    ])
  func areNormalised(written: String, text: String) {
    #expect(HostName(written)?.text == text)
    #expect(HostName(written) == HostName(text))
    #expect(HostName(written)?.description == text)
  }

  @Test(
    "A name with a resolver's prefix is used unchanged (P1)",
    arguments: [
      "dns:api.example", "dns:///api.example", "unix:/run/socket", "ipv4:10.0.0.1:80", "ipv6:[::1]",
    ])
  func keepPrefixes(written: String) {
    #expect(HostName(written)?.text == written)
  }

  @Test(
    "No channel can be created for an invalid host (C13)",
    arguments: [
      "", ":443", "/path", "https://", "https:///path", "[]", "api example", "api.example\n",
      "api.example:", "api.example:0", "api.example:65536", "api.example:-1", "api.example:+80",
      "api.example:http", "api.example:99999999999999999999", "api.example:٤٤٣",
    ])
  func refuse(written: String) {
    #expect(HostName(written) == nil)
  }

  @Test("A scheme consists of letters, digits, plus, minus and dots")
  func schemes() {
    for byte in 0x21...0x7e as ClosedRange<UInt8> {
      let character = Character(UnicodeScalar(byte))
      let isSchemeByte = character.isLetter || character.isNumber || "+-.".contains(character)
      let text = HostName("a\(character)b://api.example")?.text
      #expect((text == "api.example:443") == isSchemeByte, "\(character)")
    }
  }

  @Test("Different ports and different cases are different hosts (P1)")
  func distinguishesHosts() {
    #expect(HostName("a:1") != HostName("a:2"))
    #expect(HostName("a") != HostName("A"))
  }
}
