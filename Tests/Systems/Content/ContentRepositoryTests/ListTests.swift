import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A list` {
  @Test(
    arguments: [
      ("", ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]),
      ("sort: \"\"", ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]),
      ("sort: \"name DESC\"", ["Zürich", "San Jose", "Berlin", "Basel", "Basel"]),
      ("sort: \"population\"", ["Basel", "Zürich", "Basel", "San Jose", "Berlin"]),
      ("sort: \"population DESC\"", ["Berlin", "San Jose", "Basel", "Basel", "Zürich"]),
      ("sort: \"rating desc, name asc\"", ["Berlin", "San Jose", "Basel", "Basel", "Zürich"]),
      ("sort: \"visited DESC, _path DESC\"", ["Berlin", "Basel", "Zürich", "San Jose", "Basel"]),
      ("sort: \"isCapital DESC, country\"", ["Berlin", "Basel", "San Jose", "Basel", "Zürich"]),
      ("limit: 2", ["Basel", "Basel"]), ("offset: 3", ["San Jose", "Zürich"]), ("offset: 1, limit: 1", ["Basel"]),
      ("offset: 9", []), ("limit: 0", []), ("offset: 2147483647, limit: 2147483647", []), ("offset: null", nil),
      ("_locale: \"de-CH\"", ["Basel"]), ("_locale: \"en\", limit: 1", ["Basel"]), ("_locale: \"fr\"", []),
    ] as [(String, [String]?)])
  func `is sorted and cut`(arguments: String, names: [String]?) async throws {
    let query = "{ cityList\(arguments.isEmpty ? "" : "(\(arguments))") { items { name } } }"
    #expect(try await Samples.names(query) == names ?? ["Basel", "Basel", "Berlin", "San Jose", "Zürich"])
  }

  @Test(arguments: [
    ("ceo.name", ["Alone", "Next", "Pony"]), ("ceo.name DESC", ["Pony", "Next", "Alone"]),
    ("ceo.friend.name, name", ["Alone", "Pony", "Next"]),
  ])
  func `is sorted by fields of references`(sort: String, names: [String]) async throws {
    #expect(try await Samples.names("{ companyList(sort: \"\(sort)\") { items { name } } }") == names)
  }

  @Test(arguments: [
    ("cityList(sort: \"nme\")", "Invalid sort field: there is no \"nme\". Did you mean name?"),
    ("cityList(sort: \"categories\")", "Invalid sort field: \"categories\" is an array."),
    ("cityList(sort: \"words\")", "Invalid sort field: \"words\" cannot be sorted by."),
    ("cityList(sort: \"name.name\")", "Invalid sort field: \"name\" cannot be sorted by."),
    ("cityList(sort: \"name UP\")", "Invalid sort direction: \"UP\". Write ASC or DESC."),
    ("cityList(sort: \"name ASC DESC\")", "Invalid sort expression"),
    ("companyList(sort: \"ceo\")", "Invalid sort field: \"ceo\" cannot be sorted by."),
    ("cityList(offset: -1)", "\"offset\" must not be negative, but is -1."),
    ("cityList(limit: -2147483648)", "\"limit\" must not be negative, but is -2147483648."),
  ])
  func `says what is wrong with its arguments`(field: String, message: String) async throws {
    let answer = try await Samples.answer("{ \(field) { items { _path } } }")
    let error = try #require(answer["errors"]?[0])
    let name = field.prefix { $0 != "(" }
    #expect(error["message"]?.stringValue?.hasPrefix("Exception while fetching data (/\(name)) : \(message)") == true)
    #expect(error["extensions"] == ["classification": "DataFetchingException"])
    #expect(error["path"] == [.string(String(name))])
    #expect(error["locations"] == [["line": 1, "column": 3]])
    #expect(answer["data"] == .null)
  }

  @Test(
    arguments: [
      ("", ["a", "b"]), (#"(_locale: "en")"#, ["b"]), (#"(_locale: "EN")"#, ["b"]), (#"(_locale: "")"#, []),
      (#"(sort: "_locale DESC")"#, ["b", "a"]), ("(filter: {_locale: {_expressions: {value: null}}})", ["a"]),
      ("(filter: {_locale: {_expressions: {value: null, _operator: EQUALS_NOT}}})", ["b"]),
      (#"(filter: {_locale: {_expressions: {value: "", _operator: CONTAINS}}})"#, ["b"]),
    ] as [(String, [String])])
  func `has fragments of no locale`(arguments: String, names: [String]) async throws {
    let state = try Samples.state([
      "models/s/thing.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
      "content/dam/s/a.json": #"{"model": "thing", "fields": {"name": "a"}}"#,
      "content/dam/s/en/b.json": #"{"model": "thing", "fields": {"name": "b"}}"#,
    ])
    let answer = await state.run("{ thingList\(arguments) { items { name } } }")
    let items = answer["data"]?["thingList"]?["items"]?.arrayValue
    #expect(items?.map { $0["name"]?.stringValue ?? "" } == names)
  }

  @Test func `shows a variation, or the main one where there is none`() async throws {
    let query = "query($v: String) { cityList(variation: $v, sort: \"_path\") { items { name _variation } } }"
    let items = try await Samples.answer(query, ["v": "night"])["data"]?["cityList"]?["items"]?.arrayValue ?? []
    #expect(items.map { $0["_variation"]?.stringValue } == ["master", "master", "night", "master", "master"])
    #expect(items[2]["name"] == "Berlin at night")
    let only = #"(variation: "night", filter: {_variation: {_expressions: {value: "night"}}})"#
    #expect(try await Samples.names("{ cityList\(only) { items { name } } }") == ["Berlin at night"])
  }

  @Test func `shows all variations on demand`() async throws {
    let query = "{ cityList(includeVariations: true) { items { name } } }"
    #expect(
      try await Samples.names(query) == ["Basel", "Basel", "Berlin", "Berlin at night", "San Jose", "Zürich"])
  }

  // MARK: Pages

  static func pages(_ arguments: String, first: Int) async throws -> [[String]] {
    var (pages, cursor): ([[String]], JSONValue) = ([], .null)
    while pages.count < 20 {
      let query = """
        query($after: String) { cityPaginated(\(arguments) first: \(first), after: $after) {
          edges { cursor node { name _id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }
        """
      let page = try await Samples.answer(query, ["after": cursor])["data"]?["cityPaginated"]
      let edges = page?["edges"]?.arrayValue ?? []
      #expect(page?["pageInfo"]?["hasPreviousPage"] == .bool(!pages.isEmpty))
      #expect(page?["pageInfo"]?["startCursor"] == edges.first?["cursor"] ?? .null)
      pages.append(edges.compactMap { $0["node"]?["name"]?.stringValue })
      cursor = page?["pageInfo"]?["endCursor"] ?? .null
      if page?["pageInfo"]?["hasNextPage"] != true { break }
    }
    return pages
  }

  @Test func `comes page by page`() async throws {
    #expect(
      try await Self.pages("sort: \"name DESC\"", first: 2) == [
        ["Zürich", "San Jose"], ["Berlin", "Basel"], ["Basel"],
      ])
    #expect(
      try await Self.pages("sort: \"population, name DESC\"", first: 1)
        == [["Zürich"], ["Basel"], ["Basel"], ["San Jose"], ["Berlin"]])
    let unsorted = try await Self.pages("", first: 2).flatMap(\.self)
    #expect(unsorted.sorted() == `A filter`.all)
    #expect(try await Self.pages("includeVariations: true, sort: \"rating\"", first: 4).map(\.count) == [4, 2])
  }

  @Test func `has cursors that AEM's clients know`() async throws {
    // The base64 of "11111111-2222-4333-8444-555555555555".
    let cursor = "MTExMTExMTEtMjIyMi00MzMzLTg0NDQtNTU1NTU1NTU1NTU1"
    let query = #"{ cityPaginated(filter: {country: {_expressions: {value: "Germany"}}}) { edges { cursor } } }"#
    #expect(try await Samples.data(query) == #"{"cityPaginated":{"edges":[{"cursor":"\#(cursor)"}]}}"#)
  }

  @Test(arguments: ["nonsense", "bm9uc2Vuc2U=", "////", "MTExMTExMTEtMjIyMi00MzMzLTg0NDQtNTU1NTU1NTU1NTU1"])
  func `refuses the cursors of others`(cursor: String) async throws {
    let errors = try await Samples.errors(
      "query($a: String) { cityPaginated(sort: \"name\", after: $a) { edges { cursor } } }", ["a": .string(cursor)])
    #expect(errors.count == 1 && errors[0].contains("Invalid cursor"))
  }

  @Test func `goes on behind a fragment that is gone`() async throws {
    var files = Samples.files
    let query =
      "query($a: String) { cityPaginated(sort: \"name\", first: 3, after: $a) { edges { cursor node { name } } } }"
    let before = try await Samples.answer(query)["data"]?["cityPaginated"]?["edges"]
    files["content/dam/demo/en/cities/berlin.json"] = nil
    files["content/dam/demo/en/cities/basel.json"] = nil
    files["content/dam/demo/en/persons/lara.json"] = nil
    files["content/dam/demo/en/persons/cutter.json"] = nil
    files["content/dam/demo/en/persons/pony.json"] = nil
    files["content/dam/demo/en/persons/next.json"] = nil
    let state = try Samples.state(files)
    let after = await state.run(query, variables: ["a": before?[2]?["cursor"] ?? .null], configuration: "demo")
    let names = after["data"]?["cityPaginated"]?["edges"]?.arrayValue?.compactMap { $0["node"]?["name"]?.stringValue }
    #expect(before?[2]?["node"]?["name"] == "Berlin" && names == ["San Jose", "Zürich"])
  }

  @Test(arguments: [("first: 0", 0), ("first: 2147483647", 5), ("", 5)])
  func `bounds its pages`(arguments: String, count: Int) async throws {
    let query = "{ cityPaginated(\(arguments.isEmpty ? "sort: null" : arguments)) { edges { node { name } } } }"
    #expect(try await Samples.answer(query)["data"]?["cityPaginated"]?["edges"]?.arrayValue?.count == count)
  }
}
