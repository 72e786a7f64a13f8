import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A comparison of values` {
  /// From the first to the last.
  static let ordered: [SortKey] = [
    .null, .bool(false), .bool(true), .integer(-5), .number(-1.5), .integer(0), .number(0.5),
    .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .text(""), .text("A"), .text("a"), .text("é"),
  ]

  @Test func `orders by kind, and within one by value`() {
    for (place, key) in Self.ordered.enumerated() {
      for (other, next) in Self.ordered.enumerated() {
        #expect((key < next) == (place < other), "\(key) \(next)")
      }
    }
    #expect(!(SortKey.integer(1) < .number(1)) && !(SortKey.number(1) < .integer(1)))
  }

  @Test(arguments: [
    (Comparand.null, SortKey.null), (.text("a"), .text("a")), (.integer(3), .integer(3)), (.moment(4), .integer(4)),
    (.number(1.5), .number(1.5)), (.bool(true), .bool(true)),
  ])
  func `is sorted by what it is`(value: Comparand, key: SortKey) { #expect(SortKey(value) == key) }

  @Test(
    arguments: [
      (.integer(1), .integer(2), -1), (.integer(2), .integer(1), 1), (.integer(2), .integer(2), 0),
      (.integer(9_007_199_254_740_993), .integer(9_007_199_254_740_992), 1), (.moment(1), .moment(2), -1),
      (.moment(2), .moment(1), 1), (.moment(2), .moment(2), 0), (.integer(1), .number(1.5), -1),
      (.number(1.5), .integer(1), 1), (.number(1), .integer(1), 0), (.number(0.5), .number(0.25), 1),
      (.null, .integer(1), nil), (.integer(1), .null, nil), (.null, .null, nil), (.text("a"), .text("b"), nil),
      (.bool(false), .bool(true), nil), (.moment(1), .integer(2), nil), (.integer(1), .moment(2), nil),
    ] as [(Comparand, Comparand, Int?)])
  func `tells which is first, of numbers and of moments`(one: Comparand, other: Comparand, order: Int?) {
    #expect(one.order(other) == order)
  }

  @Test(
    arguments: [
      ("a", .text, .text("a")), (1, .text, .null), (true, .bool, .bool(true)), (1, .bool, .null),
      (1, .number, .integer(1)),
      (1.5, .number, .number(1.5)), ("1", .number, .null), (true, .number, .null), (nil, .number, .null),
      (.null, .text, .null), ("1970-01-02", .moment(.date), .moment(86_400_000)), ("x", .moment(.date), .null),
      ("00:00:01", .moment(.time), .moment(1_000)), ("1970-01-01T00:01Z", .moment(.dateTime), .moment(60_000)),
      ("00:00:01", .moment(.date), .null), (5, .moment(.date), .null),
    ] as [(JSONValue?, Comparand.Form, Comparand)])
  func `is of values of one form`(json: JSONValue?, form: Comparand.Form, value: Comparand) {
    #expect(Comparand(json, form) == value)
  }

  @Test func `is of a form for each type of a field`() {
    let types: [(FieldType, Comparand.Form?)] = [
      (.text, .text), (.enumeration(["a"]), .text), (.tags, .text), (.float, .number), (.integer, .number),
      (.long, .number), (.boolean, .bool), (.date, .moment(.date)), (.time, .moment(.time)),
      (.dateTime, .moment(.dateTime)), (.multiLine(.html), nil), (.content(accepts: []), nil),
      (.fragment(models: ["a"]), nil), (.json, nil),
    ]
    for (type, form) in types { #expect(type.form == form, "\(type)") }
  }

  // MARK: Operators

  @Test(
    arguments: [
      ("EQUALS", .equals), ("EQUAL", .equals), ("AT", .equals), (nil, .equals), ("EQUALS_NOT", .equalsNot),
      ("UNEQUAL", .equalsNot), ("NOT_AT", .equalsNot), ("CONTAINS", .contains), ("CONTAINS_NOT", .containsNot),
      ("STARTS_WITH", .startsWith), ("GREATER", .greater), ("AFTER", .greater), ("GREATER_EQUAL", .greaterEqual),
      ("AT_OR_AFTER", .greaterEqual), ("LOWER", .lower), ("BEFORE", .lower), ("LOWER_EQUAL", .lowerEqual),
      ("AT_OR_BEFORE", .lowerEqual),
    ] as [(String?, FilterExpression.Operator)])
  func `has words for its operator`(word: String?, meant: FilterExpression.Operator) {
    let found = FilterExpression.Operator(word: word)
    #expect(found == meant && found.isNegative == (meant == .equalsNot || meant == .containsNot))
  }

  @Test(arguments: [
    ("abc", "", true), ("", "", true), ("", "a", false), ("abc", "a", true), ("abc", "c", true), ("abc", "abc", true),
    ("abc", "abcd", false), ("abc", "bc", true), ("abc", "cd", false), ("aab", "ab", true), ("aab", "ba", false),
    ("ab", "abb", false), ("é", "é", true), ("aé", "é", true), ("é", "e", false), ("e\u{301}", "e", true),
    ("e\u{301}", "\u{301}", true), ("é", "e\u{301}", false),
  ])
  func `finds a text in another, byte by byte`(whole: String, part: String, isThere: Bool) {
    #expect(whole.holds(part) == isThere)
  }

  /// What comes of a filter on a value.
  private static func passes(_ filter: JSONObject, _ form: Comparand.Form, _ value: Comparand) -> Bool {
    FilterExpression(filter, form).matches(value)
  }

  @Test(arguments: [("\u{e9}", "e\u{301}"), ("e\u{301}", "\u{e9}")])
  func `takes two spellings of one accent for two texts, as a search in them does`(text: String, other: String) {
    for (word, isPassed) in [("EQUALS", false), ("EQUALS_NOT", true), ("CONTAINS", false), ("STARTS_WITH", false)] {
      for folds in [false, true] as [JSONValue] {
        var filter: JSONObject = ["value": .string(other), "_ignoreCase": folds]
        filter["_operator"] = .string(word)
        #expect(Self.passes(filter, .text, .text(text)) == isPassed, "\(word)")
        #expect(Self.passes(filter, .text, .text(other)) != isPassed, "\(word)")
      }
    }
    #expect(!FilterExpression(["values": [.string(other)]], .text).matches(array: [.text(text)]))
  }

  @Test func `takes numbers for equal that are as far apart as it may be`() {
    for (sensitiveness, isEqual) in [(0.25, true), (-0.25, true), (0.24, false), (0, false)] as [(JSONValue, Bool)] {
      for value in [4.75, 5.25] as [Double] {
        let filter: JSONObject = ["value": 5, "_sensitiveness": sensitiveness]
        #expect(Self.passes(filter, .number, .number(value)) == isEqual)
        var other = filter
        other["_operator"] = "UNEQUAL"
        #expect(Self.passes(other, .number, .number(value)) != isEqual)
      }
    }
    #expect(!Self.passes(["value": 5, "_sensitiveness": 9], .number, .null))
    #expect(!Self.passes(["value": .null, "_sensitiveness": 9], .number, .integer(5)))
    #expect(Self.passes(["value": 5], .number, .number(5)) && Self.passes(["value": 5.0], .number, .integer(5)))
  }

  @Test(arguments: ["GREATER", "GREATER_EQUAL", "LOWER", "LOWER_EQUAL", "CONTAINS", "STARTS_WITH"])
  func `is false for what cannot be compared`(word: String) {
    for value in [Comparand.null, .bool(true), .text("1")] {
      #expect(!Self.passes(["value": 1, "_operator": .string(word)], .number, value))
    }
    #expect(!Self.passes(["value": .null, "_operator": .string(word)], .number, .integer(1)))
    #expect(!Self.passes(["value": .null, "_operator": .string(word)], .text, .text("a")))
  }

  @Test func `does not see capitals when it is told so`() {
    for (word, value) in [
      ("EQUALS", "ÄB"), ("CONTAINS", "B"), ("STARTS_WITH", "Ä"), ("EQUALS_NOT", "x"), ("CONTAINS_NOT", "x"),
    ] {
      let filter: JSONObject = ["value": .string(value), "_operator": .string(word), "_ignoreCase": true]
      #expect(Self.passes(filter, .text, .text("äb")), "\(word)")
      #expect(Self.passes(filter, .text, .text("ÄB")), "\(word)")
    }
    #expect(!Self.passes(["value": "AB"], .text, .text("ab")))
    #expect(!Self.passes(["value": "AB", "_ignoreCase": false], .text, .text("ab")))
    #expect(!Self.passes(["value": "ab", "_operator": "EQUALS_NOT", "_ignoreCase": true], .text, .text("AB")))
  }

  // MARK: Arrays

  @Test func `counts the elements that pass`() throws {
    let modes: [(JSONObject, ArrayMode?)] = [
      (["_apply": "ALL"], .all), (["_apply": "ALL_OR_EMPTY"], .allOrEmpty), (["_apply": "AT_LEAST_ONCE"], .atLeastOnce),
      (["_apply": "INSTANCES"], .instances(1)), (["_apply": "INSTANCES", "_instances": 3], .instances(3)),
      (["_apply": .null], nil), (["_instances": 3], nil), ([:], nil),
    ]
    for (json, mode) in modes { #expect(ArrayMode(json) == mode) }
    func passes(_ mode: ArrayMode, _ elements: [Bool]) -> Bool {
      mode.matches(count: elements.count) { elements[$0] }
    }
    let lists: [[Bool]] = [[], [true], [false], [true, false], [false, true], [true, true]]
    #expect(lists.map { passes(.all, $0) } == [false, true, false, false, false, true])
    #expect(lists.map { passes(.allOrEmpty, $0) } == [true, true, false, false, false, true])
    #expect(lists.map { passes(.atLeastOnce, $0) } == [false, true, false, true, true, true])
    #expect(lists.map { passes(.instances(0), $0) } == [true, false, true, false, false, false])
    #expect(lists.map { passes(.instances(1), $0) } == [false, true, false, true, true, false])
    #expect(lists.map { passes(.instances(2), $0) } == [false, false, false, false, false, true])
  }

  @Test func `looks at no more elements than it needs`() {
    func looks(_ mode: ArrayMode, _ elements: [Bool]) -> Int {
      var count = 0
      _ = mode.matches(count: elements.count) { index in
        count += 1
        return elements[index]
      }
      return count
    }
    #expect(looks(.atLeastOnce, [false, true, true]) == 2)
    #expect(looks(.all, [true, false, true]) == 2 && looks(.allOrEmpty, [false, true, true]) == 1)
    #expect(looks(.instances(1), [true, false, true]) == 3)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The order of moments` {
  @Test func `is that of time`() throws {
    let early = try #require(Moment("2024-05-01T10:00:00+02:00", .dateTime))
    let late = try #require(Moment("2024-05-01T08:00:00.001Z", .dateTime))
    #expect(early < late && !(late < early) && !(early < early))
  }

  @Test(arguments: [
    ("2024-01-01t00:00:00z", Moment.Form.dateTime, 1_704_067_200_000),
    ("2024-01-01T00:00:00+18:00", .dateTime, 1_704_002_400_000),
    ("2024-01-01T00:00:00-18:00", .dateTime, 1_704_132_000_000), ("1970-01-01T00:00:00.0019Z", .dateTime, 1),
    ("1970-01-01", .date, 0), ("23:59", .time, 86_340_000),
  ])
  func `is a number of milliseconds`(text: String, form: Moment.Form, milliseconds: Int64) {
    #expect(Moment(text, form)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("2024-01-01T00:00:00+19:00", Moment.Form.dateTime), ("2024-01-0100:00:00Z", .dateTime),
    ("2024-01-01_00:00:00Z", .dateTime), ("2024-01-01T00:00:00Z", .date), ("2024-01-01 00:00", .date),
    ("2024-01-01", .time), ("10:00", .date), ("10:00", .dateTime), ("10:00:00Zx", .time), ("T10:00", .time),
    ("2024-01-01T", .dateTime), ("٢٠٢٤-01-01", .date),
  ])
  func `is not of what is none`(text: String, form: Moment.Form) { #expect(Moment(text, form) == nil) }
}
