import ContentRepository
import JSON
import Testing

/// Small contents, and what is asked of them.
enum Samples {
  /// Cities, persons with awards and companies.
  static let files: [String: String] = {
    var files = [
      "models/demo/city.json": """
      {"title": "City", "fields": [
        {"name": "name", "type": "text", "unique": true}, {"name": "country", "type": "text"},
        {"name": "population", "type": "integer"}, {"name": "rating", "type": "float"},
        {"name": "founded", "type": "date"}, {"name": "opens", "type": "time"},
        {"name": "visited", "type": "dateTime"}, {"name": "isCapital", "type": "boolean"},
        {"name": "stars", "type": "long"}, {"name": "categories", "type": "tags"},
        {"name": "scores", "type": "integer", "multiple": true},
        {"name": "words", "type": "multiLine", "format": "markdown"},
        {"name": "notes", "type": "multiLine", "format": "plaintext", "multiple": true},
        {"name": "data", "type": "json"}, {"name": "picture", "type": "content"},
        {"name": "photo", "type": "content", "accepts": ["image"]},
        {"name": "files", "type": "content", "multiple": true}
      ]}
      """,
      "models/demo/award.json": #"{"title": "Award", "fields": [{"name": "id", "type": "text"}]}"#,
      "models/demo/person.json": """
      {"title": "Person", "fields": [
        {"name": "name", "type": "text"}, {"name": "firstName", "type": "text"},
        {"name": "awards", "type": "fragment", "models": ["award"], "multiple": true},
        {"name": "friend", "type": "fragment", "models": ["person"]},
        {"name": "likes", "type": "fragment", "models": ["city", "person"], "multiple": true}
      ]}
      """,
      "models/demo/company.json": """
      {"title": "Company", "fields": [
        {"name": "name", "type": "text"}, {"name": "ceo", "type": "fragment", "models": ["person"]},
        {"name": "employees", "type": "fragment", "models": ["person"], "multiple": true}
      ]}
      """,
      "content/dam/demo/en/pictures/map.png.json": #"{"drawing": "map", "width": 320, "height": 200}"#,
      "content/dam/demo/en/files/plan.pdf": "%PDF", "content/dam/demo/en/files/all.zip": "PK",
      "content/dam/demo/en/files/film.mp4": "film", "content/dam/demo/en/files/line.svg": "<svg/>",
    ]
    for (path, text) in cities { files["content/dam/demo/\(path).json"] = text }
    for (name, text) in persons { files["content/dam/demo/en/persons/\(name).json"] = text }
    return files
  }()

  private static let cities = [
    "en/cities/basel": """
    {"model": "demo/city", "tags": ["trip:river"], "fields": {"name": "Basel", "country": "Switzerland",
      "population": 172258, "rating": 4.25, "founded": "0374-01-01", "opens": "08:00:00",
      "visited": "2024-05-01T10:00:00+02:00", "isCapital": false, "categories": ["city:emea"], "scores": [1, 2],
      "words": "On the *Rhine*. See [Berlin](/content/dam/demo/en/cities/berlin).", "notes": ["one", "two"],
      "data": {"a": [1]}, "picture": "/content/dam/demo/en/pictures/map.png"}}
    """,
    "en/cities/berlin": """
    {"model": "demo/city", "id": "11111111-2222-4333-8444-555555555555", "tags": ["trip:night", "trip:river"],
      "fields": {"name": "Berlin", "country": "Germany", "population": 3669491, "rating": 4.5,
      "founded": "1237-10-28", "opens": "00:30:00", "visited": "2024-05-01T09:00:00Z", "isCapital": true,
      "stars": 9007199254740993, "categories": ["city:capital", "city:emea"], "scores": [2, 2, 3],
      "words": "No wall.", "notes": ["two"], "photo": "/content/dam/demo/en/pictures/map.png",
      "files": ["/content/dam/demo/en/files/plan.pdf", "/content/dam/demo/en/files/all.zip",
        "/content/dam/demo/en/files/film.mp4", "/content/demo/en/start", "/content/dam/demo/en/files/line.svg"]},
      "variations": {"night": {"title": "Berlin by night", "fields": {"name": "Berlin at night", "opens": "23:00:00"}}}}
    """,
    "en/cities/san-jose": """
    {"model": "demo/city", "fields": {"name": "San Jose", "country": "USA", "population": 1026350, "rating": 4.5,
      "isCapital": false, "categories": ["city:na"], "scores": []}}
    """,
    "en/cities/zurich": #"{"model": "demo/city", "fields": {"name": "Zürich", "country": "Switzerland"}}"#,
    "de_ch/cities/basel": #"{"model": "demo/city", "fields": {"name": "Basel", "country": "Schweiz"}}"#,
  ]

  private static let persons = [
    "gs": #"{"model": "demo/award", "fields": {"id": "GS"}}"#,
    "gb": #"{"model": "demo/award", "fields": {"id": "GB"}}"#,
    "lara": """
    {"model": "demo/person", "fields": {"name": "Croft", "firstName": "Lara",
      "awards": ["/content/dam/demo/en/persons/gs"], "friend": "/content/dam/demo/en/persons/cutter",
      "likes": ["/content/dam/demo/en/cities/berlin", "/content/dam/demo/en/persons/cutter"]}}
    """,
    "cutter": """
    {"model": "demo/person", "fields": {"name": "Slade", "firstName": "Cutter",
      "awards": ["/content/dam/demo/en/persons/gb", "/content/dam/demo/en/persons/gs"],
      "friend": "/content/dam/demo/en/persons/lara"}}
    """,
    "joe": #"{"model": "demo/person", "fields": {"name": "Smith", "firstName": "Joe"}}"#,
    "pony": """
    {"model": "demo/company", "fields": {"name": "Pony", "ceo": "/content/dam/demo/en/persons/joe",
      "employees": ["/content/dam/demo/en/persons/lara", "/content/dam/demo/en/persons/cutter"]}}
    """,
    "next": """
    {"model": "demo/company", "fields": {"name": "Next", "ceo": "/content/dam/demo/en/persons/cutter",
      "employees": ["/content/dam/demo/en/persons/joe", "/content/dam/demo/en/persons/lara"]}}
    """,
    "alone": #"{"model": "demo/company", "fields": {"name": "Alone"}}"#,
  ]

  static let state: ContentState? = try? state(files)

  static func state(_ files: [String: String]) throws -> ContentState {
    try ContentRepository(files: files.mapValues { Array($0.utf8) }).state
  }

  /// The whole answer.
  static func answer(_ query: String, _ variables: JSONObject = [:], _ options: RunOptions = RunOptions()) async throws
    -> JSONObject
  {
    let state = try #require(state)
    return await state.run(query, variables: variables, configuration: "demo", options: options)
  }

  /// The data, as text.
  static func data(_ query: String, _ variables: JSONObject = [:], _ options: RunOptions = RunOptions()) async throws
    -> String
  {
    let answer = try await answer(query, variables, options)
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    return answer["data"]?.description ?? "none"
  }

  /// The messages of the errors.
  static func errors(_ query: String, _ variables: JSONObject = [:]) async throws -> [String] {
    try await answer(query, variables)["errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
  }

  /// The names of the items of the only root field.
  static func names(_ query: String, _ variables: JSONObject = [:]) async throws -> [String] {
    let answer = try await answer(query, variables)
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    let root = answer["data"]?.objectValue?.first?.value
    return root?["items"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
  }
}
