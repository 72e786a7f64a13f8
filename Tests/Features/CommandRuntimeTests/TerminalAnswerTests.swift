import CommandLineTool
import Contracts
import ExtensionProtocol
import Testing

@testable import CommandRuntime
@testable import ExtensionHosting

/// The line on which a question about a permission is answered.
@Suite(.timeLimit(.minutes(1)))
struct `The line of an answer` {
  private static func said(_ text: String, attempts: Int = 3) -> Consent.Answer? {
    var line = AnswerLine(word: "acorn", attempts: attempts)
    return line.take(Array(text.utf8))
  }

  static let answers: [(text: String, answer: Consent.Answer?)] = [
    ("acorn\r", .granted), ("Acorn \r", .granted), (" a c o r n\r", .granted), ("no\r", .denied),
    ("NO\r", .denied),
    ("\r", .dismissed), ("  \r", .dismissed), ("\u{4}", .dismissed), ("a\u{4}", nil),
    ("acorn", nil), ("", nil),
    ("acornx\u{7F}\r", .granted), ("x\u{7F}\u{7F}\u{7F}no\r", .denied),
    ("junk\u{15}acorn\r", .granted),
    ("yes\racorn\r", .granted), ("yes\rno\racorn\r", .denied), ("acorn\u{1B}[C\r", .granted),
    ("n\to\r", .denied),
  ]

  @Test(arguments: answers) func `is read key by key`(text: String, answer: Consent.Answer?) {
    #expect(Self.said(text) == answer)
    // Also when each byte comes alone.
    var line = AnswerLine(word: "acorn", attempts: 3)
    var first: Consent.Answer?
    for byte in text.utf8 where first == nil { first = line.take([byte]) }
    #expect(first == answer)
  }

  @Test func `may be mistyped as often as it says, and then nothing is decided`() {
    #expect(Self.said("x\ry\r", attempts: 3) == nil)
    #expect(Self.said("x\ry\rz\r", attempts: 3) == .dismissed)
    #expect(Self.said("x\r", attempts: 1) == .dismissed)
    var line = AnswerLine(word: "acorn", attempts: 3)
    #expect(line.take(Array("Ye s\r".utf8)) == nil)
    #expect(line.typed == "")
    #expect(line.problem?.description == "“yes” is no answer. Type “acorn”, “no”, or nothing.")
    #expect(line.take(Array("acé\u{7F}".utf8)) == nil && line.typed == "ac")
  }

  @Test func `takes forty characters, of however many bytes`() {
    var line = AnswerLine(word: "acorn", attempts: 3)
    #expect(line.take(Array(String(repeating: "é", count: 41).utf8)) == nil)
    #expect(line.typed == String(repeating: "é", count: 40))
    #expect(line.take([0x7F]) == nil)
    #expect(line.typed.count == 39)
    #expect(line.take(Array("xy".utf8)) == nil)
    #expect(line.typed.hasSuffix("éx") && line.typed.count == 40)
  }
}

/// What a user reads before an extension gets a permission.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a question` {
  private static func question(
    name: String = "Clock", permission: PermissionKind = .data, scope: [String] = [],
    reason: String = "",
    origin: String? = nil
  ) -> PermissionQuestion {
    var caller = Caller.Identity(
      id: "org.a.clock", version: nil, displayName: name, point: .today, containingApp: "org.a",
      groups: [],
      entitlements: [])
    if let origin { caller.origin = origin }
    return PermissionQuestion(caller: caller, permission: permission, scope: scope, reason: reason)
  }

  private static func lines(_ question: PermissionQuestion, columns: Int = 200, lines: Int = 24)
    -> [String]
  {
    QuestionText(question).lines(in: TerminalSize(columns: columns, lines: lines)).map(
      \.description)
  }

  @Test func `says who asks for what, who signed it, and which word allows it`() {
    let question = Self.question()
    let text = QuestionText(question)
    #expect(
      text.lines(in: TerminalSize(columns: 200, lines: 24)).map(\.description) == [
        "Clock (org.a.clock) asks for “data”.", "  \(PermissionKind.data.allows)",
        "  Signed by: unsigned, local",
        "Type “\(text.word)” to allow, “no” to refuse, or press Enter to decide later:",
      ])
    #expect(QuestionText.words.contains(text.word))
    let auth = Self.lines(Self.question(permission: .auth))
    #expect(auth[1] == "  \(PermissionKind.auth.allows) App: org.a.")
    let full = Self.lines(Self.question(scope: ["a", "b"], reason: "Please.", origin: "Team"))
    #expect(
      full[2...4] == ["  Signed by: Team", "  Its manifest names: a, b", "  It says: Please."])
    #expect(full.count == 6)
  }

  @Test func `cuts a long name and a long team`() {
    let lines = Self.lines(
      Self.question(
        name: String(repeating: "n", count: 61), origin: String(repeating: "o", count: 101)))
    #expect(lines[0] == String(repeating: "n", count: 59) + "… (org.a.clock) asks for “data”.")
    #expect(lines[2] == "  Signed by: " + String(repeating: "o", count: 99) + "…")
    let exact = Self.lines(
      Self.question(
        name: String(repeating: "n", count: 60), origin: String(repeating: "o", count: 100)))
    #expect(exact[0].hasPrefix(String(repeating: "n", count: 60) + " ("))
    #expect(exact[2].hasSuffix(String(repeating: "o", count: 100)))
  }

  @Test func `names as much of the manifest as fits, and says how much is left`() {
    let scope = (100..<200).map { "host-\($0).example" }
    let whole = Self.lines(Self.question(scope: ["a"]), columns: 80, lines: 1)
    #expect(whole[3] == "  Its manifest names: a")
    let some = Self.lines(Self.question(scope: scope), columns: 80, lines: 16)
    #expect(
      some[3].hasPrefix("  Its manifest names: host-100.example, ")
        && some[3].contains(" more: “host permissions"))
    let rest = some[3].split(separator: " ").reversed().drop { $0 != "more:" }.dropFirst().first
      .flatMap { Int($0) }
    #expect(rest.map { some[3].components(of: "host-") + $0 } == 100, "\(some[3])")
    let none = Self.lines(
      Self.question(scope: [String(repeating: "x", count: 400), "y"]), columns: 40, lines: 5)
    #expect(none[3] == "  Its manifest names 2 parts: “host permissions org.a.clock” shows them.")
  }

  @Test func `has a word that the extension does not say`() {
    let all = QuestionText.words.joined(separator: " ").uppercased()
    for question in [
      Self.question(reason: all), Self.question(name: all), Self.question(scope: ["x", all]),
    ] {
      let word = QuestionText(question).word
      #expect(word.last?.isNumber == true && !all.lowercased().contains(word), "\(word)")
      #expect(QuestionText.words.contains { word.hasPrefix($0) })
    }
    // It is another one each time.
    #expect(Set((0..<200).map { _ in QuestionText(Self.question()).word }).count > 1)
  }

  static let outcomes: [(answer: Consent.Answer, end: String)] = [
    (.granted, "allowed."), (.grantedOnce, "allowed once."),
    (.grantedForSession, "allowed for this session."),
    (.denied, "refused."), (.dismissed, "not decided."),
  ]

  @Test(arguments: outcomes) func `is followed by what was decided`(
    answer: Consent.Answer, end: String
  ) {
    let text = QuestionText(Self.question()).outcome(answer).description
    #expect(text == "Clock (org.a.clock) asks for “data”: \(end)")
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
