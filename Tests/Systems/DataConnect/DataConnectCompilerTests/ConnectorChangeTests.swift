import GraphQL
import Testing

@testable import DataConnectCompiler

/// Both ways of each change: the one that breaks old clients, with its whole line, and the one that does not.
@Suite(.timeLimit(.minutes(1)))
struct `A change of a connector` {
  private static let schema = """
    enum Mood { DULL BRIGHT }
    type Film @table { title: String! mood: Mood minutes: Int tags: [String!] }
    type Rating @table { film: Film! stars: Int! }
    """

  private func lines(
    from old: String, to new: String, schema before: String = schema, becoming after: String = schema
  ) throws -> [String] {
    let old = try #require(try Fixture.compile(operations: old, schema: before).connector)
    let new = try #require(try Fixture.compile(operations: new, schema: after).connector)
    return BreakingChange.between(old, and: new).map(\.description)
  }

  /// The changes between two lists of variables that nothing has to use.
  private func variables(_ old: String, _ new: String) throws -> [String] {
    try lines(
      from: "query Q(\(old)) @auth(level: USER) { films { id } }",
      to: "query Q(\(new)) @auth(level: USER) { films { id } }")
  }

  /// The changes between two selections of films.
  private func selections(_ old: String, _ new: String, variables: String = "") throws -> [String] {
    try lines(
      from: "query Q\(variables) @auth(level: USER) { \(old) }", to: "query Q\(variables) @auth(level: USER) { \(new) }"
    )
  }

