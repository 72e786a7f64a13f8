import Activation
import PropertyList
import Testing

/// A predicate at the bounds of its text and its words, and what it says of what it refuses.
@Suite(.timeLimit(.minutes(1))) struct `A predicate at its bounds` {
  private static let items = [
    ActivationItem(
      title: "Trip",
      userInfo: [
        "real": 1.5, "bytes": .data([1]), "deep": ["er": ["x", 2]], "pair": ["a", "c"], "three": ["a", "b", "c"],
      ])
  ]

  private func match(_ text: String) throws -> ActivationMatch { try Predicate(text).match(Self.items, in: .standard) }

  @Test(
    arguments: [
      // Patterns and parts, from nothing to all of a text.
      ("'é' LIKE '?'", true), ("'ab' LIKE '?'", false), ("'' LIKE '?'", false), ("'' LIKE ''", true),
      ("'a' LIKE 'a*?'", false), ("'ab' LIKE 'a*?'", true), ("'abab' LIKE '*ab'", true), ("'aba' LIKE '*ab'", false),
      ("'xaybz' LIKE '*a*b*'", true), ("'*ab' LIKE '\\\\**'", true), ("'*ab' LIKE '\\\\*'", false),
      ("'a' LIKE 'a\\\\'", true), ("'a' LIKE 'a**'", true), ("'*' LIKE '\\\\*'", true), ("'a' LIKE 1", false),
      ("'a' CONTAINS ''", true), ("'' CONTAINS 'a'", false), ("'' CONTAINS ''", true), ("'ab' CONTAINS 'b'", true),
      ("'ab' CONTAINS 'ab'", true), ("'ab' CONTAINS 'abc'", false), ("'ab' CONTAINS 'ba'", false),
      ("nil CONTAINS 'a'", false), ("'a' MATCHES 1", false), ("'ab' MATCHES extensionItems[0].attributedTitle", false),
      ("'Trip' MATCHES extensionItems[0].attributedTitle", true),
      // Kinds that do not compare.
      ("YES == 'true'", false), ("{1} == 1", false), ("{1} != 1", true), ("{} == nil", false), ("YES > NO", true),
      // Words and numbers as they may be written.
      ("'\\u0041\\t' == 'A\\u0009'", true), ("'a\\'b' == \"a'b\"", true), ("'\\n' == '\\r'", false),
      ("'\\q' == 'q'", true), ("1.5e1 == 15", true), ("15e-1 == 1.5", true), ("1E+1 == 10", true), ("007 == 7", true),
      ("1\u{0B}==\u{0C}1\r\n", true), ("#ANY == nil", true), ("À == nil", true), ("#TRUE == 1", false),
      ("{ } == {}", true),
      // What an item's owner put in.
      ("extensionItems[0].userInfo.real == 1.5", true), ("extensionItems[0].userInfo.bytes == nil", true),
      ("extensionItems[0].userInfo.deep.er[FIRST] == 'x'", true),
      ("extensionItems[0].userInfo.deep.er[LAST] == 2", true), ("extensionItems[0].userInfo.deep.er[2] == nil", true),
      ("'b' BETWEEN extensionItems[0].userInfo.pair", true), ("'d' BETWEEN extensionItems[0].userInfo.pair", false),
      ("'b' BETWEEN extensionItems[0].userInfo.three", false), ("'b' BETWEEN extensionItems[0].userInfo.no", false),
    ])
  func `means what the grammar says`(text: String, isTrue: Bool) throws {
    #expect(try match(text).isOffered == isTrue)
  }

  @Test(
    arguments: [
      ("a[1.5] == 1", 1, 3), ("1e400 == 1", 1, 1), ("1e == 1", 1, 1), ("a == '\\ud800'", 1, 7), ("a == '\\u00'", 1, 7),
      ("a == 'x\\", 1, 6), ("$ == 1", 1, 1), ("@ == 1", 1, 1), ("é == 'ß' AND\r\né == $é", 2, 6), ("{1 2} == 1", 1, 4),
      ("{1, } == 1", 1, 5), ("a BETWEEN {1, 2, 3}", 1, 11), ("a BETWEEN[c] {1, 2}", 1, 10), ("-a == 1", 1, 2),
      ("1.", 1, 3), ("1 OR TRUEPREDICATE", 1, 1), ("1 AND TRUEPREDICATE", 1, 1), ("TRUEPREDICATE OR 1", 1, 18),
      ("TRUEPREDICATE AND 1", 1, 19), ("NOT 1", 1, 5), ("(1 == 1) == 1", 1, 1), ("(1 == 1).@count == 1", 1, 9),
    ])
  func `that cannot be understood is refused at its place`(text: String, line: Int, column: Int) throws {
    let error = try #require(throws: PredicateError.self) { try Predicate(text) }
    #expect(error.line == line && error.column == column, "\(error.line):\(error.column) \(error.message)")
  }

  @Test(arguments: [("a", 16_376), ("é", 8_188)]) func `has 16 KiB`(letter: String, count: Int) throws {
    let text = { "'" + String(repeating: letter, count: count) + $0 + "' == ''" }
    #expect(text("").utf8.count == 16_384)
    #expect(try !match(text("")).isOffered)
    let error = try #require(throws: PredicateError.self) { try Predicate(text("a")) }
    #expect(error.message == "The predicate has 16385 bytes; at most 16384 are read.")
  }

  @Test func `is nested 64 deep, and as often as it likes side by side`() throws {
    let not = { String(repeating: "NOT ", count: $0) + "TRUEPREDICATE" }
    #expect(try match(not(64)).isOffered && !match(not(63)).isOffered)
    let error = try #require(throws: PredicateError.self) { try Predicate(not(65)) }
    #expect(error.message == "The predicate is nested more than 64 deep.")
    for part in [
      "(1 == 1)", "NOT NOT 1 == 1", "{1, {2}} != nil", "SUBQUERY({1}, $x, $x == 1).@count == 1",
    ] {
      #expect(try match(Array(repeating: part, count: 70).joined(separator: " AND ")).isOffered, "\(part)")
    }
    #expect(try match(not(64) + " AND " + not(64)).isOffered)
  }

  @Test(
    arguments: [
      ("a.b == a.c AND a == 1", ["a", "b", "c"]), ("extensionItems.userInfo.a.b == extensionItems.userInfo.c", []),
      ("SUBQUERY(extensionItems, $x, $x.foo == 1 AND $x.userInfo.bar == 2).@count == 1", ["foo"]),
      ("SELF.extensionItems.attachments.registeredTypeIdentifiers == {}", []),
      ("a.userInfo == b.userInfo.c", ["a", "b"]),
      ("attributedTitle == attributedContentText", []), ("userInfo.a == userInfo.b.c", []),
      ("#extensionItems == #Extensionitems", ["Extensionitems"]),
    ])
  func `knows the keys that no item has, each once`(text: String, keys: [String]) throws {
    #expect(try Predicate(text).unknownKeys == keys)
  }

  @Test func `warns of twenty such keys at most`() {
    for count in [20, 21] {
      let text = (0..<count).map { "k\($0) == 1" }.joined(separator: " OR ")
      let problems = ActivationRule.compile(.string(text)).problems
      #expect(
        problems.count == 20 && problems.last?.message == "The predicate looks at the key “k19”, which no item has.")
    }
  }

  @Test func `quotes 120 characters of itself, and 80 of a text`() throws {
    for (count, ending) in [(112, nil), (113, "…")] as [(Int, String?)] {
      let text = "'" + String(repeating: "é", count: count) + "' == ''"
      let quoted = ending.map { text.prefix(119) + $0 } ?? text
      let shown = String(repeating: "é", count: 80)
      #expect(
        try match(text).reasons == [
          "“\(quoted)” is false: the left side is \"\(shown)\", the right side \"\" (line 1, column 1)."
        ])
    }
    #expect(
      try match("{1, 2, 3, 4, 5, 6, 7, 8, 9}\n  == {}").reasons == [
        "“{1, 2, 3, 4, 5, 6, 7, 8, 9} == {}” is false: the left side is 1, 2, 3, 4, 5, 6, 7, 8, the right side nothing "
          + "(line 1, column 1)."
      ])
  }

  @Test func `gives 64 reasons`() throws {
    for (count, reasons) in [(64, 64), (65, 64)] {
      let text = (0..<count).map { "1 == \($0 + 2)" }.joined(separator: " AND ")
      let match = try match(text)
      #expect(match.reasons.count == reasons && match.reasons.last?.hasPrefix("“1 == 65” is false") == true)
    }
  }
}

