import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A printer of GraphQL` {
  static func tree(_ text: String) throws -> [DefinitionNode] {
    let result = GraphQLParser.read([GraphQLSource(text)], keepsPositions: false)
    #expect(result.errors.isEmpty, "\(result.errors)")
    return result.document.definitions
  }

  static func printed(_ text: String) throws -> String {
    GraphQLPrinter.text(of: try GraphQLParser.parse(GraphQLSource(text)))
  }

  static let operations = """
    query Movies($genre: String! = "a\\nb" @retired(reason: "old"), $ids: [ID!]! = [1, 2]) @auth(level: USER) {
      all: movies(
        where: {genre: {eq: $genre}, _or: [{a: 1.5}, {b: null}], title: {contains: "something"}}
        limit: 10
      ) @redact {
        id
        ...Parts @include(if: true)
        ... on Movie @skip(if: $x) {
          title(form: LONG)
        }
        ... {
          rating
        }
      }
    }

    {
      a
    }

    mutation {
      b
    }

    query ($a: Int) {
      a(text: \"\"\"
      several
        lines
      \"\"\")
    }

    fragment Parts on Movie @x {
      id
    }
    """

  static let system = """
    \"\"\"The schema\"\"\"
    schema @a {
      query: Query
      mutation: Mutation
    }

    "short"
    scalar Date @specifiedBy(url: "https://example.com")

    \"\"\"
    A film.

      Indented.
    \"\"\"
    type Movie implements Node & Named @table(key: ["id"]) {
      \"\"\"The key\"\"\"
      id: ID! @default(expr: "uuidV4()")
      list(first: Int = 10, after: String @x): [Movie!]!
      other(
        "about it"
        a: Int

        "and it"
        b: Int
      ): Int
    }

    interface Node implements Thing {
      id: ID!
    }

    union Any = Movie | Book

    enum Genre {
      DRAMA
      "funny"
      COMEDY @deprecated
    }

    input Filter @one {
      eq: String = "a"
      in: [String!]
    }

    directive @table(name: String, key: [String!]) repeatable on OBJECT | FIELD_DEFINITION

    directive @b on QUERY

    extend schema @x

    extend type Movie @b

    extend union Any = Shelf

    extend input Filter {
      ne: String
    }

    extend enum Genre {
      HORROR
    }

    extend scalar Date @x

    extend interface Node {
      name: String
    }

    type Empty
    """.replacing("    a: Int\n\n", with: "    a: Int\n")

  @Test(arguments: [operations, system]) func `leaves its own form alone`(text: String) throws {
    #expect(try Self.printed(text) == text)
    #expect(try Self.tree(Self.printed(text)) == Self.tree(text))
  }

  @Test(arguments: [
    ("query{a,b}", "{\n  a\n  b\n}"), ("query A{a(b:\"\\u0007\\u{9f}\")}", "query A {\n  a(b: \"\\u0007\\u009F\")\n}"),
    ("type A query{b}{c}", "type A\n\nquery {\n  b\n}\n\n{\n  c\n}"), ("union A=|B|C", "union A = B | C"),
    ("type A implements&B&C{d:E}", "type A implements B & C {\n  d: E\n}"),
    ("directive@a on|QUERY", "directive @a on QUERY"), ("{a@b@c(d:{})}", "{\n  a @b @c(d: {})\n}"),
  ])
  func `writes the usual form`(text: String, expected: String) throws {
    #expect(try Self.printed(text) == expected)
    #expect(try Self.tree(text) == Self.tree(expected))
  }

  @Test func `writes one definition without what stands before it`() throws {
    let definitions = try Self.tree("type A query { b } { c }")
    #expect(definitions.map { GraphQLPrinter.text(of: $0) } == ["type A", "{\n  b\n}", "{\n  c\n}"])
  }

  static let pieces = [" ", "a", "\"", "\\", "\n", "\t", "\\\"\"\"", "\u{301}", "\u{600}", "é", "b  ", "\r\n"]

  @Test func `writes block strings that read back`() throws {
    // Numbers of a simple generator: always the same texts.
    var state: UInt64 = 7
    for _ in 0..<4_000 {
      var text = ""
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += Self.pieces[Int(state >> 33) % Self.pieces.count]
      }
      while text.utf8.last == 0x22 || text.utf8.last == 0x5C { text += "." }
      text = text.replacing("\"\"\"", with: "\"\" \"")
      let source = "{\n  a(b: \"\"\"\(text)\"\"\")\n  c {\n    d(e: [\"\"\"\(text)\"\"\"])\n  }\n}"
      let result = GraphQLParser.read([GraphQLSource(source)], keepsPositions: false)
      if !result.errors.isEmpty { continue }
      let again = GraphQLPrinter.text(of: result.document)
      #expect(try Self.tree(again) == result.document.definitions, "\(source)\n\(again)")
      #expect(try Self.printed(again) == again)
    }
  }
}
