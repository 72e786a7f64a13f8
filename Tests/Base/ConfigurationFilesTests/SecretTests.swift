import ConfigurationFiles
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A secret` {
  private struct Settings {
    let user = "admin"
    let password: Secret?
    let all: [String: Secret]
  }

  @Test func `is shown by nothing that shows values`() {
    let secret = Secret("hunter2")
    let settings = Settings(password: secret, all: ["key": secret])
    var dumped = ""
    dump(settings, to: &dumped)
    dump(secret, to: &dumped)
    let shown = [
      "\(secret)", String(describing: secret), String(reflecting: secret), "\(settings)", String(reflecting: settings),
      "\(Mirror(reflecting: secret).children.map { "\($0)" })", dumped, "\(Optional(secret) as Any)", "\([secret])",
    ]
    for text in shown { #expect(!text.contains("hunter2")) }
    #expect("\(secret)" == "<redacted>")
    #expect(dumped.contains("<redacted>") && dumped.contains("admin"))
    #expect(secret.revealed() == "hunter2")
  }

  @Test(arguments: [
    ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("ab", "ac", false), ("é", "é", true),
    ("é", "e\u{301}", false),
  ])
  func `is the same when its bytes are`(left: String, right: String, areSame: Bool) {
    #expect((Secret(left) == Secret(right)) == areSame)
  }
}