  @Test func `of an operation's kind is told at the new one`() throws {
    let query = "query Q @auth(level: USER) { films { id } }"
    let mutation = "\n mutation Q @auth(level: USER) { film_deleteMany(all: true) }"
    #expect(
      try lines(from: query, to: mutation) == [
        "films.gql:2:2: \"Q\" was a query and is a mutation. Give the new one another name."
      ])
    #expect(
      try lines(from: mutation, to: "query R @auth(level: USER) { films { id } }") == [
        "films.gql:2:2: The mutation \"Q\" is gone. "
          + "Keep it, with @retired, as long as there are clients that call it."
      ])
    #expect(try lines(from: query, to: query + mutation.replacingName) == [])
  }

  @Test func `of an operation's variables is told where old clients fail`() throws {
    #expect(
      try variables("$a: Int", "$a: Int, $b: Int!") == [
        "films.gql:1:18: \"Q\" wants a variable $b, which old clients do not give. "
          + "Give it a default value, or make it nullable."
      ])
    #expect(try variables("$a: Int", "$a: Int, $b: Int, $c: Int! = 1") == [])
    #expect(
      try variables("$a: Int, $b: Int", "$a: Int") == [
        "films.gql:1:1: \"Q\" has no variable $b any more. Keep it, with @retired."
      ])
    let given = "$a of \"Q\" has to be given, and did not have to. Give it a default value, or make it nullable."
    #expect(try variables("$a: Int", "$a: Int!") == ["films.gql:1:9: \(given)"])
    #expect(try variables("$a: Int! = 1", "$a: Int!") == ["films.gql:1:9: \(given)"])
    #expect(try variables("$a: Int!", "$a: Int") == [] && variables("$a: Int!", "$a: Int! = 1") == [])
    #expect(try variables("$a: Int = 1", "$a: Int! = 2") == [] && variables("$a: Int!", "$a: Int!") == [])
  }

  @Test(
    arguments: [
      ("[Int]", "[Int!]", false), ("[Int!]", "[Int]", true), ("[Int!]", "[Int!]!", nil), ("Int", "[Int!]", true),
      ("Int!", "[Int!]!", true), ("[Int!]", "Int", false), ("Int", "Float", false), ("Int", "String", false),
      ("[Int!]", "[Float!]", false), ("Int", "[Float!]", false), ("[[Int]]", "[Int]", false),
      ("[Int]", "[[Int]]", true),
      ("[[Int!]!]", "[[Int]!]", true), ("[[Int]!]", "[[Int]]", true), ("[[Int]]", "[[Int]!]", false),
      ("Mood", "Mood", true), ("Mood", "String", false), ("UUID", "UUID!", nil),
    ] as [(String, String, Bool?)])
  func `of a variable's type is told where it takes less`(old: String, new: String, isFine: Bool?) throws {
    let line =
      switch isFine {
      case true?: [String]()
      case false?: ["films.gql:1:9: $a of \"Q\" was \(old) and is \(new). Add another variable, with a default value."]
      case nil:
        [
          "films.gql:1:9: $a of \"Q\" has to be given, and did not have to. "
            + "Give it a default value, or make it nullable."
        ]
      }
    #expect(try variables("$a: \(old)", "$a: \(new)") == line)
  }

  @Test func `of what a variable may hold is told where it is less`() throws {
    func changes(_ old: String, _ new: String) throws -> [String] {
      func text(_ rule: String) -> String {
        "mutation Q($d: [Film_Data!]! @allow(\(rule))) @auth(level: USER) { film_insertMany(data: $d) }"
      }
      return try lines(from: text(old), to: text(new))
    }
    let few = "films.gql:1:12: $d of \"Q\" may hold only 4 rows. Raise maxCount of @allow."
    let title = "fields: \"title\""
    #expect(try changes("\(title), maxCount: 5", "\(title), maxCount: 4") == [few])
    #expect(try changes(title, "\(title), maxCount: 4") == [few])
    #expect(try changes("\(title), maxCount: 4", "\(title), maxCount: 4") == [])
    #expect(try changes("\(title), maxCount: 3", "\(title), maxCount: 4") == [])
    #expect(try changes("\(title), maxCount: 3", title) == [])
    let nested = "fields: \"title ratings_on_film { stars filmId }\""
    func gone(_ name: String) -> String {
      "films.gql:1:12: $d of \"Q\" may not hold \"\(name)\" any more. Put it back into @allow."
    }
    #expect(
      try changes(nested, "fields: \"minutes ratings_on_film { filmId }\"") == [
        gone("title"), gone("ratings_on_film.stars"),
      ])
    #expect(
      try changes(nested, "fields: \"title\"") == [gone("ratings_on_film.stars"), gone("ratings_on_film.filmId")])
    #expect(try changes(title, nested) == [])
  }

  @Test func `of a result is told with its path`() throws {
    #expect(
      try selections("ratings { stars film { id title } }", "ratings { film { id } }") == [
        "films.gql:1:30: The result of \"Q\" has no \"ratings.stars\" any more. "
          + "Keep it, or give the new operation another name.",
        "films.gql:1:40: The result of \"Q\" has no \"ratings.film.title\" any more. "
          + "Keep it, or give the new operation another name.",
      ])
    #expect(
      try selections("films { id } ratings { id }", "ratings { id }") == [
        "films.gql:1:1: The result of \"Q\" has no \"films\" any more. "
          + "Keep it, or give the new operation another name."
      ])
    #expect(try selections("films { title: id }", "films { id title }").count == 1)
    #expect(try selections("films { id }", "films { id @redact }").count == 1)
    #expect(try selections("films { id @redact }", "films { title }") == [])
    #expect(try selections("films { id @redact }", "films { id @redact }") == [])
    #expect(try selections("films { id @redact title }", "films { id title }") == [])
  }

  @Test func `of a condition is told where it is new`() throws {
    let condition = "@skip(if: $a)"
    #expect(
      try selections("films { id title }", "films { id title \(condition) }", variables: "($a: Boolean!)") == [
        "films.gql:1:55: \"films.title\" of \"Q\" may be missing, and was always there. Remove @skip and @include."
      ])
    let both = "films { id title \(condition) }"
    #expect(try selections(both, both, variables: "($a: Boolean!)") == [])
    #expect(try selections(both, "films { id title }", variables: "($a: Boolean!)") == [])
  }

  @Test func `of a field's type is told where it gives something else`() throws {
    func line(_ place: String, _ name: String, _ old: String, _ new: String) -> String {
      "films.gql:1:\(place): \"films.\(name)\" of \"Q\" was \(old) and is \(new). Give the new field an alias."
    }
    #expect(try selections("films { a: title }", "films { a: id }") == [line("38", "a", "String!", "UUID!")])
    #expect(try selections("films { a: minutes }", "films { a: tags }") == [line("38", "a", "Int", "[String!]")])
    #expect(try selections("films { a: tags }", "films { a: minutes }") == [line("38", "a", "[String!]", "Int")])
    #expect(
      try selections("films { a: ratings_on_film { stars } }", "films { a: _count }") == [
        line("38", "a", "[Rating!]!", "Int!"),
        "films.gql:1:38: The result of \"Q\" has no \"films.a.stars\" any more. "
          + "Keep it, or give the new operation another name.",
      ])
    let nullable = Self.schema.replacingFirst("title: String!", "title: String")
    let titles = "query Q @auth(level: USER) { films { title } }"
    #expect(
      try lines(from: titles, to: titles, becoming: nullable) == [line("38", "title", "String!", "String")])
    #expect(try lines(from: titles, to: titles, schema: nullable, becoming: Self.schema) == [])
    let elements = Self.schema.replacingFirst("[String!]", "[String]")
    let tags = "query Q @auth(level: USER) { films { tags } }"
    #expect(try lines(from: tags, to: tags, becoming: elements) == [line("38", "tags", "[String!]", "[String]")])
    #expect(try lines(from: tags, to: tags, schema: elements, becoming: Self.schema) == [])
    // Other rows are told field by field.
    #expect(
      try selections("films { a: ratings_on_film { stars } }", "films { a: ratings_on_film { stars } }") == [])
    #expect(try selections("a: films { id }", "a: ratings { id }") == [])
  }

  @Test func `of a key is told by its columns and their types`() throws {
    let add = "mutation Q @auth(level: USER) { film_insert(data: {}) }"
    let keyed = { (text: String) in "type Film @table(key: \(text)) { a: Int! b: Int! }" }
    func line(_ old: String, _ new: String) -> String {
      "films.gql:1:33: The key that \"film_insert\" of \"Q\" gives was \(old) and is \(new). Keep the key of Film."
    }
    let (one, two) = (keyed("\"a\""), keyed("[\"a\", \"b\"]"))
    #expect(try lines(from: add, to: add, schema: one, becoming: two) == [line("a: Int!", "a: Int!, b: Int!")])
    #expect(
      try lines(from: add, to: add, schema: two, becoming: keyed("[\"b\", \"a\"]")) == [
        line("a: Int!, b: Int!", "b: Int!, a: Int!")
      ])
    let float = one.replacingFirst("a: Int!", "a: Float!")
    #expect(try lines(from: add, to: add, schema: one, becoming: float) == [line("a: Int!", "a: Float!")])
    #expect(try lines(from: add, to: add, schema: one, becoming: one) == [])
  }

  @Test func `of a key that clients give is told by the columns that they do not give`() throws {
    let keyed = { (text: String) in "type Film @table(key: \(text)) { a: Int! b: Int! c: Int! }" }
    let (one, two) = (keyed("\"a\""), keyed("[\"a\", \"b\"]"))
    for type in ["Film_Key!", "Film_Key", "[Film_Key!]!"] {
      let text = "query Q($k: \(type)) @auth(level: USER) { films { a } }"
      #expect(
        try lines(from: text, to: text, schema: one, becoming: keyed("[\"b\", \"a\", \"c\"]"))
          == ["b", "c"].map {
            "films.gql:1:9: $k of \"Q\" has to hold \"\($0)\", which old clients do not give. Keep the key of Film."
          })
      #expect(try lines(from: text, to: text, schema: two, becoming: keyed("[\"b\", \"a\"]")) == [])
    }
  }

  @Test func `of an enumeration is told once, where a client sees it`() throws {
    let less = Self.schema.replacingFirst("DULL BRIGHT", "BRIGHT")
    let gone =
      "schema.gql:1:6: The value \"DULL\" of the enumeration \"Mood\" is gone. Keep it: old clients still send it."
    for text in [
      "query Q @auth(level: USER) { films { mood more: mood } }",
      "query Q($m: Mood) @auth(level: USER) { films { id } }",
      "query Q($m: [Mood!]!) @auth(level: USER) { films { mood } }",
      "query Q($m: Film_Filter) @auth(level: USER) { films(where: $m) { id } }",
    ] {
      #expect(try lines(from: text, to: text, becoming: less) == [gone], "\(text)")
      #expect(try lines(from: text, to: text, schema: less, becoming: Self.schema) == [], "\(text)")
    }
    let other = "query Q @auth(level: USER) { ratings { id } }"
    #expect(try lines(from: other, to: other, becoming: less) == [])
    let query = "query Q @auth(level: USER) { films { mood } }"
    let between = Self.schema.replacingFirst("DULL BRIGHT", "DULL NEW BRIGHT")
    #expect(try lines(from: query, to: query, becoming: between) == [])
    #expect(
      try lines(
        from: query, to: query, schema: between, becoming: Self.schema.replacingFirst("DULL BRIGHT", "BRIGHT DULL"))
        == [
          gone.replacingFirst("DULL", "NEW"),
          "schema.gql:1:6: The values of the enumeration \"Mood\" are in another order. "
            + "Put them back: rows are sorted by it.",
        ])
  }

  @Test func `of an input is told by its fields`() throws {
    let text =
      "mutation Q($d: Film_Data! @allow(fields: \"title ratings_on_film { stars }\")) @auth(level: USER) { film_insert(data: $d) }"
    let float = Self.schema.replacingFirst("stars: Int!", "stars: Float!")
    #expect(
      try lines(from: text, to: text, becoming: float) == [
        "films.gql:1:12: Rating_Data.stars, which $d of \"Q\" may have, was Int and is Float. Add another column.",
        "films.gql:1:12: Rating_Data.stars_expr, which $d of \"Q\" may have, was Int_Expr and is Float_Expr. "
          + "Add another column.",
        "films.gql:1:12: Rating_Data.stars_update, which $d of \"Q\" may have, was [Int_Update!] and is "
          + "[Float_Update!]. Add another column.",
      ])
    let shorter = Self.schema.replacingFirst(" minutes: Int", "")
    #expect(
      try lines(from: text, to: text, becoming: shorter)
        == ["minutes", "minutes_expr", "minutes_update"].map {
          "films.gql:1:12: Film_Data.\($0), which $d of \"Q\" may have, is gone. Keep the column."
        })
    #expect(try lines(from: text, to: text, schema: shorter, becoming: Self.schema) == [])
  }

  @Test func `is one of five hundred at most`() throws {
    let names = (1...501).map { "query Q\($0) @auth(level: USER) { films { id } }" }
    let last = "query R @auth(level: USER) { films { id } }"
    let all = try lines(from: names.joined(separator: "\n"), to: last)
    #expect(all.count == 500)
    #expect(all.last?.hasPrefix("films.gql:500:1: The query \"Q500\" is gone.") == true)
    #expect(try lines(from: names.dropLast().joined(separator: "\n"), to: last).count == 500)
  }
}

extension String {
  /// With another name of the mutation.
  fileprivate var replacingName: String { replacingFirst("mutation Q", "mutation R") }

  /// With a part put in place of the first of another.
  fileprivate func replacingFirst(_ part: String, _ other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
