import HTTP
import HTTPClient
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The pause that a server asks for` {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private let now: Int64 = 784_111_777

  private func pause(_ text: String?, date: String? = nil) -> Int? {
    var fields = HTTPFields()
    fields["Retry-After"] = text
    fields["Date"] = date
    return HTTPResponse(status: 503, headers: fields, url: "http://a/").retryAfter(now: now)
  }

  @Test(arguments: [
    ("0", 0), ("7", 7), ("86400", 86_400), ("86401", 86_400), ("9223372036854775807", 86_400),
    ("99999999999999999999999", 86_400),
  ])
  func `is a number of seconds, a day at the most`(text: String, seconds: Int) { #expect(pause(text) == seconds) }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
  ])
  func `is the time to a date`(text: String, seconds: Int) { #expect(pause(text) == seconds) }

  @Test func `is by the server's own clock, where it tells the time`() {
    #expect(pause("Sun, 06 Nov 1994 08:49:37 GMT", date: "Sun, 06 Nov 1994 08:48:37 GMT") == 60)
    #expect(pause("Sun, 06 Nov 1994 08:50:37 GMT", date: "some time") == 60)
  }

  @Test(arguments: [nil, "", "-5", "+5", "1.5", "soon", " 7", "7 ", "٧", "Sunday, 06-Nov-94 08:49:37 GMT"])
  func `is nothing for any other text`(text: String?) { #expect(pause(text) == nil) }
}
