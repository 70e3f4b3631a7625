import Foundation
import HandoverCore
import Testing

@Suite("Canonical JSON")
struct JSONTextTests {
  private static func text(_ write: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("Values are separated in every position")
  func structure() {
    let text = Self.text { json in
      json.beginObject()
      json.member("a", 1)
      json.key("b")
      json.beginArray()
      json.beginArray()
      json.endArray()
      json.value(true)
      json.null()
      json.beginObject()
      json.endObject()
      json.endArray()
      json.member("c", nil as String?)
      json.endObject()
      json.newline()
      json.value(false)
    }
    #expect(text == "{\"a\":1,\"b\":[[],true,null,{}],\"c\":null}\nfalse")
  }

  @Test("Integers are written at both ends of their range")
  func integers() {
    let text = Self.text { json in
      json.beginArray()
      json.value(Int64.min)
      json.value(Int64.max)
      json.value(UInt64.max)
      json.value(0)
      json.value(UInt32(1_000))
      json.endArray()
    }
    #expect(text == "[-9223372036854775808,9223372036854775807,18446744073709551615,0,1000]")
  }

  @Test("Only characters that would break a line or a quotation are escaped")
  func escapes() {
    #expect(JSONText.quoted("\"\\/\n\r\t") == #""\"\\/\n\r\t""#)
    #expect(JSONText.quoted("\u{0}\u{1f}\u{7f}") == #""\u0000\u001f\u007f""#)
    #expect(JSONText.quoted("\u{2028}\u{2029}") == #""\u2028\u2029""#)
    // Characters that change the direction of the surrounding text.
    #expect(JSONText.quoted("\u{202a}\u{202e}") == #""\u202a\u202e""#)
    // Neighboring characters that share bytes with these.
    let neighbours = "\u{2027}\u{202f}\u{a8}é✓🚲\u{6028}"
    #expect(JSONText.quoted(neighbours) == "\"\(neighbours)\"")
  }

  @Test("A bracket that would begin a command for a CI runner is escaped")
  func commands() {
    #expect(JSONText.quoted("##[a]##vso[b]") == ###""##\u005ba]##vso\u005bb]""###)
    #expect(JSONText.quoted("#vso[a]## [b]") == ###""#vso[a]## [b]""###)
  }

  @Test("Every character is read back unchanged")
  func roundTrip() throws {
    var scalars = String.UnicodeScalarView()
    for value in UInt32(0)..<0x3100 {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    let text = String(scalars)
    let read = try JSONSerialization.jsonObject(
      with: Data(JSONText.quoted(text).utf8), options: .fragmentsAllowed)
    #expect(Array((read as? String ?? "").unicodeScalars) == Array(scalars))
  }
}
