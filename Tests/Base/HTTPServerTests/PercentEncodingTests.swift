import HTTP
import HTTPServer
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
}
