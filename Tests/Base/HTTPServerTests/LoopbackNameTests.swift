import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct `A name of this machine` {
  @Test(arguments: ["localhost", "LocalHost", "a.b.localhost", "127.0.0.1", "127.255.255.254", "::1", "[::1]"])
  func `is one`(name: String) { #expect(LoopbackName.isOne(name)) }

  @Test(arguments: [
    "", "localhost.", "xlocalhost", "localhost.example", "127.1", "127.0.0", "127.0.0.1.example", "127.0.0.1.1",
    "127.0.0.1:80", "127.0.0.x", "128.0.0.1", "127", "::2", "[::1", "::ffff:127.0.0.1", "0.0.0.0", "127.0.0.١",
    "127.0.0.1\u{301}", "1\u{20DD}27.0.0.1",
  ])
  func `is none`(name: String) { #expect(!LoopbackName.isOne(name)) }

  @Test(arguments: [
    ("a.example", "a.example"), ("a.example:1", "a.example"), ("a.example:65535", "a.example"), ("[::1]", "[::1]"),
    ("[::1]:80", "[::1]"), ("a_b-c.1:00080", "a_b-c.1"),
  ])
  func `and a port are an authority`(text: String, name: String) { #expect(Authority(text)?.name == name) }

  @Test(arguments: [
    "", ":80", "a:", "a:0", "a:65536", "a:000080", "a:8 0", "a:+80", "a:-1", "a@b", "A.example", "[::1", "[::1]80",
    "[::g]", "a:80:80", "a/b", "é.example", "a:٨٠",
  ])
  func `with anything else is no authority`(text: String) { #expect(Authority(text) == nil) }
}
