/// The service that `host data init` begins where there is none.
enum StarterService {
  /// The files by their paths below the folder of the service.
  static let files: [(path: String, text: String)] = [
    (
      "dataconnect.yaml",
      """
      specVersion: "v1"
      serviceId: "service"
      location: "us-east4"
      schema:
        source: "./schema"
        datasource:
          postgresql:
            database: "fdcdb"
      connectorDirs: ["./connector"]

      """
    ),
    (
      "schema/schema.gql",
      """
      # A table is a type; the column "id" with the key comes by itself.
      type Note @table {
        title: String!
        text: String
        at: Timestamp! @default(expr: "request.time")
      }

      """
    ),
    (
      "connector/operations.gql",
      """
      # Who may call an operation stands beside it: USER is who is signed in, PUBLIC is everybody.
      query listNotes @auth(level: USER) {
        notes(orderBy: [{ at: DESC }]) { id title text }
      }

      mutation createNote($title: String!, $text: String) @auth(level: USER) {
        note_insert(data: { title: $title, text: $text })
      }

      """
    ),
  ]

  /// Returns the `connector.yaml` that generates a Swift package.
  static func connector(_ id: String, _ output: String, _ package: String) -> String {
    """
    connectorId: "\(id)"
    generate:
      swiftSdk:
        outputDir: "\(output)"
        package: "\(package)"

    """
  }

  /// `FriendlyFlixSDK` for `friendly-flix`.
  static func package(_ id: String) -> String {
    id.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "SDK"
  }

  /// The name of a folder as the name of a connector.
  static func connectorID(_ folder: String) -> String {
    let name = String(folder.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(63))
    return name.first?.isLetter == true ? name : "default"
  }
}
