import ExtensionProtocol
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A secret` {
  @Test(arguments: [
    "X-Auth-Token", "Private-Token", "X-Amz-Security-Token", "access_token", "accessToken", "AccessToken",
    "ACCESS_TOKEN",
    "continuationToken", "oob", "one_time_code", "new_password", "device_code", "user_code", "refresh_token",
    "id_token",
    "x-functions-key", "Ocp-Apim-Subscription-Key", "apiKey", "apikey", "x-api-key", "client_secret", "newPassword",
    "continuation_token", "code_verifier", "deviceCode", "oneTimeCode", "Authorization", "Proxy-Authorization",
    "Set-Cookie", "X-Auth", "jwtAssertion", "otp", "PRIVATE-KEY", String(repeating: "x", count: 129),
  ])
  func `is known by the meaning of its name`(name: String) { #expect(Secrets.isName(name)) }

  @Test(arguments: [
    "", "key", "code", "author", "Accept", "token_type", "tokenEndpoint", "auth-method", "password_policy", "tokens",
    "sessionID", "keyboardType", "needsInputModeSwitchKey", "hasDictationKey", "countryCode", "statusCode", "monkey",
    "Basic", "tokenizer", "authority", "secretary",
  ])
  func `is not every name that looks like one`(name: String) { #expect(!Secrets.isName(name)) }

  @Test(arguments: [
    "Bearer x", "bearer abc", "Basic dTpwYXNz", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE", "ghp_abcdefghijklmnopqrstuvwxyz",
  ])
  func `is known by its form`(value: String) { #expect(Secrets.isCredential(value)) }

  @Test(arguments: ["", "Basic", "basic", "bears", "eyJ", "AKIA", "eyJustAWord", "A text about tokens."])
  func `is not every value that looks like one`(value: String) { #expect(!Secrets.isCredential(value)) }

  @Test(arguments: [
    (
      "GET https://u:p@a.example/x?q=1&access_token=abc#t",
      "GET https://<redacted>@a.example/x?q=1&access_token=<redacted>#t"
    ),
    ("/cb?code=abc&state=x", "/cb?code=<redacted>&state=x"),
    ("/o?X-Amz-Signature=12ab&X-Amz-Date=1", "/o?X-Amz-Signature=<redacted>&X-Amz-Date=1"),
    ("Cookie: a=b; c=d\nAccept: x", "Cookie: <redacted>\nAccept: x"),
    (#"{"password": "p q", "user":"u"}"#, #"{"password": "<redacted>", "user":"u"}"#),
    // A text within a text, and within one more.
    (#"{\"password\":\"p q\",\"user\":\"u\"}"#, #"{\"password\":\"<redacted>\",\"user\":\"u\"}"#),
    (#"{\"password\":\"a\\\"b\\\\\",\"user\":\"u\"}"#, #"{\"password\":\"<redacted>\",\"user\":\"u\"}"#),
    (#"\\\"secret\\\": \\\"a\\\\\\\"b\\\", 1"#, #"\\\"secret\\\": \\\"<redacted>\\\", 1"#),
    (#"password=\"p q\" it"#, #"password=\"<redacted>\" it"#),
    (#""{\"token\":\"abc" it"#, #""{\"token\":\"<redacted>" it"#),
    (#"\"token\":\"abc"#, #"\"token\":\"<redacted>"#),
    ("password=hunter2, user=me", "password=<redacted>, user=me"),
    ("sent Bearer abcdefgh123 to it", "sent Bearer <redacted> to it"),
    ("it is eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln.", "it is <redacted>"),
    ("token=a token=b", "token=<redacted> token=<redacted>"),
  ])
  func `is taken out of a text`(text: String, redacted: String) { #expect(Secrets.redacted(text) == redacted) }

  @Test(arguments: [
    "", "A text about a token, a key and a code.", "https://a.example/x?q=1", "code=7", "user@host:/path", "token=",
    "Bearer of news",
    "a: b", "é=ü", "://@", "?&=", "token:", #""password":""#,
  ])
  func `is not found where there is none`(text: String) { #expect(Secrets.redacted(text) == text) }

  @Test(arguments: [
    ("x", 128, false), ("x", 129, true), ("é", 64, false), ("é", 65, true),
  ])
  func `is assumed of a name with more than 128 bytes`(letter: String, count: Int, isSecret: Bool) {
    #expect(Secrets.isName(String(repeating: letter, count: count)) == isSecret)
  }

  @Test(arguments: [
    "assertion", "bearer", "cookie", "credential", "credentials", "jwt", "oob", "otp", "passcode", "passphrase",
    "passwd", "password", "passwords", "pwd", "secret", "secrets", "token", "auth", "authorization",
  ])
  func `is told by each of its words, unless the last one is about it`(word: String) {
    #expect(Secrets.isName("my_\(word)") && Secrets.isName("\(word)-x"))
    for last in [
      "at", "count", "duration", "enabled", "endpoint", "expires", "expiry", "format", "in", "kind", "length",
      "lifetime", "limit", "method", "methods", "policy", "required", "rule", "scheme", "size", "supported", "type",
      "types", "uri", "url",
    ] {
      #expect(!Secrets.isName("\(word)_\(last)"), "\(word)_\(last)")
    }
  }

  @Test(arguments: [
    "accesskey", "accesstoken", "apikey", "authorization", "authtoken", "clientsecret", "codeverifier",
    "continuationtoken", "devicecode", "idtoken", "onetimecode", "oobcode", "password", "privatekey", "refreshtoken",
    "securitytoken", "sessiontoken", "setcookie",
  ])
  func `is told by the end of a name without borders, and not by its beginning`(run: String) {
    #expect(Secrets.isName("my\(run)"))
    #expect(!Secrets.isName("\(run)ly"))
  }

  @Test func `is told by whose key or code it is`() {
    for owner in [
      "access", "account", "api", "encryption", "function", "functions", "license", "master", "private", "shared",
      "security", "signing", "subscription",
    ] {
      #expect(Secrets.isName("\(owner)_key"), "\(owner)")
      #expect(!Secrets.isName("\(owner)_of_key") && !Secrets.isName("key_\(owner)"), "\(owner)")
    }
    for owner in ["challenge", "device", "recovery", "time", "user", "verification"] {
      #expect(Secrets.isName("\(owner)_code"), "\(owner)")
      #expect(!Secrets.isName("\(owner)_of_code") && !Secrets.isName("code_\(owner)"), "\(owner)")
    }
  }

  @Test(arguments: [
    ("Basic ab", false), ("Basic abc", true), ("Digest x", false), ("Digest xy", true), ("Bearer ", true),
    ("ghp_aaaaaaaaaaaaaaa", false), ("ghp_aaaaaaaaaaaaaaaa", true), ("glpat-aaaaaaaaa", false),
    ("glpat-aaaaaaaaaa", true), ("eyJaaaaaaaaa.bbbbbbbb.c", false), ("eyJaaaaaaaaaa.bbbbbbbb.c", true),
    ("eyJaaaaaaaaaaa.bbbbbbbbbb", false), ("AKIAIOSFODNN7EXAMPL", false), ("sk_live_aaaaaaaa", true),
    ("sk_live_aaaaaaa", false), ("ghp_aaaaaaaaaaaaaaaa ", false),
    ("-----BEGIN" + String(repeating: "é", count: 43) + "PRIVATE KEY", true),
    ("-----BEGIN" + String(repeating: "é", count: 44) + "PRIVATE KEY", false),
  ])
  func `is known by its form from a length on`(value: String, isCredential: Bool) {
    #expect(Secrets.isCredential(value) == isCredential)
  }

  @Test(arguments: [
    ("Bearer abcdefgh", "Bearer <redacted>"), ("Bearer abcdefg", "Bearer abcdefg"),
    ("basic abcdefgh x", "basic <redacted> x"),
    ("https://a:b@c:d@host/p@q", "https://<redacted>@host/p@q"), ("https://user@host", "https://user@host"),
    ("https://host?m=a:b@c", "https://host?m=a:b@c"), ("https://host/a:b@c", "https://host/a:b@c"),
    ("/x#code=abc", "/x#code=<redacted>"), ("/x;code=abc", "/x;code=<redacted>"), ("x code=abc", "x code=abc"),
    ("/x?sig=a&signature=b&mysignature=c", "/x?sig=<redacted>&signature=<redacted>&mysignature=<redacted>"),
    ("Authorization: a b\r\nX: y", "Authorization: <redacted>\r\nX: y"),
    (#""password": "a b"#, #""password": "<redacted>"#), (#"password = "a b" c"#, #"password = "<redacted>" c"#),
    (#"{"password":"a\"b","x":1}"#, #"{"password":"<redacted>","x":1}"#),
    (#""password":"a\\","x":"y""#, #""password":"<redacted>","x":"y""#),
    ("ä token=ü ö", "ä token=<redacted> ö"),
    ("ghp_aaaaaaaaaaaaaaaa ghp_aaaaaaaaaaaaaaa ghp_bbbbbbbbbbbbbbbb", "<redacted> ghp_aaaaaaaaaaaaaaa <redacted>"),
    (String(repeating: "a", count: 122) + "_token=v", String(repeating: "a", count: 122) + "_token=<redacted>"),
  ])
  func `is taken out of a text at its exact borders`(text: String, redacted: String) {
    #expect(Secrets.redacted(text) == redacted)
  }

  @Test func `in a type of its own is written whole and never shown`() throws {
    let secret = SecretText("s3cret")
    #expect("\(secret)" == "<redacted>" && String(reflecting: secret) == "<redacted>")
    #expect(Mirror(reflecting: secret).children.isEmpty && secret.revealed == "s3cret")
    #expect(try JSONCoding.value(of: secret) == "s3cret")
    #expect(try JSONCoding.decode(SecretText.self, from: "s3cret" as JSONValue) == secret)
  }

  @Test func `in a long text costs one pass`() {
    let text = String(repeating: "a=b&", count: 250_000) + "token=x" + String(repeating: "\"", count: 250_000)
    #expect(Secrets.redacted(text).contains("token=<redacted>"))
    #expect(Secrets.redacted(String(repeating: "://", count: 300_000)).utf8.count == 900_000)
  }
}
