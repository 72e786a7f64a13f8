import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Percent-encoding` {
  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("%61%62", "ab"), ("a%2Fb%2fc", "a/b/c"), ("%C3%A9é", "éé"), ("%2541", "%41"),
    ("a+b", "a+b"), ("%00", "\u{0}"),
  ])
  func `is decoded once`(text: String, decoded: String) {
    #expect(PercentEncoding.decoded(text) == decoded)
  }

  @Test(arguments: ["%", "a%", "%4", "%4g", "%zz", "%+1", "%-1", "% 1", "%%41", "%ff", "%C3", "%C3%28", "%é1"])
  func `that is none, or no text, is refused`(text: String) {
    #expect(PercentEncoding.decoded(text) == nil)
  }

  @Test func `of a form has plus signs for spaces`() {
    #expect(PercentEncoding.decodedForm("a+b%2B%20c") == "a b+ c")
    #expect(PercentEncoding.decodedForm("a+%2") == nil)
    #expect(PercentEncoding.decodedForm("a+\u{301}b+") == "a \u{301}b ", "a sign that goes with the one before it")
  }

  @Test func `leaves what no URL takes for something else`() {
    #expect(PercentEncoding.encoded("aZ09-._~ é/%+") == "aZ09-._~%20%C3%A9%2F%25%2B")
    #expect(PercentEncoding.encoded("a-b.c", keeping: "-") == "a-b%2Ec")
    #expect(PercentEncoding.component("(a)'!*~ &") == "(a)'!*~%20%26")
  }

  @Test func `keeps escapes where it is told to`() {
    #expect(PercentEncoding.encoded("%2f%zz%2", keeping: "", keepsEscapes: true) == "%2f%25zz%252")
    #expect(PercentEncoding.encoded(bytes: [0xC3]) == "%C3")
  }

  @Test func `has sixteen digits in two cases, and those beside them are none`() {
    let digits = [("0", 0), ("9", 9), ("a", 10), ("f", 15), ("A", 10), ("F", 15)] as [(String, UInt8)]
    for (digit, value) in digits {
      #expect(PercentEncoding.decoded("%0\(digit)") == String(UnicodeScalar(value)))
      #expect(PercentEncoding.encoded("%\(digit)0", keepsEscapes: true) == "%\(digit)0")
    }
    for digit in ["/", ":", "@", "G", "`", "g"] {
      for text in ["%0\(digit)", "%\(digit)0"] {
        #expect(PercentEncoding.decoded(text) == nil, "\(text)")
        #expect(PercentEncoding.encoded(text, keepsEscapes: true).hasPrefix("%25"), "\(text)")
      }
    }
  }

  @Test func `leaves letters and digits up to the last, and escapes those beside them`() {
    #expect(PercentEncoding.encoded("/09:@AZ[`az{", keeping: "") == "%2F09%3A%40AZ%5B%60az%7B")
    #expect(PercentEncoding.encoded("%2", keepsEscapes: true) == "%252")
    #expect(PercentEncoding.encoded("%", keepsEscapes: true) == "%25")
    #expect(PercentEncoding.encoded("%41") == "%2541")
  }
}
