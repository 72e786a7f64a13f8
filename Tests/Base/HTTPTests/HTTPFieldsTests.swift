import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Header fields` {
  private var fields: HTTPFields { ["a": "1", "B": "2", "c": "3", "b": "4"] }

  @Test func `give the first value of a name, and all of them in order`() {
    #expect(fields["b"] == "2" && fields["d"] == nil)
    #expect(fields.values(of: "b") == ["2", "4"] && fields.values(of: "d").isEmpty)
  }

  @Test func `have one value of a name once it is set, at the place of the first`() {
    var fields = fields
    for value in ["5", "6"] {
      fields["b"] = value
      #expect(fields.all == [HTTPField("a", "1"), HTTPField("b", value), HTTPField("c", "3")])
    }
    fields["D"] = "7"
    #expect(fields.all.last == HTTPField("D", "7") && fields.all.count == 4)
  }

  @Test func `lose every value of a name, and nothing else`() {
    var fields = fields
    for _ in 0..<2 {
      fields["b"] = nil
      #expect(fields == ["a": "1", "c": "3"])
    }
    fields.append("A", "8")
    #expect(fields.values(of: "a") == ["1", "8"])
    fields.removeAll()
    #expect(fields == [:] && fields["a"] == nil)
  }

  @Test func `are tokens of the characters of the standard`() {
    let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&'*+-.^_`|~"
    for byte in UInt8(0)...127 {
      let text = String(UnicodeScalar(byte))
      #expect(FieldSyntax.isToken(text) == letters.contains(text), "\(byte)")
      #expect(FieldSyntax.isToken("a\(text)".dropFirst()) == letters.contains(text), "\(byte)")
      #expect(FieldSyntax.isValue(text) == (byte == 9 || byte >= 32 && byte < 127), "\(byte)")
    }
    #expect(!FieldSyntax.isToken("".dropFirst()))
  }

  @Test(arguments: [("A", "a"), ("Z", "z"), ("@", "`"), ("[", "{"), ("É", "é")])
  func `are equal without regard to the case of ASCII letters`(upper: String, lower: String) {
    #expect(FieldSyntax.areEqual(upper, lower) == (upper == "A" || upper == "Z"))
    #expect(FieldSyntax.areEqual(upper, upper) && !FieldSyntax.areEqual(upper, upper + upper))
  }

  @Test(arguments: [("", ""), (" ", ""), ("\t \t", ""), ("a", "a"), ("é \t", "é")])
  func `are trimmed to nothing too`(text: String, trimmed: String) {
    #expect(FieldSyntax.trimmed(text[...]) == trimmed)
  }
}
