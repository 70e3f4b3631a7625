import HandoverCore
import Testing

@Suite("EndpointDispatcher: keys of endpoints")
struct EndpointKeyTests {
  @Test(
    "Only the host and the port of a URL form the key (U1, U2, U3)",
    arguments: [
      ("http://h.example/a", "h.example:80"),
      ("ws://h.example", "h.example:80"),
      ("https://h.example/b?c=d", "h.example:443"),
      ("wss://h.example#e", "h.example:443"),
      ("HTTPS://h.example", "h.example:443"),
      ("Wss://h.example", "h.example:443"),
      ("http://h.example:443/a", "h.example:443"),
      ("https://h.example:8080", "h.example:8080"),
      ("https://h.example:0080/", "h.example:80"),
      ("http://h.example:/", "h.example:80"),
      ("gopher://h.example:70/", "h.example:70"),
      ("http://user:p@ss@h.example:81/@", "h.example:81"),
    ])
  func areTakenOutOfURLs(url: String, key: String) {
    #expect(EndpointKey(url: url)?.description == key)
  }

  @Test(
    "Two spellings of one host are one key (U4)",
    arguments: [
      ("http://Example.COM", "example.com:80"),
      ("http://example.com.", "example.com:80"),
      ("http://example.com.:81", "example.com:81"),
      ("http://[2001:DB8::1]/", "[2001:db8::1]:80"),
      ("https://[::1]:8443", "[::1]:8443"),
    ])
  func areNormalised(url: String, key: String) {
    #expect(EndpointKey(url: url)?.description == key)
  }

  @Test("Two names of one machine are two keys (U3)")
  func namesAreApart() {
    #expect(EndpointKey(url: "http://localhost") != EndpointKey(url: "http://127.0.0.1"))
    #expect(EndpointKey(url: "http://a.example") != EndpointKey(url: "http://b.example"))
  }

  @Test("A URL and its host and port give one key, and therefore one prediction (U5)")
  func doorsAgree() throws {
    var rig = try DispatcherRig()
    let ways = [
      EndpointKey(url: "http://H.example/x"), EndpointKey(host: "h.example.", port: 80),
      EndpointKey(url: "https://h.example:80/y"),
    ]
    let endpoints = try ways.map { rig.register(try #require($0)) }
    #expect(Set(endpoints).count == 1)
    #expect(
      EndpointKey(host: "::1", port: 80) == EndpointKey(url: "http://[::1]"))
  }

  @Test(
    "A URL without a host or a port has no key",
    arguments: [
      "", "h.example", "http://", "http:///path", "://h.example", "http://.", "http://[]",
      "http://h.example:0", "http://h.example:65536", "http://h.example:x", "http://a b/",
      "gopher://h.example/", "http://a:b:80/", "http://[h.example]/", "http://[::1/",
    ])
  func needHostAndPort(url: String) {
    #expect(EndpointKey(url: url) == nil)
  }

  @Test("A bare host needs a name and a port")
  func needAName() {
    #expect(EndpointKey(host: "", port: 80) == nil)
    #expect(EndpointKey(host: "h.example", port: 0) == nil)
  }

  @Test(
    "A host with a colon is an IPv6 address, with or without brackets",
    arguments: [
      ("::", "[::]"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("1::", "[1::]"),
      ("FE80::1", "[fe80::1]"), ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]"),
      ("1:2:3:4:5:6:7::", "[1:2:3:4:5:6:7::]"), ("::ffff:192.0.2.1", "[::ffff:192.0.2.1]"),
      ("1:2:3:4:5:6:192.0.2.1", "[1:2:3:4:5:6:192.0.2.1]"), ("fe80::1%eth0", "[fe80::1%eth0]"),
      ("192.0.2.1", "192.0.2.1"), ("h.example.", "h.example"), ("cafe", "cafe"),
    ])
  func addresses(written: String, host: String) {
    #expect(EndpointKey(host: written, port: 80)?.host == host)
  }

  @Test(
    "A host that is neither a name nor an address has no key",
    arguments: [
      "example.com:80", "a:b", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7::8", "12345::", "g::", ":1::2", "1::2:", "::256.0.0.1", "::1.2.3", "1.2.3.4::",
      "1:2:3:4:5:6:7:1.2.3.4", "::1%", "::1%a b", "[::1", "::1]", "[]", "[h.example]", "[[::1]]",
      "h.example/a", "h.example?a", "h.example#a", "u@h.example", "a\\b", ".", "a b",
    ])
  func noHosts(written: String) {
    #expect(EndpointKey(host: written, port: 80) == nil)
  }

  @Test("The original distinguishes spellings and knows one scheme (U2, U4)")
  func literalKeys() {
    let defects = DispatcherDefects([.literalKeys])
    func key(_ url: String) -> String? { EndpointKey(url: url, defects: defects)?.description }
    #expect(key("http://Example.com") == "Example.com:80")
    #expect(key("http://example.com.") == "example.com.:80")
    #expect(key("https://h.example") == "h.example:443")
    #expect(key("HTTPS://h.example") == "h.example:80")
    #expect(key("wss://h.example") == "h.example:80")
    #expect(key("wss://h.example:443") == "h.example:443")
  }
}
