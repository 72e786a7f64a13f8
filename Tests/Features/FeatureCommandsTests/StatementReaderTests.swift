import Testing

@testable import FeatureCommands

/// The statements of `host data shell`.
@Suite(.timeLimit(.minutes(1)))
struct `A reader of statements` {
  /// What one text comes to: the statements that end in it, and what is left.
  private static func read(_ text: String) -> (found: [ShellStatement], rest: ShellStatement?) {
    var reader = StatementReader()
    let found = reader.add(text)
    return (found, reader.rest)
  }

  static let whole: [(text: String, found: [ShellStatement])] = [
    ("SELECT 1;", [.sql("SELECT 1")]), (" \n;; SELECT 1 ;; \n", [.sql("SELECT 1")]),
    ("SELECT 1;SELECT 2; ;", [.sql("SELECT 1"), .sql("SELECT 2")]),
    ("SELECT 'a;b', \"c;d\", 'it''s;';", [.sql("SELECT 'a;b', \"c;d\", 'it''s;'")]),
    ("SELECT 'a\"', 1; SELECT \"b'\", 2;", [.sql("SELECT 'a\"', 1"), .sql("SELECT \"b'\", 2")]),
    (
      "-- a;b\nSELECT 1 - 1; SELECT 1 --;\r\n;",
      [.sql("-- a;b\nSELECT 1 - 1"), .sql("SELECT 1 --")]
    ),
    ("SELECT 1 /* a; b */; x;", [.sql("SELECT 1 /* a; b */"), .sql("x")]),
    ("/* ; /* ; */ ; */ SELECT 1 / 2; /**/;", [.sql("/* ; /* ; */ ; */ SELECT 1 / 2"), .sql("/**/")]),
    ("SELECT 2 */ 3; y;", [.sql("SELECT 2 */ 3"), .sql("y")]),
    ("SELECT 'größer; 😀';", [.sql("SELECT 'größer; 😀'")]),
    ("SELECT '\u{301};', \"\u{301};\";\u{301};", [.sql("SELECT '\u{301};', \"\u{301};\""), .sql("\u{301}")]),
    ("DO $$ a; $b$; ' $$; x;", [.sql("DO $$ a; $b$; ' $$"), .sql("x")]),
    ("SELECT $ä_1$;$$;$ä_1$, $1; x;", [.sql("SELECT $ä_1$;$$;$ä_1$, $1"), .sql("x")]),
    ("SELECT a$b$;$1$;$$$$;", [.sql("SELECT a$b$"), .sql("$1$"), .sql("$$$$")]),
    (
      "query { a { b } } mutation { c }",
      [.graphQL("query { a { b } }"), .graphQL("mutation { c }")]
    ),
    ("{ a }", [.graphQL("{ a }")]), ("fragment F on T { a }", [.graphQL("fragment F on T { a }")]),
    ("subscription { a };", [.graphQL("subscription { a }")]),
    ("# } \n query { a }", [.graphQL("# } \n query { a }")]),
    ("query { a # }\r\n}", [.graphQL("query { a # }\r\n}")]),
    (#"{ a(x: "}\"}", y: """ } """) }"#, [.graphQL(#"{ a(x: "}\"}", y: """ } """) }"#)]),
    ("query } { a }", [.graphQL("query }"), .graphQL("{ a }")]),
    ("querying { a }; x;", [.sql("querying { a }"), .sql("x")]),
    (
      "query Q($f: F = {a: {b: 1}}) @c(d: {e: 1}) { f(g: {h: 1}) { i } } x;",
      [.graphQL("query Q($f: F = {a: {b: 1}}) @c(d: {e: 1}) { f(g: {h: 1}) { i } }"), .sql("x")]
    ),
    (
      #"{ a(x: """ " } \""" } """, y: "") } { b }"#,
      [.graphQL(#"{ a(x: """ " } \""" } """, y: "") }"#), .graphQL("{ b }")]
    ),
    ("{ a } SELECT 1; { b }", [.graphQL("{ a }"), .sql("SELECT 1"), .graphQL("{ b }")]),
  ]

  @Test(arguments: whole) func `gives statements that end, and keeps nothing of them`(
    text: String, found: [ShellStatement]
  ) {
    let read = Self.read(text)
    #expect(read.found == found)
    #expect(read.rest == nil)
  }

  static let unfinished: [(text: String, rest: ShellStatement?)] = [
    ("", nil), (" \n", nil), ("; ;", nil), ("SELECT 1 ", .sql("SELECT 1")),
    ("SELECT 1 -", .sql("SELECT 1 -")),
    ("SELECT 1 --", .sql("SELECT 1 --")), ("SELECT 'a;", .sql("SELECT 'a")),
    ("SELECT 1 -- ;", .sql("SELECT 1 --")), ("SELECT 1 /* ; */", .sql("SELECT 1 /* ; */")),
    ("SELECT 1 /* a; /* b */ c;", .sql("SELECT 1 /* a; /* b */ c")), ("SELECT 1 /*/;", .sql("SELECT 1 /*/")),
    ("SELECT 1 /", .sql("SELECT 1 /")), ("SELECT $", .sql("SELECT $")), ("SELECT $a", .sql("SELECT $a")),
    ("SELECT $$;$", .sql("SELECT $$;$")), ("SELECT $a$; $a ;", .sql("SELECT $a$; $a")),
    ("query { a", .graphQL("query { a")), ("{ a(x: \"}", .graphQL("{ a(x: \"}")),
    ("{ a #}", .graphQL("{ a #}")),
    ("{ a(x: \"\\", .graphQL("{ a(x: \"\\")), ("{ a #", .graphQL("{ a #")),
    ("query", .graphQL("query")), ("query Q($f: F = {a: 1}", .graphQL("query Q($f: F = {a: 1}")),
    ("query Q($f: F = {a: 1})", .graphQL("query Q($f: F = {a: 1})")),
    (#"{ a(x: """ } ""#, .graphQL(#"{ a(x: """ } ""#)),
  ]

  @Test(arguments: unfinished) func `keeps a statement that does not end`(
    text: String, rest: ShellStatement?
  ) {
    let read = Self.read(text)
    #expect(read.found == [])
    #expect(read.rest == rest)
  }

  @Test func `puts lines together, and begins again behind each statement`() {
    var reader = StatementReader()
    #expect(!reader.isBegun)
    #expect(reader.add("SELECT\n") == [] && reader.isBegun)
    #expect(reader.add("1; SEL") == [.sql("SELECT\n1")] && reader.isBegun)
    #expect(reader.rest == .sql("SEL"))
    #expect(reader.add("ECT 2;\n") == [.sql("SELECT 2")] && !reader.isBegun)
    #expect(reader.add("query {\n") == [] && reader.add("a }\n") == [.graphQL("query {\na }")])
    #expect(!reader.isBegun)
  }

  static let fields: [(text: String, whenWriting: String)] = [
    ("select 1", "_select"), ("(SELECT 1)", "_select"),
    ("WITH a AS (SELECT 1) SELECT 2", "_select"),
    ("values (1)", "_select"), ("TABLE film", "_select"), ("show all", "_select"),
    ("explain select 1", "_select"),
    ("INSERT INTO film VALUES (1)", "_execute"), ("selecting", "_execute"),
    ("select_all()", "_execute"),
    ("DELETE FROM film RETURNING id", "_executeReturning"),
    ("UPDATE film SET returning_day = 1", "_execute"),
    ("", "_select"), ("1", "_select"),
  ]

  @Test(arguments: fields) func `names the field that executes SQL`(
    text: String, whenWriting: String
  ) {
    #expect(ShellStatement.sql(text).field(isWriting: true) == whenWriting)
    #expect(ShellStatement.sql(text).field(isWriting: false) == "_select")
    #expect(ShellStatement.graphQL(text).field(isWriting: true) == "")
  }
}
