import Activation
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A predicate` {
  static let items = [
    ActivationItem(
      title: "Trip", contentText: "Café in Łódź",
      attachments: [
        ActivationAttachment(["public.jpeg", "public.url"]), ActivationAttachment(["public.plain-text"]),
      ], userInfo: ["count": 3, "flag": true, "list": ["a", "b"], "name": "Ada"])
  ]

  /// A predicate about the first item.
  private static func holds(_ text: String, _ items: [ActivationItem] = items) throws -> Bool {
    try Predicate(text).match(items, in: .standard).isOffered
  }

  /// The shape of the guide: every attachment, or some, of one item conforms to a type.
  static func canonical(_ type: String, _ count: String = "== $extensionItem.attachments.@count") -> String {
    """
    SUBQUERY (
      extensionItems,
      $extensionItem,
      SUBQUERY (
        $extensionItem.attachments,
        $attachment,
        ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "\(type)"
      ).@count \(count)
    ).@count == 1
    """
  }

  @Test(
    arguments: [
      ("public.data", true), ("public.image", false), ("public.text", false), ("PUBLIC.DATA", true), ("no.type", false),
    ])
  func `in the shape of the guide wants every attachment`(type: String, isOffered: Bool) throws {
    #expect(try Self.holds(Self.canonical(type)) == isOffered)
  }

  @Test(arguments: [("public.image", true), ("public.text", true), ("public.movie", false)])
  func `in the shape of the guide wants some attachment`(type: String, isOffered: Bool) throws {
    #expect(try Self.holds(Self.canonical(type, ">= 1")) == isOffered)
  }

  @Test(
    arguments: [
      // Constants and their joins: NOT before AND before OR.
      ("TRUEPREDICATE", true), ("falsePredicate", false), ("NOT FALSEPREDICATE", true), ("!TRUEPREDICATE", false),
      ("TRUEPREDICATE OR TRUEPREDICATE AND FALSEPREDICATE", true),
      ("(TRUEPREDICATE OR TRUEPREDICATE) AND FALSEPREDICATE", false),
      ("NOT TRUEPREDICATE OR TRUEPREDICATE", true), ("NOT (TRUEPREDICATE || TRUEPREDICATE)", false),
      ("TRUEPREDICATE && TRUEPREDICATE", true), ("((((TRUEPREDICATE))))", true),
      // Operators
      ("1 == 1", true), ("1 = 1", true), ("1 != 1", false), ("1 <> 2", true), ("1 < 2", true), ("2 <= 2", true),
      ("2 =< 1", false), ("3 > 2", true), ("2 >= 3", false), ("3 => 3", true), ("-1 < 0.5", true), ("1e2 == 100", true),
      ("'b' > 'a'", true), ("'a' < 1", false), ("TRUE == 1", true), ("yes == TRUE", true), ("NO == FALSE", true),
      ("NIL == NULL", true), ("nil == 0", false), ("nil < 1", false), ("'a' == 1", false),
      ("2 BETWEEN {1, 3}", true), ("4 BETWEEN {1, 3}", false), ("1 BETWEEN {1, 3}", true),
      ("3 BETWEEN {1, 3}", true), ("0 BETWEEN {1, 3}", false), ("2 BETWEEN {3, 1}", false), ("a BETWEEN {1, 3}", false),
      ("2 BETWEEN {'a', 3}", false),
      ("1 < 1", false), ("2 < 1", false), ("1 <= 1", true), ("2 <= 1", false), ("1 > 1", false), ("1 > 2", false),
      ("1 >= 1", true), ("2 >= 1", true), ("1 >= 2", false), ("'a' < 'a'", false), ("'a' <= 'a'", true),
      ("'b' <= 'a'", false), ("'a' > 'a'", false), ("'a' > 'b'", false), ("'a' >= 'a'", true), ("'a' >= 'b'", false),
      ("'é' > 'z'", true), ("'É' <[c] 'é'", false), ("'É' <=[c] 'é'", true), ("2 BETWEEN {2, 2}", true),
      ("'' BEGINSWITH 'a'", false), ("'a' BEGINSWITH 'a'", true), ("'ba' BEGINSWITH 'a'", false),
      ("'ab' ENDSWITH 'a'", false), ("'ba' ENDSWITH 'a'", true), ("'a' ENDSWITH 1", false), ("{1} == {1, 2}", false),
      ("{1, 2} == {1}", false), ("{} == {}", true), ("{1, {2, 3}} == {1, {2, 4}}", false), ("{{2}} CONTAINS {2}", true),
      ("'a' IN {'A'}", false), ("'a' IN[c] {'A'}", true), ("1 CONTAINS 1", false), ("'a1' CONTAINS 1", false),
      ("'a' < 1", false), ("'a' <= 1", false), ("'a' > 1", false), ("'a' >= 1", false), ("1 < 'a'", false),
      ("1 <= 'a'", false), ("'b' between {'a', 'c'}", true),
      ("2 IN {1, 2}", true), ("3 IN {}", false), ("'fé' IN 'Café'", true), ("{1, 2} == {1, 2}", true),
      ("{1, 2} == {2, 1}", false), ("{1, 2} CONTAINS 2", true), ("'Café' CONTAINS 'af'", true),
      ("'Café' BEGINSWITH 'Ca'", true), ("'Café' BEGINSWITH 'ca'", false), ("'Café' BEGINSWITH[c] 'ca'", true),
      ("'Café' ENDSWITH 'é'", true), ("'Café' ENDSWITH[d] 'fe'", true), ("'CAFÉ' ==[cd] 'cafe'", true),
      ("'Café' ==[n] 'Cafe\\u0301'", false), ("'Café' == 'Cafe\\u0301'", true), ("'A' ==[nc] 'a'", false),
      // LIKE and MATCHES
      ("'photo.jpg' LIKE '*.jpg'", true), ("'photo.jpg' LIKE 'ph?to.*'", true), ("'a' LIKE ''", false),
      ("'' LIKE '*'", true), ("'a*' LIKE 'a\\\\*'", true), ("'ab' LIKE 'a\\\\*'", false), ("'ABC' LIKE[c] 'a?c'", true),
      ("'aaab' LIKE '*a*b'", true), ("'photo12' MATCHES 'photo\\\\d+'", true), ("'photo' MATCHES 'hot'", false),
      ("'Photo' MATCHES[c] 'p(h|x)oto'", true), ("'x' MATCHES '[^a-c]'", true), ("'ab' MATCHES '^a.$'", true),
      ("'aaaa' MATCHES 'a{2,3}'", false), ("'aaa' MATCHES 'a{2,}'", true), ("'' MATCHES '(a|b)*'", true),
      ("'é' MATCHES[d] 'e'", true), ("'a-b' MATCHES '[a\\\\-]+b'", true), ("'\\n' MATCHES '.'", false),
      // Types
      ("'public.jpeg' UTI-CONFORMS-TO 'public.image'", true), ("'public.jpeg' uti-equals 'PUBLIC.JPEG'", true),
      ("'public.jpeg' UTI-EQUALS 'public.image'", false), ("nil UTI-CONFORMS-TO 'public.item'", false),
      // Paths
      ("extensionItems.@count == 1", true), ("SELF.extensionItems[SIZE] == 1", true),
      ("extensionItems[0].attributedTitle == 'Trip'", true), ("extensionItems[FIRST].attachments.@count == 2", true),
      ("extensionItems[LAST].attachments[1].registeredTypeIdentifiers[0] == \"public.plain-text\"", true),
      ("extensionItems[7].attributedTitle == nil", true), ("extensionItems[1].attributedTitle == nil", true),
      ("extensionItems[0].attachments[FIRST].registeredTypeIdentifiers[LAST] == 'public.url'", true),
      ("extensionItems[0].attachments[LAST].registeredTypeIdentifiers[FIRST] == 'public.plain-text'", true),
      ("extensionItems[0].attachments[2] == nil", true), ("extensionItems[0].userInfo.missing[FIRST] == nil", true),
      ("extensionItems[0].userInfo.count == 3", true),
      ("extensionItems[0].userInfo.flag == YES", true), ("extensionItems[0].userInfo.list CONTAINS 'b'", true),
      ("extensionItems[0].userInfo.missing.@count == 0", true), ("extensionItems[0].userInfo.#any == NIL", true),
      ("extensionItems.attributedTitle CONTAINS 'Trip'", true), ("(extensionItems).@count == 1", true),
      // Aggregates
      ("ANY {1, 2} == 2", true), ("SOME {1, 2} == 3", false), ("ALL {1, 2} > 0", true), ("ALL {1, 2} > 1", false),
      ("NONE {1, 2} == 3", true), ("NONE {1, 2} == 2", false), ("ANY {} == 1", false), ("ALL {} == 1", true),
      ("NONE {} == 1", true), ("ANY {1, 2} == 1", true), ("ALL {2, 1} > 1", false), ("NONE {1, 2} == 1", false),
      ("ALL {1, 1} == 1", true), ("NONE nil == 1", true), ("ALL 1 == 2", false), ("ANY {'a', 1} > 0", true),
      ("ANY nil == 1", false), ("ALL nil == 1", true), ("ANY 1 == 1", true),
      // SUBQUERY: inner names hide outer ones, and the count of nothing is 0
      ("SUBQUERY({1, 2, 3}, $x, $x > 1).@count == 2", true), ("SUBQUERY(nil, $x, $x > 1).@count == 0", true),
      ("SUBQUERY({1, 2}, $x, SUBQUERY({5}, $x, $x == 5).@count == 1).@count == 2", true),
      ("SUBQUERY({1, 2}, $x, SUBQUERY({2, 3}, $y, $x == $y).@count == 1).@count == 1", true),
      ("SUBQUERY(extensionItems, $e, extensionItems.@count == 1).@count == 1", true),
    ] as [(String, Bool)])
  func `means what the grammar says`(text: String, isTrue: Bool) throws {
    #expect(try Self.holds(text) == isTrue)
  }

  @Test(
    arguments: [
      ("", 1, 1), ("1 ==", 1, 5), ("1", 1, 1), ("TRUEPREDICATE AND", 1, 18), ("(1 == 1", 1, 8), ("1 == 1)", 1, 7),
      ("TRUEPREDICATE == 1", 1, 15), ("FUNCTION(a, 'b') == 1", 1, 1), ("CAST(a, 'b') == 1", 1, 1),
      ("sum(a) == 1", 1, 1), ("a == %@", 1, 6), ("a\n  == $missing", 2, 6), ("$x == 1", 1, 1),
      ("SUBQUERY(a, $x, $x == 1).@count == $x", 1, 36), ("a.@sum.b == 1", 1, 3), ("a == 'open", 1, 6),
      ("a ==[x] 'b'", 1, 6), ("a UTI-EQUALS[c] 'b'", 1, 13), ("a BETWEEN {1}", 1, 11), ("a + 1 == 2", 1, 3),
      ("ANY a", 1, 6), ("a == (1 == 1)", 1, 6), ("a[-1] == 1", 1, 3), ("a MATCHES '('", 1, 11),
      ("a MATCHES '(a)\\\\1'", 1, 11), ("a MATCHES '(?=a)'", 1, 11), ("a == 1x", 1, 6), ("a == \"\\uZZ\"", 1, 7),
      ("a.b. == 1", 1, 6), ("SUBQUERY(a, x, 1 == 1).@count == 1", 1, 13), ("# == 1", 1, 1), ("BLOCK(1) == 1", 1, 1),
      ("AND == 1", 1, 1), ("a == 1 b == 2", 1, 8), ("é == 'ß' AND ?", 1, 14), ("a MATCHES 'a{1,2000}'", 1, 11),
      ("a == '\\u+041'", 1, 7), ("a == '\\u-000'", 1, 7), ("a == '\\ud800'", 1, 7), ("a == '\\u041'", 1, 7),
    ] as [(String, Int, Int)])
  func `that cannot be understood is refused at its place`(text: String, line: Int, column: Int) throws {
    let error = try #require(throws: PredicateError.self) { try Predicate(text) }
    #expect(error.line == line && error.column == column, "\(error.line):\(error.column) \(error.message)")
    #expect(error.message.hasSuffix(".") && error.recovery.hasSuffix("."))
  }

  @Test func `has bounds for its length, its depth and its work`() throws {
    let deep = { String(repeating: "(", count: $0) + "1 == 1" + String(repeating: ")", count: $0) }
    #expect(try Self.holds(deep(64)))
    #expect(throws: PredicateError.self) { try Predicate(deep(65)) }
    #expect(throws: PredicateError.self) { try Predicate(String(repeating: "NOT ", count: 65) + "TRUEPREDICATE") }
    #expect(throws: PredicateError.self) { try Predicate("'" + String(repeating: "a", count: 16 << 10) + "' == ''") }
    let long = "1 == 1" + String(repeating: " AND 1 == 1", count: 1000)
    #expect(try Self.holds(long))
    // Each SUBQUERY multiplies the work of the one inside.
    let list = "{" + Array(repeating: "1", count: 50).joined(separator: ",") + "}"
    let nested = ["a", "b", "c", "d"].reduce("1 == 2") { "SUBQUERY(\(list), $\($1), \($0)).@count == 1" }
    let match = try Predicate(nested).match([], in: .standard)
    #expect(!match.isOffered && match.reasons[0].contains("100000 steps"))
  }

  @Test func `may do so much, and no step more`() throws {
    // For each element of the list one step for the conjunction and one for each of its parts.
    func steps(_ elements: Int, parts: Int) throws -> ActivationMatch {
      let list = "{" + Array(repeating: "1", count: elements).joined(separator: ",") + "}"
      let parts = Array(repeating: "TRUEPREDICATE", count: parts).joined(separator: " AND ")
      return try Predicate("SUBQUERY(\(list), $x, \(parts)).@count == \(elements)").match([], in: .standard)
    }
    #expect(try steps(99, parts: 700).isOffered)
    #expect(try steps(140, parts: 700).isOffered)
    let match = try steps(143, parts: 700)
    #expect(!match.isOffered && match.reasons[0].contains("100000 steps"))
  }

  @Test func `cannot be made to search for ever`() throws {
    let item = [ActivationItem(contentText: String(repeating: "a", count: 100_000) + "b")]
    for text in [
      "MATCHES '(a*)*c'", "MATCHES '(a|a)*(a|a)*(a|a)*c'", "LIKE '*a*a*a*a*a*a*c'", "CONTAINS 'aaaaaaaaaac'",
    ] {
      let match = try Predicate("extensionItems[0].attributedContentText \(text)").match(item, in: .standard)
      #expect(!match.isOffered)
    }
  }

  @Test func `says which part failed for which attachment`() throws {
    let match = try Predicate(Self.canonical("public.image")).match(Self.items, in: .standard)
    #expect(
      match.explanation == [
        "“ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"public.image\"” for attachment 2 "
          + "(public.plain-text) is false: the left side is \"public.plain-text\" (line 7, column 5).",
        "So the whole comparison, 0 == 1, is false.",
      ])
  }

  @Test(
    arguments: [
      ("1 == 2 AND 1 == 1 AND 2 == 3", ["“1 == 2”", "“2 == 3”"]), ("NOT (1 == 1 OR 1 == 2)", ["“1 == 1” is true"]),
      ("1 == 2 OR FALSEPREDICATE", ["“1 == 2”", "“FALSEPREDICATE” is false"]),
      ("extensionItems.@count == 2", ["the left side is 1, the right side 2"]),
      ("extensionItems[0].userInfo.flag == NO", ["the left side is true"]),
      ("NONE extensionItems.attachments.@count == 1", ["“NONE extensionItems.attachments.@count == 1”"]),
    ])
  func `explains joins by their parts`(text: String, parts: [String]) throws {
    let reasons = try Predicate(text).match(Self.items, in: .standard).reasons
    #expect(reasons.count == parts.count)
    for (reason, part) in zip(reasons, parts) { #expect(reason.contains(part), "\(reason)") }
  }

  @Test func `is a rule, and warns of keys that no item has`() throws {
    let (rule, problems) = ActivationRule.compile("extensionItems.colour == 1")
    #expect(rule != nil && problems.map(\.isWarning) == [true] && problems[0].message.contains("“colour”"))
    let (none, errors) = ActivationRule.compile("extensionItems ==\n  ?")
    #expect(none == nil && errors.map(\.isWarning) == [false])
    #expect(errors[0].message.hasPrefix("In line 2, column 3 of the predicate: "))
  }
}
