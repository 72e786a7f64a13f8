import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A value of a field` {
  /// The messages of a content with one field and one value.
  private static func problems(_ field: String, _ value: String, _ others: [String: String] = [:]) -> [String] {
    var files = others
    files["models/s/thing.json"] = #"{"fields": [{"name": "f", \#(field)}]}"#
    files["content/dam/s/a.json"] = #"{"model": "thing", "fields": {"f": \#(value)}}"#
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) })
      return []
    } catch {
      return error.problems.map(\.message)
    }
  }

  private static let whole = "is a whole number from -2147483648 to 2147483647"
  private static let long = "is a whole number from -9223372036854775808 to 9223372036854775807"

  @Test(
    arguments: [
      ("integer", "2147483647", nil), ("integer", "2147483648", whole), ("integer", "-2147483648", nil),
      ("integer", "-2147483649", whole), ("integer", "1.0", nil), ("integer", "1.5", whole),
      ("integer", "\"1\"", whole),
      ("integer", "true", whole), ("integer", "[1]", whole), ("integer", "null", nil),
      ("long", "9223372036854775807", nil), ("long", "-9223372036854775808", nil), ("long", "2147483648", nil),
      ("long", "9223372036854775808", long), ("long", "\"1\"", long), ("float", "1", nil), ("float", "-1.5", nil),
      ("float", "1e300", nil), ("float", "\"1\"", "is a number, not a text"),
      ("float", "true", "is a number, not a boolean"),
      ("float", "{}", "is a number, not an object"), ("boolean", "true", nil), ("boolean", "false", nil),
      ("boolean", "0", "is true or false, not a number"), ("boolean", "\"true\"", "is true or false, not a text"),
      ("text", "\"\"", nil), ("text", "5", "is a text, not a number"), ("text", "[]", "is a text, not an array"),
      ("text", "true", "is a text, not a boolean"), ("date", "\"2024-02-29\"", nil),
      ("date", "\"2023-02-29\"", "is a date, not \"2023-02-29\""), ("date", "5", "is a text, not a number"),
      ("date", "\"18:30\"", "is a date, not \"18:30\""), ("time", "\"18:30\"", nil),
      ("time", "\"24:00\"", "is a time, not \"24:00\""), ("dateTime", "\"2024-02-29T18:30Z\"", nil),
      ("dateTime", "\"2024-02-29\"", "is a date and a time, not \"2024-02-29\""),
      ("dateTime", "\"18:30\"", "is a date and a time, not \"18:30\""), ("tags", "[]", nil),
      ("tags", "[\"a\", \"b\"]", nil),
      ("tags", "\"a\"", "is a list, not a text"), ("tags", "[null]", "is a text, not null"), ("tags", "null", nil),
      ("tags", "{}", "is a list, not an object"), ("json", "{\"a\": [null, 1.5]}", nil), ("json", "\"x\"", nil),
      ("json", "false", nil),
    ] as [(String, String, String?)])
  func `fits its type`(type: String, value: String, message: String?) {
    #expect(Self.problems("\"type\": \"\(type)\"", value) == (message.map { ["The field \"f\" \($0)."] } ?? []))
  }

  @Test(
    arguments: [
      ("[1, 2]", []), ("[]", []), ("null", []), ("1", ["is a list, not a number"]), ("[1, null]", ["is whole"]),
      ("[\"a\", 1, true]", ["is whole", "is whole"]), ("[[1]]", ["is whole"]), ("\"1\"", ["is a list, not a text"]),
    ] as [(String, [String])])
  func `is a list of a field with several`(value: String, messages: [String]) {
    let words = messages.map { "The field \"f\" \($0 == "is whole" ? Self.whole : $0)." }
    #expect(Self.problems(#""type": "integer", "multiple": true"#, value) == words)
    #expect(Self.problems(#""type": "integer", "multiple": false"#, "[1]") == ["The field \"f\" \(Self.whole)."])
  }

  @Test(
    arguments: [
      ("\"Long\"", nil), ("\"long\"", "has no value \"long\""), ("\"\"", "has no value \"\""),
      ("5", "is a text, not a number"),
    ] as [(String, String?)])
  func `is one of an enumeration`(value: String, message: String?) {
    let field = #""type": "enumeration", "values": ["Long", "Short"]"#
    #expect(Self.problems(field, value) == (message.map { ["The field \"f\" \($0)."] } ?? []))
  }

  @Test(
    arguments: [
      ("ab", nil), ("é", nil), ("e\u{301}", nil), ("a", "pattern"), ("abc", "pattern"), ("", "pattern"),
      ("ab\\n", "pattern"),
    ] as [(String, String?)])
  func `fits its pattern as a whole`(text: String, message: String?) {
    let words = message.map { _ in ["The field \"f\" has a value that its pattern does not allow."] } ?? []
    #expect(Self.problems(#""type": "text", "pattern": "^(ab|é|e\u0301)$""#, "\"\(text)\"") == words)
    #expect(Self.problems(#""type": "text""#, "\"\(text)\"") == [])
  }

  // MARK: References

  @Test func `is a path of a thousand bytes at most`() {
    let fault = ["The field \"f\" is a path, not a text."]
    func found(_ path: String) -> [String] { Self.problems(#""type": "content""#, "\"\(path)\"") }
    #expect(found("/" + String(repeating: "a", count: 1_023)) == [])
    #expect(found("/" + String(repeating: "a", count: 1_024)) == fault)
    #expect(found("/a" + String(repeating: "é", count: 511)) == [])
    #expect(found("/" + String(repeating: "é", count: 512)) == fault)
    #expect(found("/") == [] && found("a/b") == fault && found("") == fault)
    #expect(Self.problems(#""type": "content""#, "5") == ["The field \"f\" is a path, not a number."])
    #expect(
      Self.problems(#""type": "content", "multiple": true"#, #"["/a", "b", null]"#)
        == [fault[0], "The field \"f\" is a path, not null."])
  }

  private static let others = [
    "models/s/other.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
    "content/dam/s/o.json": #"{"model": "other", "fields": {}}"#, "content/dam/s/p.pdf": "p",
    "content/dam/s/i.png": "i",
    "content/dam/s/z.zip": "z", "content/dam/s/v.mp4": "v",
  ]

  @Test(
    arguments: [
      ("[]", "o", nil), ("[]", "p.pdf", nil), ("[]", "none", "There is no asset \"/content/dam/s/none\"."),
      ("[\"image\"]", "i.png", nil),
      ("[\"image\"]", "p.pdf", "\"f\" does not take \"/content/dam/s/p.pdf\", which is of the kind document."),
      ("[\"image\"]", "o", "There is no asset \"/content/dam/s/o\"."),
      ("[\"document\", \"archive\"]", "z.zip", nil), ("[\"document\", \"archive\"]", "p.pdf", nil),
      (
        "[\"document\", \"archive\"]", "v.mp4",
        "\"f\" does not take \"/content/dam/s/v.mp4\", which is of the kind multimedia."
      ),
      ("[\"multimedia\"]", "v.mp4", nil),
      ("[\"page\"]", "z.zip", "\"f\" does not take \"/content/dam/s/z.zip\", which is of the kind archive."),
    ] as [(String, String, String?)])
  func `is an asset of a kind that the field accepts`(accepts: String, name: String, message: String?) {
    let field = #""type": "content""# + (accepts == "[]" ? "" : ", \"accepts\": \(accepts)")
    #expect(
      Self.problems(field, "\"/content/dam/s/\(name)\"", Self.others) == (message.map { [$0] } ?? []))
  }

  @Test func `is a page when the field accepts pages`() {
    for (accepts, isRight) in [(#""accepts": ["page"]"#, true), (#""accepts": ["image", "page"]"#, true)] {
      #expect((Self.problems("\"type\": \"content\", \(accepts)", "\"/content/s/home\"") == []) == isRight)
    }
    #expect(Self.problems(#""type": "content""#, "\"/content/s/home\"") == [])
    #expect(
      Self.problems(#""type": "content", "accepts": ["document"]"#, "\"/content/s/home\"")
        == ["\"f\" does not take \"/content/s/home\", which is of the kind page."])
    #expect(
      Self.problems(#""type": "content", "accepts": ["document"]"#, "\"/content/dam\"")
        == ["\"f\" does not take \"/content/dam\", which is of the kind page."])
  }

  @Test(
    arguments: [
      ("[\"other\"]", "o", nil), ("[\"s/other\"]", "o", nil), ("[\"thing\", \"other\"]", "o", nil),
      ("[\"thing\"]", "a", nil), ("[\"thing\"]", "xyz", "There is no fragment \"/content/dam/s/xyz\"."),
      ("[\"other\"]", "o.json", "There is no fragment \"/content/dam/s/o.json\"."),
      ("[\"other\"]", "p.pdf", "There is no fragment \"/content/dam/s/p.pdf\"."),
      ("[\"thing\"]", "o", "\"/content/dam/s/o\" is of the model s/other, which \"f\" does not take."),
    ] as [(String, String, String?)])
  func `is a fragment of a model that the field takes`(models: String, name: String, message: String?) {
    #expect(
      Self.problems("\"type\": \"fragment\", \"models\": \(models)", "\"/content/dam/s/\(name)\"", Self.others)
        == (message.map { [$0] } ?? []))
  }

  @Test func `of a variation leads somewhere, too`() {
    let files = [
      "models/s/thing.json": #"{"fields": [{"name": "f", "type": "content"}]}"#,
      "content/dam/s/a.json":
        #"{"model": "thing", "fields": {}, "variations": {"v": {"fields": {"f": "/content/dam/s/no"}}}}"#,
    ]
    let error = #expect(throws: ContentProblems.self) {
      try ContentRepository(files: files.mapValues { Array($0.utf8) })
    }
    #expect(error?.problems.map(\.message) == ["There is no asset \"/content/dam/s/no\"."])
  }

  // MARK: Texts

  @Test(
    arguments: [
      ("html", "\"<p>a</p>\"", true), ("html", "{\"html\": \"<p>a</p>\"}", true),
      ("html", "{\"markdown\": \"a\"}", true),
      ("html", "{\"plaintext\": \"a\"}", true), ("html", "{\"html\": 5}", false), ("html", "{\"rtf\": \"a\"}", false),
      ("html", "{\"html\": \"a\", \"markdown\": \"a\"}", false), ("html", "{}", false), ("html", "[]", false),
      ("html", "5", false), ("markdown", "[]", false), ("json", "[]", true), ("html", "{\"json\": []}", true),
      ("html", "{\"file\": 5}", false), ("plaintext", "true", false),
    ])
  func `is a text in one of its forms`(format: String, value: String, isRight: Bool) {
    let found = Self.problems(#""type": "multiLine", "format": "\#(format)""#, value)
    #expect(found.count == (isRight ? 0 : 1))
    if !isRight { #expect(found.first?.hasPrefix("The field \"f\" is a text, not ") == true) }
  }

  @Test(arguments: [
    ("t.md", "*a*", "a"), ("t.markdown", "*a*", "a"), ("T.MD", "*a*", "a"), ("t.html", "<p><b>a</b></p>", "a"),
    ("t.htm", "<p><b>a</b></p>", "a"), ("t.txt", "*a*", "*a*"), ("t.x.txt", "<b>", "<b>"),
  ])
  func `is the text of a file by its ending`(name: String, text: String, plain: String) async throws {
    let state = try Samples.state([
      "models/s/thing.json": #"{"fields": [{"name": "f", "type": "multiLine", "format": "json"}]}"#,
      "content/dam/s/a.json": #"{"model": "thing", "fields": {"f": {"file": "\#(name)"}}}"#,
      "content/dam/s/\(name)": text,
    ])
    let answer = await state.run("{ thingList { items { f { plaintext } } } }")
    #expect(answer["data"]?["thingList"]?["items"] == [["f": ["plaintext": .string(plain)]]])
    #expect(state.asset(path: "/content/dam/s/\(name)") == nil)
  }

  @Test(arguments: ["t", "t.pdf", "t.mdx", "md", "", "t.md "])
  func `is no other file`(name: String) {
    #expect(
      Self.problems(#""type": "multiLine""#, #"{"file": "\#(name)"}"#, ["content/dam/s/\(name)x": "a"])
        == ["The field \"f\" names a file that is not text: \"\(name)\"."])
  }
}
