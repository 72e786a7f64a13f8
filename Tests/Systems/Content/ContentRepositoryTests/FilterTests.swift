import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A filter` {
  static let all = ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]

  /// Filters of cities, and whom they leave: B(asel), b (Basel in German), N (Berlin), S(an Jose), Z(ürich).
  static let cases: [(String, String)] = [
    // Texts.
    (#"name: {_expressions: [{value: "Berlin"}]}"#, "N"),
    (#"name: {_expressions: {value: "Berlin", _operator: EQUALS}}"#, "N"),
    (#"name: {_expressions: [{value: "berlin"}]}"#, ""),
    (#"name: {_expressions: [{value: "zÜRICH", _ignoreCase: true}]}"#, "Z"),
    (#"name: {_expressions: [{value: "Berlin", _operator: EQUALS_NOT}]}"#, "bBSZ"),
    (#"name: {_expressions: [{value: "an", _operator: CONTAINS}]}"#, "S"),
    (#"name: {_expressions: [{value: "SAN", _operator: CONTAINS, _ignoreCase: true}]}"#, "S"),
    (#"name: {_expressions: [{value: "B", _operator: CONTAINS_NOT}]}"#, "SZ"),
    (#"name: {_expressions: [{value: "Ba", _operator: STARTS_WITH}]}"#, "bB"),
    (#"name: {_expressions: [{value: null}]}"#, ""),
    (#"name: {_logOp: OR, _expressions: [{value: "Berlin"}, {value: "San Jose"}]}"#, "NS"),
    (#"name: {_logOp: AND, _expressions: [{value: "Berlin"}, {value: "San Jose"}]}"#, ""),
    (#"name: {_expressions: []}"#, "bBNSZ"), (#"name: {_logOp: OR, _expressions: []}"#, "bBNSZ"), ("", "bBNSZ"),
    // Whole numbers and long ones.
    ("population: {_expressions: [{value: 172258}]}", "B"),
    ("population: {_expressions: [{value: 172258, _operator: UNEQUAL}]}", "bNSZ"),
    ("population: {_expressions: [{value: 1026350, _operator: GREATER}]}", "N"),
    ("population: {_expressions: [{value: 1026350, _operator: GREATER_EQUAL}]}", "NS"),
    ("population: {_expressions: [{value: 1026350, _operator: LOWER}]}", "B"),
    ("population: {_expressions: [{value: 1026350, _operator: LOWER_EQUAL}]}", "BS"),
    ("population: {_expressions: [{value: null}]}", "bZ"),
    ("population: {_expressions: [{value: null, _operator: UNEQUAL}]}", "BNS"),
    ("stars: {_expressions: [{value: 9007199254740993}]}", "N"),
    ("stars: {_expressions: [{value: 9007199254740992}]}", ""),
    // Numbers.
    ("rating: {_expressions: [{value: 4.5}]}", "NS"), ("rating: {_expressions: [{value: 4.4}]}", ""),
    ("rating: {_expressions: [{value: 4.4, _sensitiveness: 0.11}]}", "NS"),
    ("rating: {_expressions: [{value: 4.4, _sensitiveness: 0.11, _operator: UNEQUAL}]}", "bBZ"),
    ("rating: {_expressions: [{value: 4, _operator: GREATER}, {value: 4.5, _operator: LOWER}]}", "B"),
    // Booleans.
    ("isCapital: {_expressions: [{value: true}]}", "N"), ("isCapital: {_expressions: [{value: false}]}", "BS"),
    ("isCapital: {_expressions: [{value: null}]}", "bZ"),
    // Dates and times.
    (#"founded: {_expressions: [{value: "1237-10-28"}]}"#, "N"),
    (#"founded: {_expressions: [{value: "1237-10-28", _operator: NOT_AT}]}"#, "bBSZ"),
    (#"founded: {_expressions: [{value: "1000-01-01", _operator: BEFORE}]}"#, "B"),
    (#"founded: {_expressions: [{value: "0374-01-01", _operator: AT_OR_BEFORE}]}"#, "B"),
    (#"founded: {_expressions: [{value: "0374-01-01", _operator: AFTER}]}"#, "N"),
    (#"founded: {_expressions: [{value: "0374-01-01", _operator: AT_OR_AFTER}]}"#, "BN"),
    (#"opens: {_expressions: [{value: "08:00", _operator: AT}]}"#, "B"),
    (#"opens: {_expressions: [{value: "07:00:00", _operator: BEFORE}]}"#, "N"),
    (#"visited: {_expressions: [{value: "2024-05-01T08:00:00.000Z"}]}"#, "B"),
    (#"visited: {_expressions: [{value: "2024-05-01T10:00:00+02:00", _operator: AFTER}]}"#, "N"),
    // Arrays.
    (#"categories: {_expressions: [{value: "city:emea"}]}"#, "BN"),
    (#"categories: {_expressions: [{value: "city:emea", _apply: AT_LEAST_ONCE}]}"#, "BN"),
    (#"categories: {_expressions: [{value: "city:emea", _apply: ALL}]}"#, "B"),
    (#"categories: {_expressions: [{value: "city:emea"}, {value: "city:capital"}]}"#, "N"),
    (#"categories: {_logOp: OR, _expressions: [{value: "city:na"}, {value: "city:capital"}]}"#, "NS"),
    ("categories: {_logOp: OR, _expressions: []}", "bBNSZ"),
    (#"categories: {_expressions: [{value: "city:emea", _apply: ALL_OR_EMPTY}]}"#, "bBZ"),
    (#"categories: {_expressions: [{values: ["city:capital", "city:emea"]}]}"#, "N"),
    (#"categories: {_expressions: [{values: ["city:emea", "city:capital"]}]}"#, ""),
    (#"categories: {_expressions: [{values: ["city:emea"], _operator: EQUALS_NOT}]}"#, "bNSZ"),
    (#"categories: {_expressions: [{values: ["city:na", "city:capital"], _apply: AT_LEAST_ONCE}]}"#, "NS"),
    (#"categories: {_expressions: [{values: ["city:emea", "city:capital"], _apply: ALL}]}"#, "BN"),
    // A list of nothing is a list: no value is none.
    ("categories: {_expressions: [{values: []}]}", "bZ"),
    ("categories: {_expressions: [{values: [], _operator: EQUALS_NOT}]}", "BNS"),
    ("categories: {_expressions: [{values: [], _operator: CONTAINS}]}", ""),
    ("categories: {_expressions: [{values: [], _operator: CONTAINS_NOT}]}", "BNS"),
    ("categories: {_expressions: [{values: [], _apply: AT_LEAST_ONCE}]}", ""),
    ("categories: {_expressions: [{values: null}]}", "bZ"),
    ("categories: {_expressions: [{value: null, _apply: AT_LEAST_ONCE}]}", ""),
    ("categories: {_expressions: [{value: null, _apply: ALL_OR_EMPTY}]}", "bZ"),
    (#"categories: {_expressions: [{value: "capital", _operator: CONTAINS}]}"#, "N"),
    (#"categories: {_expressions: [{value: "city:NA", _ignoreCase: true}]}"#, "S"),
    (#"categories: {_expressions: [{value: null}]}"#, "bZ"),
    (#"categories: {_expressions: [{value: null, _operator: EQUALS_NOT}]}"#, "BNS"),
    ("scores: {_expressions: [{value: 2, _apply: INSTANCES, _instances: 2}]}", "N"),
    ("scores: {_expressions: [{value: 2, _apply: INSTANCES, _instances: 0}]}", "bSZ"),
    ("scores: {_expressions: [{value: 2, _apply: INSTANCES}]}", "B"),
    ("scores: {_expressions: [{value: 2, _operator: GREATER, _apply: AT_LEAST_ONCE}]}", "N"),
    ("scores: {_expressions: [{value: 2, _operator: GREATER_EQUAL, _apply: ALL}]}", "N"),
    (#"_tags: {_expressions: [{value: "trip:river", _operator: CONTAINS}]}"#, "BN"),
    (#"_tags: {_expressions: [{value: "trip:river", _apply: ALL}]}"#, "B"),
    // Long texts.
    (#"words: {plaintext: {_expressions: [{value: "Rhine", _operator: CONTAINS}]}}"#, "B"),
    (#"words: {markdown: {_expressions: [{value: "[Berlin](", _operator: CONTAINS}]}}"#, "B"),
    (#"words: {html: {_expressions: [{value: "wall", _operator: CONTAINS}]}}"#, "N"),
    (#"notes: {_match: {plaintext: {_expressions: [{value: "two"}]}}}"#, "BN"),
    (#"notes: {_apply: ALL, _match: {plaintext: {_expressions: [{value: "two"}]}}}"#, "N"),
    // What every fragment has.
    (#"_path: {_expressions: [{value: "/content/dam/demo/de_ch", _operator: STARTS_WITH}]}"#, "b"),
    (#"_id: {_expressions: [{value: "11111111-2222-4333-8444-555555555555"}]}"#, "N"),
    (#"_locale: {_expressions: [{value: "de_ch"}]}"#, "b"),
    (#"_variation: {_expressions: [{value: "master"}]}"#, "bBNSZ"),
    (#"_variations: {_expressions: [{value: "night"}]}"#, "N"),
    // Several fields.
    (#"country: {_expressions: [{value: "Switzerland"}]}, rating: {_expressions: [{value: 4.5}]}"#, ""),
    (#"_logOp: OR, country: {_expressions: [{value: "Switzerland"}]}, rating: {_expressions: [{value: 4.5}]}"#, "BNSZ"),
    ("_logOp: OR", "bBNSZ"),
  ]

  @Test(arguments: cases)
  func `leaves whom its operators leave`(filter: String, letters: String) async throws {
    let names = ["b": "Schweiz Basel", "B": "Switzerland Basel", "N": "Germany Berlin", "S": "USA San Jose"]
    let query = "{ cityList(filter: {\(filter)}) { items { name country } } }"
    let items = try await Samples.answer(query)["data"]?["cityList"]?["items"]?.arrayValue
    let found = items?.map { "\($0["country"]?.stringValue ?? "") \($0["name"]?.stringValue ?? "")" }
    #expect(found == letters.map { names[String($0)] ?? "Switzerland Zürich" })
  }

  @Test(arguments: [
    (#"employees: {_match: {name: {_expressions: [{value: "Smith"}]}}}"#, ["Next"]),
    (
      #"employees: {_apply: ALL, _match: {awards: {_match: {id: {_expressions: [{value: "GS"}]}}}}}"#, ["Pony"]
    ),
    (
      #"employees: {_apply: ALL_OR_EMPTY, _match: {awards: {_match: {id: {_expressions: [{value: "GS"}]}}}}}"#,
      ["Alone", "Pony"]
    ),
    (
      #"employees: {_apply: INSTANCES, _instances: 1, _match: {awards: {_match: {id: {_expressions: [{value: "GS"}]}}}}}"#,
      ["Next"]
    ),
    (#"employees: {_match: {}}"#, ["Next", "Pony"]),
    (#"ceo: {firstName: {_expressions: [{value: "Joe"}]}}"#, ["Pony"]),
    (#"ceo: {friend: {friend: {name: {_expressions: [{value: "Slade"}]}}}}"#, ["Next"]),
    (#"ceo: {name: {_expressions: [{value: "Smith", _operator: EQUALS_NOT}]}}"#, ["Next"]),
  ])
  func `goes through references`(filter: String, names: [String]) async throws {
    #expect(try await Samples.names("{ companyList(filter: {\(filter)}) { items { name } } }") == names)
  }

  @Test func `looks for its own spelling, also after another one`() async throws {
    let state = try Samples.state([
      "models/s/thing.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
      "content/dam/s/a.json": "{\"model\": \"thing\", \"fields\": {\"name\": \"\u{e9}\"}}",
      "content/dam/s/b.json": "{\"model\": \"thing\", \"fields\": {\"name\": \"e\u{301}\"}}",
    ])
    for (text, name) in [("\u{e9}", "a"), ("e\u{301}", "b"), ("\u{e9}", "a")] {
      let filter = "{name: {_expressions: {value: \"\(text)\"}}}"
      let answer = await state.run("{ thingList(filter: \(filter)) { items { _path } } }")
      let items = answer["data"]?["thingList"]?["items"]?.arrayValue
      #expect(items?.map { $0["_path"]?.stringValue } == ["/content/dam/s/\(name)"])
    }
  }

  @Test func `comes whole from a variable`() async throws {
    let query = "query($f: CityModelFilter) { cityList(filter: $f) { items { name } } }"
    #expect(try await Samples.names(query) == Self.all)
    let filter: JSONValue = ["population": ["_expressions": [["value": 1_026_350, "_operator": "GREATER_EQUAL"]]]]
    #expect(try await Samples.names(query, ["f": filter]) == ["Berlin", "San Jose"])
  }

  @Test func `has operators as variables`() async throws {
    let query = """
      query($value: Float!, $operator: FloatOperator!, $mode: ArrayMode) {
        cityList(filter: {rating: {_expressions: [{value: $value, _operator: $operator}]},
          scores: {_expressions: [{value: 3, _operator: LOWER, _apply: $mode}]}}) { items { name } }
      }
      """
    #expect(try await Samples.names(query, ["value": 4.25, "operator": "EQUAL", "mode": "ALL"]) == ["Basel"])
    let wrong = try await Samples.errors(query, ["value": 4.25, "operator": "EQUALS"])
    #expect(wrong.count == 1 && wrong[0].contains(#"There is no value "EQUALS" in the enumeration "FloatOperator""#))
  }

  @Test func `on a date wants a date`() async throws {
    let errors = try await Samples.errors(
      #"{ cityList(filter: {founded: {_expressions: [{value: "May"}]}}) { items { name } } }"#)
    #expect(errors.count == 1 && errors[0].hasPrefix("Validation error (WrongType) : "))
  }
}