/// A rule in its dictionary form, at the bounds of its keys and of the kinds of attachment.
@Suite(.timeLimit(.minutes(1))) struct `An activation rule at its bounds` {
  private func compile(
    _ keys: [String: PropertyListValue]
  ) -> (rule: ActivationRule?, problems: [ActivationRule.Problem]) {
    ActivationRule.compile(
      .dictionary(Dictionary(uniqueKeysWithValues: keys.map { ("NSExtensionActivation\($0.key)", $0.value) })))
  }

  @Test(
    arguments: [
      "SupportsFileWithMaxCount", "SupportsImageWithMaxCount", "SupportsMovieWithMaxCount",
      "SupportsWebURLWithMaxCount", "SupportsWebPageWithMaxCount", "SupportsText",
    ])
  func `supports something by one key alone`(key: String) {
    let isText = key == "SupportsText"
    #expect(compile([key: isText ? true : 1]).problems.isEmpty)
    let problems = compile([key: isText ? false : 0]).problems
    #expect(problems.map(\.isWarning) == [true] && problems.map(\.key) == [nil])
    #expect(problems.first?.message == "The rule supports nothing, so the extension is never offered.")
    #expect(compile([key: "x"]).problems.map(\.key) == ["NSExtensionActivation\(key)"])
  }

  @Test func `is warned about when the least is above the most, and not when both are the same`() {
    func problems(_ least: PropertyListValue, _ most: PropertyListValue) -> [String] {
      compile([
        "SupportsText": true, "SupportsAttachmentsWithMinCount": least, "SupportsAttachmentsWithMaxCount": most,
      ]).problems.map(\.message)
    }
    #expect(problems(2, 2) == [])
    #expect(problems(3, 2) == ["The least number of attachments, 3, is above the most, 2."])
  }

  @Test func `is warned about for twenty unknown keys at most`() {
    for count in [20, 21] {
      var keys: [String: PropertyListValue] = ["SupportsText": true]
      for number in 0..<count { keys["Unknown\(number + 10)"] = 1 }
      let problems = compile(keys).problems
      #expect(problems.map(\.key) == (10..<30).map { "NSExtensionActivationUnknown\($0)" })
    }
  }

  @Test func `has a count of 0 or more, also as a string, and a version of 1 or 2`() {
    for (value, warnings) in [(0, 1), ("0", 2)] as [(PropertyListValue, Int)] {
      let (rule, problems) = compile(["SupportsImageWithMaxCount": value])
      #expect(rule != nil && problems.count == warnings && problems.allSatisfy(\.isWarning))
    }
    for (version, isKnown) in [(0, false), (1, true), (2, true), (3, false)] as [(Int64, Bool)] {
      #expect((compile(["SupportsText": true, "DictionaryVersion": .integer(version)]).rule != nil) == isKnown)
    }
  }

  private static let kinds: [(ActivationAttachment, AttachmentClass, strict: AttachmentClass)] = [
    (ActivationAttachment(["public.text", "public.movie", "public.png"]), .image, .text),
    (ActivationAttachment(["public.text", "public.movie"]), .movie, .text),
    (ActivationAttachment(["public.text", "com.apple.property-list"], isPageResult: true), .webPage, .text),
    (ActivationAttachment(["com.apple.property-list", "public.url"], isPageResult: true), .webPage, .webPage),
    (ActivationAttachment(["com.apple.property-list"]), .other, .other),
    (ActivationAttachment(["public.data"], isPageResult: true), .other, .other),
    (ActivationAttachment(["public.text", "public.url"]), .webURL, .text),
    (ActivationAttachment(["public.url"], urlScheme: "HTTP"), .webURL, .webURL),
    (ActivationAttachment(["public.url"], urlScheme: "HttpS"), .webURL, .webURL),
    (ActivationAttachment(["public.url"], urlScheme: "httpx"), .other, .other),
    (ActivationAttachment(["public.url"], urlScheme: ""), .other, .other),
    (ActivationAttachment(["public.file-url", "public.text"]), .text, .file),
    (ActivationAttachment(["public.file-url"]), .file, .file),
    (ActivationAttachment(["public.data"]), .other, .other),
    (ActivationAttachment(["public.data"], isFile: true), .file, .file),
    (ActivationAttachment(["public.folder"], isFile: true), .other, .other),
    (ActivationAttachment([], isFile: true), .other, .other),
  ]

  @Test(arguments: kinds.indices) func `takes an attachment for the first kind that holds`(index: Int) throws {
    let (attachment, fuzzy, strict) = Self.kinds[index]
    for (version, kind) in [(1, strict), (2, fuzzy)] as [(PropertyListValue, AttachmentClass)] {
      let rule = try #require(compile(["SupportsText": true, "DictionaryVersion": version]).rule)
      #expect(rule.match([ActivationItem(attachments: [attachment])]).attachments.map(\.attachmentClass) == [kind])
    }
  }

  @Test func `takes the file of a web address for no file`() throws {
    let rule = try #require(compile(["SupportsFileWithMaxCount": 9]).rule)
    let address = ActivationAttachment(["public.url"], isFile: true)
    #expect(!rule.match([ActivationItem(attachments: [address])]).isOffered)
  }

  @Test func `takes text alone, with as few attachments as it wants`() throws {
    for (least, isOffered) in [(0, true), (1, false)] as [(PropertyListValue, Bool)] {
      let rule = try #require(
        compile([
          "SupportsText": true, "SupportsAttachmentsWithMinCount": least, "SupportsAttachmentsWithMaxCount": 0,
        ]).rule)
      #expect(rule.match([ActivationItem(), ActivationItem(contentText: "a")]).isOffered == isOffered)
      #expect(!rule.match([ActivationItem(title: "a")]).isOffered)
    }
  }
}
