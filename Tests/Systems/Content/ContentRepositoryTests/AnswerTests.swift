import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An answer` {
  static let berlin = "/content/dam/demo/en/cities/berlin"
  static let basel = "/content/dam/demo/en/cities/basel"
  static let map = "/content/dam/demo/en/pictures/map.png"

  @Test func `has what every fragment has`() async throws {
    let query = """
      { cityByPath(_path: "\(Self.berlin)", variation: "night") { item {
        __typename _id _path _locale _variation _variations _tags _model { _path title }
        _metadata { stringMetadata { name value } stringArrayMetadata { name value } intMetadata { name value } }
        name population stars isCapital founded opens visited categories scores notes { plaintext } data } } }
      """
    #expect(
      try await Samples.data(query) == """
        {"cityByPath":{"item":{"__typename":"CityModel","_id":"11111111-2222-4333-8444-555555555555",\
        "_path":"\(Self.berlin)","_locale":"en","_variation":"night","_variations":["night"],\
        "_tags":["trip:night","trip:river"],\
        "_model":{"_path":"/conf/demo/settings/dam/cfm/models/city","title":"City"},\
        "_metadata":{"stringMetadata":[{"name":"title","value":"Berlin by night"},{"name":"description","value":""}],\
        "stringArrayMetadata":[{"name":"cq:tags","value":["trip:night","trip:river"]}],"intMetadata":[]},\
        "name":"Berlin at night","population":3669491,"stars":9007199254740993,"isCapital":true,\
        "founded":"1237-10-28","opens":"23:00:00","visited":"2024-05-01T09:00:00Z",\
        "categories":["city:capital","city:emea"],"scores":[2,2,3],"notes":[{"plaintext":"two"}],"data":null}}}
        """)
  }

  @Test func `finds a fragment by its identifier`() async throws {
    let query = "query($id: String!) { cityById(_id: $id) { item { name } } }"
    let id: JSONObject = ["id": "11111111-2222-4333-8444-555555555555"]
    #expect(try await Samples.data(query, id) == #"{"cityById":{"item":{"name":"Berlin"}}}"#)
    #expect(try await Samples.data(query, ["id": "none"]) == #"{"cityById":{"item":null}}"#)
  }

  @Test(arguments: ["/content/dam/demo/en/cities/bonn", "/content/dam/demo/en/persons/lara", ""])
  func `is without an item for a path of nothing`(path: String) async throws {
    let query = "query($p: String!) { cityByPath(_path: $p) { item { name } _references { __typename } } }"
    #expect(try await Samples.data(query, ["p": .string(path)]) == #"{"cityByPath":{"item":null,"_references":[]}}"#)
  }

  @Test func `has null for what a fragment does not say, whatever the model requires`() async throws {
    let query = """
      { cityByPath(_path: "/content/dam/demo/en/cities/zurich") { item {
        population words { html } notes { html } picture { ... on ImageRef { _path } } categories data } } }
      """
    let nulls = ["population", "words", "notes", "picture", "categories", "data"].map { "\"\($0)\":null" }
    #expect(try await Samples.data(query) == #"{"cityByPath":{"item":{\#(nulls.joined(separator: ","))}}}"#)
  }

  @Test func `follows references to fragments, one, many and of several models`() async throws {
    let query = """
      { personByPath(_path: "/content/dam/demo/en/persons/lara", variation: "night") { item {
        friend { firstName friend { firstName } } awards { id }
        likes { __typename ... on CityModel { name _variation } ... on PersonModel { title: name } } } } }
      """
    #expect(
      try await Samples.data(query) == """
        {"personByPath":{"item":{"friend":{"firstName":"Cutter","friend":{"firstName":"Lara"}},"awards":[{"id":"GS"}],\
        "likes":[{"__typename":"CityModel","name":"Berlin at night","_variation":"night"},\
        {"__typename":"PersonModel","title":"Slade"}]}}}
        """)
  }

  @Test func `tells assets apart`() async throws {
    let query = """
      { cityByPath(_path: "\(Self.berlin)") { item {
        photo { _path type mimeType width height _authorUrl _publishUrl _dmS7Url }
        files { __typename
          ... on DocumentRef { type format size } ... on ArchiveRef { format } ... on MultimediaRef { type format }
          ... on PageRef { _path type _publishUrl } ... on ImageRef { mimeType width _dynamicUrl } } } } }
      """
    let options = RunOptions(authorURL: "http://a:4502", publishURL: "http://p:4503")
    #expect(
      try await Samples.data(query, [:], options) == """
        {"cityByPath":{"item":{"photo":{"_path":"\(Self.map)","type":"image","mimeType":"image/png",\
        "width":320,"height":200,"_authorUrl":"http://a:4502\(Self.map)","_publishUrl":"http://p:4503\(Self.map)",\
        "_dmS7Url":null},\
        "files":[{"__typename":"DocumentRef","type":"document","format":"application/pdf","size":4},\
        {"__typename":"ArchiveRef","format":"application/zip"},\
        {"__typename":"MultimediaRef","type":"multimedia","format":"video/mp4"},\
        {"__typename":"PageRef","_path":"/content/demo/en/start","type":"page",\
        "_publishUrl":"http://p:4503/content/demo/en/start.html"},\
        {"__typename":"ImageRef","mimeType":"image/svg+xml","width":null,"_dynamicUrl":null}]}}}
        """)
  }

  @Test func `lists what its content refers to, once each`() async throws {
    let query = """
      { cityList(filter: {_locale: {_expressions: {value: "en"}}}) { items { _references { __typename } }
        _references { __typename ... on ImageRef { _path } ... on CityModel { name } } } }
      """
    let list = try await Samples.answer(query)["data"]?["cityList"]
    #expect(
      list?["_references"]?.description == """
        [{"__typename":"CityModel","name":"Berlin"},{"__typename":"ImageRef","_path":"\(Self.map)"},\
        {"__typename":"DocumentRef"},{"__typename":"ArchiveRef"},{"__typename":"MultimediaRef"},\
        {"__typename":"PageRef"},{"__typename":"ImageRef","_path":"/content/dam/demo/en/files/line.svg"}]
        """)
    #expect(
      list?["items"]?[0]?["_references"]?.description == #"[{"__typename":"CityModel"},{"__typename":"ImageRef"}]"#)
  }

  @Test func `has long texts in four forms`() async throws {
    let query = #"{ cityByPath(_path: "\#(Self.basel)") { item { words { html plaintext markdown json } } } }"#
    let words = try await Samples.answer(query)["data"]?["cityByPath"]?["item"]?["words"]
    #expect(words?["plaintext"]?.stringValue?.hasPrefix("On the Rhine. See Berlin.") == true)
    #expect(words?["html"]?.stringValue?.contains(#"<a href="\#(Self.berlin)">Berlin</a>"#) == true)
    #expect(words?["markdown"]?.stringValue?.contains("[Berlin](\(Self.berlin))") == true)
    #expect(words?["json"]?[0]?["nodeType"] == "paragraph")
  }

  // MARK: Pictures

  @Test(arguments: [
    ("", "map.png"), ("preferWebp: true", "map.png?preferwebp=true"),
    ("width: 50, quality: 101", "map.png?width=50&quality=100"),
    ("format: JPG, preferWebp: true, width: 1200, quality: 80", "map.jpg?preferwebp=true&width=1200&quality=80"),
    ("format: WEBPLY, seoName: \"a b/ü\"", "a%20b%2F%C3%BC.webp?format=WEBPLY"),
    (
      "format: GIF, crop: {xOrigin: 10, yOrigin: 20, width: 50, height: 45}, size: {height: 100, width: 200}, rotation: R90, "
        + "flip: HORIZONTAL_AND_VERTICAL",
      "map.gif?crop=10,20,50,45&size=200,100&rotate=90&flip=HORIZONTAL_AND_VERTICAL"
    ),
    ("crop: {xOrigin: 0, yOrigin: 0, width: 50}, size: {height: 9}", "map.png?crop=0,0,50,50&size=9,9"),
    ("seoName: \"\", width: -5", "map.png?width=0"), ("format: PNG8", "map.png?format=PNG8"),
  ])
  func `carries the transform in the URL of a picture`(transform: String, url: String) async throws {
    let query =
      #"{ cityByPath(_path: "\#(Self.basel)", _assetTransform: {\#(transform)}) { item { picture { ... on ImageRef { _id _dynamicUrl } } } } }"#
    let picture = try await Samples.answer(query)["data"]?["cityByPath"]?["item"]?["picture"]
    let id = try #require(picture?["_id"]?.stringValue)
    #expect(picture?["_dynamicUrl"]?.stringValue == "/adobe/dynamicmedia/deliver/dm-aid--\(id)/\(url)")
    #expect(try #require(Samples.state).asset(id: id)?.path == Self.map)
  }

  @Test func `has no URL for a picture on demand`() async throws {
    let query = #"{ cityByPath(_path: "\#(Self.basel)") { item { picture { ... on ImageRef { _dynamicUrl } } } } }"#
    let data = try await Samples.data(query, [:], RunOptions(hasDynamicURLs: false))
    #expect(data == #"{"cityByPath":{"item":{"picture":{"_dynamicUrl":null}}}}"#)
  }

  // MARK: Errors

  @Test(arguments: [
    ("{ cityList { items { nme } } }", "ValidationError", "Validation error (FieldUndefined) : ", 1, 22),
    ("{ cityList(a: 1) { items { name } } }", "ValidationError", "Validation error (UnknownArgument) : ", 1, 12),
    ("{ cityList }", "ValidationError", "Validation error (SubselectionRequired) : ", 1, 3),
    ("{ cityByPath { item { name } } }", "ValidationError", "Validation error (MissingFieldArgument) : ", 1, 3),
    ("query($a: Int) { cityList { items { name } } }", "ValidationError", "Validation error (UnusedVariable) : ", 1, 7),
    ("{ cityList { items { name } }", "InvalidSyntax", "Invalid syntax at line 1 column 30: ", 1, 30),
    ("", "InvalidSyntax", "Invalid syntax", 1, 1),
  ])
  func `is AEM's for what is wrong with a query`(
    query: String, classification: String, message: String, line: Int, column: Int
  ) async throws {
    let answer = try await Samples.answer(query)
    let error = try #require(answer["errors"]?[0])
    #expect(answer.keys == ["errors", "data"] && answer["data"] == .null)
    #expect(error["message"]?.stringValue?.hasPrefix(message) == true, "\(error)")
    #expect(error["extensions"]?["classification"] == .string(classification))
    #expect(error["locations"]?[0] == ["line": JSONValue(line), "column": JSONValue(column)])
  }

  @Test func `is for the models of its configuration`() async throws {
    let state = try ContentRepository(root: nil).state
    let other = await state.run("{ adventureList { items { slug } } }", configuration: "nobody's")
    #expect(other["data"]?["adventureList"]?["items"]?.arrayValue?.count == 16)
    let wrong = await state.run("{ cityList { items { name } } }", configuration: "wknd-shared")
    #expect(wrong["errors"]?[0]?["message"]?.stringValue?.contains("FieldUndefined") == true)
  }

  @Test func `comes of the operation that is named`() async throws {
    let state = try #require(Samples.state)
    let query = "query A { cityList(limit: 1) { items { name } } } query B { awardList { items { id } } }"
    let second = await state.run(query, operationName: "B", configuration: "demo")
    #expect(second["data"]?["awardList"]?["items"]?.arrayValue?.count == 2)
    let none = await state.run(query, configuration: "demo")
    #expect(none["errors"]?[0]?["message"]?.stringValue?.contains("none was chosen") == true)
  }
}
