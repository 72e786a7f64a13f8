import ExtensionProtocol
import HTML
import TestSupport
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The panel of a question` {
  private func html(
    _ permission: PermissionKind = .network, scope: [String] = [], reason: String = "", app: String = "",
    others: Int = 0
  ) -> String {
    var caller = Caller.Identity(
      id: "com.example.a", version: nil, displayName: "Tides",
      point: ExtensionPoint(rawValue: "com.apple.widget-extension"), containingApp: app, groups: [], entitlements: [])
    caller.origin = "Example, ab12"
    let question = PermissionQuestion(caller: caller, permission: permission, scope: scope, reason: reason)
    return QuestionPanel(.init(id: "7", question: question, others: others), page: "groups", formKey: "key").html.text
  }

  private static let examples: [(permission: PermissionKind, scope: [String], words: String)] = [
    (.network, [], "it could send what it was given to <bdi>a server</bdi>"),
    (.network, ["a.example", "b.example"], "it could send what it was given to <bdi>a.example</bdi>"),
    (.auth, [], "it could read your account’s data at <bdi>a web API</bdi>"),
    (.auth, ["api.example", "b"], "it could read your account’s data at <bdi>api.example</bdi>"),
    (.data, [], "it could change the rows behind <bdi>a connector</bdi>"),
    (.data, ["notes", "films:read"], "it could change the rows behind <bdi>notes</bdi>"),
    (.data, ["films:read", "notes"], "it could read the rows behind <bdi>films:read</bdi>"),
    (.openAccess, [], "the words that you type could leave this machine"),
    (.generatedCode, [], "an interpreter inside of it could compile scripts, which nobody has checked"),
    (.groups, [], "it could read the settings in <bdi>a group</bdi>"),
    (.groups, ["group.a", "group.b"], "it could read the settings in <bdi>group.a</bdi>"),
  ]

  @Test(arguments: examples)
  func `gives an example of what is asked for, of its first part`(
    permission: PermissionKind, scope: [String], words: String
  ) {
    let html = html(permission, scope: scope)
    #expect(html.contains("<p class=\"faint\">For example, \(words).</p>"))
    #expect(html.contains("asks for “\(permission.name)”</h2>"))
  }

  @Test(arguments: [0, 1, 12, 13, 40]) func `names twelve parts, and how many more there are`(count: Int) {
    let html = html(scope: (0..<count).map { "p\($0)" })
    #expect(html.ranges(of: "<li><code>").count == min(count, 12))
    #expect(html.contains("<ul class=\"scope\">") == (count > 0))
    #expect(html.contains("<code><bdi>p11</bdi></code>") == (count >= 12))
    #expect(html.contains("p12") == false)
    #expect(html.contains("which the page Decisions lists") == (count > 12))
    if count > 12 { #expect(html.contains("<li>and \(count - 12) more, which the page Decisions lists</li>")) }
  }

  @Test func `says nothing of what there is not`() {
    let html = html()
    for words in ["It says:", "<dt>App</dt>", "more after this one", "class=\"scope\""] {
      #expect(!html.contains(words), "\(words)")
    }
    #expect(html.contains("<dt>Extension</dt><dd><code><bdi>com.example.a</bdi></code></dd>"))
    #expect(html.contains("<dt>Signed by</dt><dd><bdi>Example, ab12</bdi></dd>"))
    #expect(html.contains("<bdi>Tides</bdi> asks for “network”"))
    #expect(html.contains("<p>\(PermissionKind.network.allows)</p>"))
  }

  @Test func `says whose it is, what it says, and how many wait`() {
    let html = html(reason: "to look", app: "com.example", others: 1)
    #expect(html.contains("<p>It says: <q><bdi>to look</bdi></q></p>"))
    #expect(html.contains("<dt>App</dt><dd><code><bdi>com.example</bdi></code></dd>"))
    #expect(html.contains("<p class=\"faint\">1 more after this one.</p>"))
  }

  @Test func `cuts long words at their scalars`() {
    // One letter with many accents is one character.
    let long = "e" + String(repeating: "\u{301}", count: 300)
    let html = html(scope: [long], reason: long)
    #expect(html.contains("<q><bdi>e\(String(repeating: "\u{301}", count: 199))…</bdi></q>"))
    #expect(html.contains("<li><code><bdi>e\(String(repeating: "\u{301}", count: 119))…</bdi></code></li>"))
  }

  @Test func `sends along what tells its form from others`() {
    let html = html()
    for (name, value) in [("form", "key"), ("page", "groups"), ("id", "7")] {
      #expect(html.contains("<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"), "\(name)")
    }
    #expect(html.contains("data-question=\"7\"") && html.contains("<form method=\"post\" action=\"question\">"))
  }

  private static let words = [
    "once: Allow once", "session: Allow for this session", "always: Always allow", "never: Never allow",
    "later: Decide later",
  ]

  @Test(arguments: try Cases.present(PermissionKind.all))
  func `has a button for each answer that can be given`(permission: PermissionKind) {
    let found = html(permission).matches(of: /name="answer" value="(\w+)" id="answer-(\w+)" data-waits>([^<]+)</)
    #expect(found.allSatisfy { $0.output.1 == $0.output.2 })
    let isEnforced = [PermissionKind.openAccess, .generatedCode, .groups].contains(permission)
    #expect(found.map { "\($0.output.1): \($0.output.3)" } == Array(isEnforced ? Self.words[1...] : Self.words[...]))
  }

  @Test func `says afterwards how long an answer holds`() {
    let notes: [PageAnswerWord: String] = [
      .once: "Allowed until this run of the extension ends.", .session: "Allowed until this host ends.",
      .always: "Allowed. The page Decisions takes it back.", .never: "Refused. The page Decisions takes it back.",
      .later: "Not decided. The extension may ask again when it runs again.",
    ]
    for word in PageAnswerWord.allCases { #expect(word.note == notes[word]) }
  }
}
