import ExtensionProtocol
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

  @Test func `in a long text costs one pass`() {
    let text = String(repeating: "a=b&", count: 250_000) + "token=x" + String(repeating: "\"", count: 250_000)
    #expect(Secrets.redacted(text).contains("token=<redacted>"))
    #expect(Secrets.redacted(String(repeating: "://", count: 300_000)).utf8.count == 900_000)
  }
}
