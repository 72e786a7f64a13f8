import Testing

@testable import DataConnectCompiler

@Suite(.timeLimit(.minutes(1)))
struct `A name of a schema` {
  @Test(arguments: [
    ("", ""), ("A", "a"), ("AB", "ab"), ("Movie", "movie"), ("MovieMetadata", "movie_metadata"),
    ("imageURL", "image_url"), ("URLImage", "url_image"), ("aB", "a_b"), ("ABc", "a_bc"), ("aBCd", "a_b_cd"),
    ("a_B", "a_b"), ("A_B", "a_b"), ("a1B", "a1_b"), ("1A", "1_a"), ("AB1", "ab1"), ("Ab1", "ab1"), ("ÄÖl", "ä_öl"),
    ("éA", "é_a"), ("aÉ", "a_é"),
  ])
  func `is written with underscores in the database`(name: String, expected: String) {
    #expect(SQLName.snake(name) == expected)
  }

  @Test func `changes its first letter alone`() {
    #expect("ÄBc".loweringFirst == "äBc" && "äbC".raisingFirst == "ÄbC")
    #expect("".loweringFirst == "" && "".raisingFirst == "")
    #expect("a".raisingFirst == "A" && "_a".raisingFirst == "_a")
  }

  @Test func `is sorted by its bytes`() {
    let names = ["b", "é", "a", "Z", "ab", "a_b", "", "aB"]
    #expect(names.sorted(byName: \.self) == ["", "Z", "a", "aB", "a_b", "ab", "b", "é"])
    #expect(!"a".precedes("a") && "a".precedes("a_") && !"a_".precedes("a"))
  }

  @Test(arguments: ["_", "a", "z", "A", "Z", "a0", "a9", "__a", String(repeating: "a", count: 200)])
  func `of GraphQL has letters, digits and underscores`(name: String) { #expect(name.isGraphQLName) }

  @Test(arguments: [
    "", "0a", "9", "@a", "[a", "`a", "{a", "a/", "a:", "a@", "a[", "a`", "a{", "a b", "a-b", "é", "ae\u{301}",
    String(repeating: "a", count: 201),
  ])
  func `of GraphQL has nothing else`(name: String) { #expect(!name.isGraphQLName) }

  @Test func `in Pascal case has no underscores`() {
    #expect("my_state".pascalCase == "MyState" && "film".pascalCase == "Film" && "aB".pascalCase == "AB")
    #expect("_a__b_".pascalCase == "AB" && "_".pascalCase == "")
  }

  @Test func `is told where it is not in Pascal case`() {
    let result = Fixture.compile(
      "enum my_state { A } enum e { A } enum Your_State { A } type film_star @table { x: Int } type B_c @table { x: Int }"
    )
    #expect(result.schema != nil)
    #expect(
      result.problems.map(\.description) == [
        "schema.gql:1:6: warning: The enumeration \"my_state\" is not named in Pascal case. "
          + "Begin with a capital letter and use no underscore: MyState.",
        "schema.gql:1:26: warning: The enumeration \"e\" is not named in Pascal case. "
          + "Begin with a capital letter and use no underscore: E.",
        "schema.gql:1:39: warning: The enumeration \"Your_State\" is not named in Pascal case. "
          + "Begin with a capital letter and use no underscore: YourState.",
        "schema.gql:1:61: warning: The type \"film_star\" is not named in Pascal case. "
          + "Begin with a capital letter: FilmStar.",
      ])
  }

  @Test func `may have sixty-three bytes in the database`() throws {
    for name in [String(repeating: "a", count: 63), String(repeating: "é", count: 31), "a b", "0", "_a"] {
      #expect(try Fixture.schema("type A @table(name: \"\(name)\") { x: Int }").table("A")?.sqlName == name)
    }
  }

  @Test(arguments: [
    "Data", "Expr", "Filter", "FirstRow", "Having", "Key", "KeyOutput", "ListFilter", "ListUpdate", "Order",
  ])
  func `is refused where it is that of something generated`(suffix: String) {
    let start = "type A @table { x: Int } type "
    let refused = Fixture.compile("\(start)A_\(suffix) @table { x: Int }")
    #expect(refused.schema == nil)
    #expect(
      refused.problems.map(\.description).contains(
        "schema.gql:1:\(start.count + 1): error: The name \"A_\(suffix)\" is kept for what is generated of A. "
          + "Rename it."))
    #expect(Fixture.compile("\(start)B_\(suffix) @table { x: Int }").problems == [])
    #expect(Fixture.compile("\(start)A\(suffix) @table { x: Int }").problems == [])
  }

  @Test func `may be that of a table and of a view in the database`() throws {
    let schema = try Fixture.schema(
      "type A @view(name: \"x\") { n: Int } type B @table(name: \"x\") { n: Int } type C @view(name: \"x\") { n: Int }")
    #expect(schema.tables.map(\.sqlName) == ["x", "x", "x"])
    #expect(schema.tables.map(\.usualSQLName) == ["a", "b", "c"])
    #expect(schema.tables.map(\.kind) == [.view(sql: nil), .table, .view(sql: nil)])
  }

  @Test(arguments: [
    ("status", "statuses"), ("STATUS", "STATUSES"), ("Status", "Statuses"), ("CITY", "CITIES"), ("City", "Cities"),
    ("dayOfChild", "dayOfChildren"), ("ox", "oxen"), ("OX", "OXEN"), ("Ox", "Oxen"), ("Oxen", "Oxens"),
    ("people", "peoples"), ("we", "wes"), ("sheep", "sheeps"), ("News", "Newss"), ("i", "we"), ("it", "its"), ("", "s"),
    ("é", "és"), ("mouse", "mice"), ("fieldmouse", "fieldmouses"), ("Mouse", "Mice"), ("pokémon", "pokémons"),
    ("portuguese", "portugueses"), ("cheese", "cheeses"), ("thou", "you"), ("athou", "athous"),
  ])
  func `for several is that of the rules, in the case of the one`(name: String, plural: String) {
    #expect(EnglishNoun.plural(name) == plural)
  }
}
