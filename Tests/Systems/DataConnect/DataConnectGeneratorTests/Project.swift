import DataConnectCompiler
import DataConnectGenerator
import Files
import Testing

/// Compiles texts and generates the package of them.
enum Project {
  /// The service of the tutorial of the public tools.
  static let movies = """
    type Movie @table { title: String! imageUrl: String! genre: String releaseYear: Int views: Int64 tags: [String!] }
    type MovieMetadata @table { movie: Movie! @unique rating: Float released: Date description: String }
    type Actor @table { name: String! }
    type MovieActor @table(key: ["movie", "actor"]) { movie: Movie! actor: Actor! role: String! }
    type User @table(key: "id") { id: String! @default(expr: "auth.uid") username: String! }
    type Review @table(key: ["movie", "user"]) {
      id: UUID! @default(expr: "uuidV4()") user: User! movie: Movie! rating: Int text: String
      at: Timestamp! @default(expr: "request.time")
    }
    """

  static let listMovies = """
    mutation createMovie($title: String!, $genre: String!, $imageUrl: String!, $releaseYear: Int) @auth(level: USER) {
      movie_insert(data: {title: $title, genre: $genre, imageUrl: $imageUrl, releaseYear: $releaseYear})
    }
    query ListMovies($genre: String) @auth(level: USER) {
      movies(where: {genre: {eq: $genre}}) { id title imageUrl genre }
    }

    """

  /// - Parameter sdk: more lines of the `swiftSdk` in `connector.yaml`.
  static func compile(
    _ operations: String, schema: String = movies, id: String = "movies", sdk: [String] = []
  ) throws -> PackageGenerator {
    let result = try compiled(operations, schema: schema, id: id, sdk: sdk)
    #expect(result.problems.map(\.description) == [])
    return try generator(result)
  }

  /// The same, whatever is warned of.
  static func generator(_ operations: String, schema: String, id: String) throws -> PackageGenerator {
    try generator(try compiled(operations, schema: schema, id: id))
  }

  /// Whether a service has no errors.
  static func compiles(_ operations: String, schema: String) throws -> Bool {
    try compiled(operations, schema: schema).project != nil
  }

  private static func generator(_ result: CompiledProject.Result) throws -> PackageGenerator {
    let compiled = try #require(result.project)
    return try #require(compiled.generators(options: GenerationOptions(dependencyPath: "../../annex")).first)
  }

  private static func compiled(
    _ operations: String, schema: String, id: String = "movies", sdk: [String] = []
  ) throws -> CompiledProject.Result {
    let folder = try Folder.makeTemporary(beginning: "/tmp/service-")
    defer { try? Folder.remove(folder) }
    let lines = ["outputDir: ../gen", "package: Movies"] + sdk
    let files = [
      "dataconnect.yaml": """
      specVersion: v1
      serviceId: s
      location: us-east4
      schema:
        source: ./schema
        datasource: {postgresql: {database: d}}
      connectorDirs: [./connector]

      """,
      "connector/connector.yaml": """
      connectorId: \(id)
      generate:
        swiftSdk:
      \(lines.map { "    \($0)\n" }.joined())
      """,
      "connector/a.gql": operations, "schema/schema.gql": schema,
    ]
    for (path, text) in files {
      try Folder.make(Folder.parent(of: "\(folder)/\(path)"))
      try File.replace("\(folder)/\(path)", with: Array(text.utf8))
    }
    return CompiledProject.compile(folder)
  }

  /// One of the files: `Client`, `Keys`, `Operations`.
  static func text(_ part: String, of generator: PackageGenerator) throws -> String {
    try #require(generator.files.first { $0.path.hasSuffix("\(part).swift") }).text
  }

  /// The file with the operations.
  static func operations(_ operations: String, schema: String = movies) throws -> String {
    try text("Operations", of: try compile(operations, schema: schema))
  }

  /// A file beside the tests.
  static func golden(_ name: String) throws -> String {
    let path = "\(Folder.parent(of: #filePath))/Goldens/\(name)"
    return String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self)
  }
}
