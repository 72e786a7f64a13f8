import ContentClient
import JSON
import Testing

private func result(_ data: String, errors: [QueryError] = []) throws -> ContentResult {
  ContentResult(data: try JSONValue(parsing: data), errors: errors, httpStatus: 200, source: .network, ageSeconds: 0)
}

@Suite(.timeLimit(.minutes(1)))
struct `The root of an answer` {
  typealias Case = (data: String, name: String, form: ContentRoot.Form, model: String, fragments: [JSONValue])

  static let cases: [Case] = [
    (#"{"adventureList":{"items":[1,null]}}"#, "adventureList", .list, "adventure", [1, .null]),
    (#"{"personList":{"items":[]}}"#, "personList", .list, "person", []),
    (#"{"articleByPath":{"item":{"a":1}}}"#, "articleByPath", .byPath, "article", [["a": 1]]),
    (#"{"articleByPath":{"item":null}}"#, "articleByPath", .byPath, "article", []),
    (#"{"articleById":{"item":{"a":1}}}"#, "articleById", .byID, "article", [["a": 1]]),
    (
      #"{"xPaginated":{"edges":[{"node":1},{"node":null},{},null],"pageInfo":{}}}"#, "xPaginated", .paginated, "x",
      [1, .null, .null, .null]
    ),
    (#"{"shoppingListList":{"items":[2]}}"#, "shoppingListList", .list, "shoppingList", [2]),
    // An alias, beside what is no root.
    (#"{"mine":{"items":[3]},"count":4,"other":{"x":1}}"#, "mine", .list, "mine", [3]),
    (#"{"one":{"item":{"a":1}}}"#, "one", .byPath, "one", [["a": 1]]),
    (#"{"page":{"edges":[]}}"#, "page", .paginated, "page", []),
  ]

  @Test(arguments: cases.indices) func `is found by its form`(index: Int) throws {
    let (data, name, form, model, fragments) = Self.cases[index]
    let root = try result(data).root()
    #expect(root.name == name && root.form == form && root.model == model)
    #expect(try root.fragments() == fragments)
  }

  @Test(arguments: [
    ("{}", "nothing"), (#"{"adventure":{"title":"x"}}"#, "\"adventure\""), (#"{"a":null,"b":[1]}"#, "\"a\", \"b\""),
    (#"{"aList":{"items":[]},"bByPath":{"item":null}}"#, "more than one"), (#"{"aList":[1]}"#, "\"aList\""),
    (#"{"List":1}"#, "\"List\""),
  ])
  func `is said to be missing, with what is there`(data: String, says: String) throws {
    let error = #expect(throws: ContentError.self) { try result(data).root() }
    #expect(error?.kind == .unexpectedContent)
    #expect(error?.message.contains(says) == true)
  }

  @Test(arguments: [
    (#"{"adventureList":null}"#, "\"adventureList\" is null"), (#"{"aList":{}}"#, "has no \"items\""),
    (#"{"aList":{"items":null}}"#, "\"aList.items\" is null"), (#"{"aList":{"items":{}}}"#, "is an object"),
    (#"{"aByPath":null}"#, "is null"), (#"{"aByPath":{}}"#, "has no \"item\""),
    (#"{"aById":{"item":[]}}"#, "is an array"),
    (#"{"aPaginated":{"edges":"x"}}"#, "is a string"), (#"{"aPaginated":{"items":[]}}"#, "has no \"edges\""),
  ])
  func `is told apart from an empty list when it is null or of another kind`(data: String, says: String) throws {
    let root = try result(data).root()
    let error = #expect(throws: ContentError.self) { try root.fragments() }
    #expect(error?.kind == .unexpectedContent)
    #expect(error?.message.contains(says) == true)
  }

  @Test func `says with the error of its field why it is null`() throws {
    let errors = [QueryError(["message": "other"]), QueryError(["message": "forbidden", "path": ["aList"]])]
    let root = try result(#"{"aList":null}"#, errors: errors).root()
    let error = #expect(throws: ContentError.self) { try root.fragments() }
    #expect(error?.message == "\"aList\" is null in the answer: forbidden (at aList)")
    #expect(error?.errors == errors)
  }

  @Test func `says with the first error why it is null, or that none says it`() throws {
    let others = [QueryError(["message": "other", "path": ["bList"]]), QueryError(["message": "more"])]
    let cases: [([QueryError], String)] = [(others, ": other (at bList)"), ([], ", and no error says why.")]
    for (errors, reason) in cases {
      let root = try result(#"{"aList":null}"#, errors: errors).root()
      let error = #expect(throws: ContentError.self) { try root.fragments() }
      #expect(error?.message == "\"aList\" is null in the answer\(reason)")
    }
  }

  @Test func `of another model is told`() throws {
    let root = try result(#"{"personList":{"items":[{"fullName":"x"}]}}"#).root()
    let error = #expect(throws: ContentError.self) { try root.require(model: "adventure") }
    #expect(error?.kind == .unexpectedContent)
    #expect(error?.message.contains("personList") == true && error?.message.contains("adventure") == true)
    try root.require(model: "person")
  }
}
