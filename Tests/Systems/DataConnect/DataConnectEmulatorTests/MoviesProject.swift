import Files

/// The files of a project, in a folder that is gone with the value.
final class ProjectFolder: Sendable {
  let path: String

  init(_ files: [String: String]) throws {
    path = try Folder.makeTemporary(beginning: "/tmp/annex-emulator-")
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? Folder.remove(path) }

  func write(_ text: String, to name: String) throws {
    let file = "\(path)/\(name)"
    try Folder.make(Folder.parent(of: file))
    try File.replace(file, with: Array(text.utf8))
  }
}

/// The project that most tests serve.
enum Movies {
  static let configuration = """
    specVersion: "v1"
    serviceId: films
    location: us-east4
    schema:
      source: ./schema
      datasource: {postgresql: {database: d}}
    connectorDirs: [./movies]
    """
  static let connector = "connectorId: movies\n"
  static let schema = """
    enum Genre { DRAMA COMEDY }
    type Movie @table {
      title: String! @col(dataType: "varchar(60)")
      year: Int
      genre: Genre
      views: Int64! @default(value: 0)
      made: Timestamp! @default(expr: "request.time")
    }
    type Person @table { name: String! @unique }
    type Review @table(key: ["movie", "author"]) {
      movie: Movie!
      author: String! @default(expr: "auth.uid")
      stars: Int!
      text: String
    }
    type Note @table { author: String! @default(expr: "auth.uid") text: String! version: Int! @default(value: 1) }
    """

  static func files(operations: String, schema: String = schema) -> [String: String] {
    [
      "dataconnect.yaml": configuration, "movies/connector.yaml": connector, "schema/schema.gql": schema,
      "movies/operations.gql": operations,
    ]
  }
}
