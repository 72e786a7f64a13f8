import ConfigurationFiles
import ContentClient
import Testing

private func configuration(_ text: String) throws -> ContentConfiguration {
  try ContentConfiguration(XCConfig(path: "Config.xcconfig") { _ in text })
}

@Suite(.timeLimit(.minutes(1)))
struct `A content configuration` {
  @Test func `is the publish instance of this machine when nothing is set`() throws {
    let found = try configuration("AEM_HOST =\nAEM_SCHEME =\n")
    #expect(found == ContentConfiguration())
    #expect(found.origin == "http://127.0.0.1:4503")
    #expect(found.authentication == .none)
    #expect(found.isLoopback)
  }

  @Test(arguments: [
    ("AEM_SCHEME = https\nAEM_HOST = publish.example.com", "https://publish.example.com"),
    ("AEM_SCHEME = HTTPS\nAEM_HOST = a.b:8443", "https://a.b:8443"),
    ("AEM_HOST = [::1]:4502", "http://[::1]:4502"),
    ("AEM_HOST = localhost:4503", "http://localhost:4503"),
  ])
  func `has an origin`(text: String, origin: String) throws {
    #expect(try configuration(text).origin == origin)
  }

  @Test(arguments: [
    ("AEM_AUTH_TYPE = none\nAEM_USERNAME = u", ContentConfiguration.Authentication.none),
    ("AEM_AUTH_TYPE = Basic\nAEM_USERNAME = u\nAEM_PASSWORD = p", .basic(user: "u", password: Secret("p"))),
    ("AEM_AUTH_TYPE = basic\nAEM_USERNAME = u", .basic(user: "u", password: Secret(""))),
    ("AEM_AUTH_TYPE = token\nAEM_TOKEN = t.t", .token(Secret("t.t"))),
    ("AEM_AUTH_TYPE = oauth\nAEM_TOKEN = t", .none),
  ])
  func `has an authentication`(text: String, authentication: ContentConfiguration.Authentication) throws {
    #expect(try configuration(text).authentication == authentication)
  }

  @Test(arguments: [
    ("AEM_SCHEME = ftp", "AEM_SCHEME", 1),
    ("\nAEM_HOST = https://publish.example.com", "AEM_HOST", 2),
    ("AEM_HOST = https:/$()/publish.example.com", "AEM_HOST", 1),
    ("AEM_HOST = a/b", "AEM_HOST", 1),
    ("AEM_HOST = a?b", "AEM_HOST", 1),
    ("AEM_HOST = user@a", "AEM_HOST", 1),
    ("AEM_HOST = a b", "AEM_HOST", 1),
    ("AEM_HOST = a:", "AEM_HOST", 1),
    ("AEM_HOST = a:99999", "AEM_HOST", 1),
    ("AEM_HOST = a:0", "AEM_HOST", 1),
    ("AEM_HOST = a:b", "AEM_HOST", 1),
    ("AEM_HOST = ä.de", "AEM_HOST", 1),
    ("A = 1\nAEM_AUTH_TYPE = basic", "AEM_USERNAME", 2),
    ("AEM_AUTH_TYPE = basic\nAEM_USERNAME =", "AEM_USERNAME", 2),
    ("AEM_AUTH_TYPE = basic\nAEM_USERNAME = a:b", "AEM_USERNAME", 2),
    ("AEM_AUTH_TYPE = basic\nAEM_USERNAME = a\nAEM_PASSWORD = sn☃w", "AEM_PASSWORD", 3),
    ("AEM_AUTH_TYPE = token", "AEM_TOKEN", 1),
    ("AEM_AUTH_TYPE = token\nAEM_TOKEN = Bearer sn0w", "AEM_TOKEN", 2),
  ])
  func `is refused with its key and line`(text: String, key: String, line: Int) throws {
    let error = try #require(throws: ConfigurationError.self) { try configuration(text) }
    #expect(error.key == key)
    #expect(error.place == XCConfig.Place(file: "Config.xcconfig", line: line))
    #expect(error.message.contains("Config.xcconfig:\(line)") && error.message.contains(key))
    #expect(!error.description.contains("sn"))
    #expect(!error.recovery.isEmpty)
  }

  @Test(arguments: [
    ("http:", "begins with a scheme"), ("HTTPS:", "begins with a scheme"), ("https:/$()/a", "begins with a scheme"),
    ("ftp:/$()/u@a/b", "begins with a scheme"), ("u@a/b", "names a user"), ("a/b", "holds a path"),
    ("ftp:", "is not a host name"),
  ])
  func `says what is wrong with its host`(host: String, reason: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try configuration("AEM_HOST = \(host)") }
    #expect(error.message.contains("AEM_HOST \(reason)"), "\(error.message)")
  }

  @Test(arguments: [
    ("", true), (" ", true), ("~\u{80}ÿ", true), ("\u{1F}", false), ("\u{7F}", false), ("\u{100}", false),
  ])
  func `has a name and a password of the letters that HTTP can send`(text: String, isTaken: Bool) {
    for (user, password) in [("u", text), ("u\(text)", "p")] {
      let authentication = ContentConfiguration.Authentication.basic(user: user, password: Secret(password))
      let found = try? ContentConfiguration(scheme: "", host: "", authentication: authentication)
      #expect((found != nil) == isTaken)
    }
  }

  @Test(arguments: [("!~", true), ("", false), ("a b", false), ("a\u{7F}", false), ("é", false), ("a\n", false)])
  func `has a token of the letters that tokens have`(token: String, isTaken: Bool) {
    let found = try? ContentConfiguration(scheme: "", host: "", authentication: .token(Secret(token)))
    #expect((found != nil) == isTaken)
  }

  @Test func `shows no secret`() throws {
    let secret = Secret("hunter2")
    let found = try configuration("AEM_AUTH_TYPE = token\nAEM_TOKEN = hunter2")
    var dumped = ""
    dump(found, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\(found)", String(reflecting: found), dumped] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(secret)" == "<redacted>")
    #expect(secret.revealed() == "hunter2")
  }
}
