import JSONRPC
import HostServices
import JSON

extension Golden {
  static let data: [Golden] = [
    Golden(
      DataContract.Execute(
        connector: "movies/default", operation: "listMovies", kind: .query, variables: ["genre": "drama"],
        fetchPolicy: .cacheOnly, cache: DataContract.Cache(storage: .memory, maxAgeMs: 5000, maxBytes: 1_048_576),
        location: "us-east4", emulator: DataContract.Emulator(host: "127.0.0.1", port: 9399), account: "u1.t1"),
      DataContract.Outcome(
        data: ["movies": [["title": "Alien"], .null]],
        errors: [
          DataContract.FieldError(message: "One is missing.", path: ["movies", 1], extensions: ["code": "NOT_FOUND"])
        ], source: .cache)),
    Golden(
      DataContract.Execute(connector: "movies/default", operation: "createMovie", kind: .mutation),
      DataContract.Outcome(data: nil)),
    Golden(
      DataContract.Subscribe(connector: "movies/default", operation: "listMovies", variables: ["genre": "drama"]),
      DataContract.Subscribe.Result(stream: "h1")),
    Golden(
      DataContract.Connectors(),
      DataContract.Connectors.Result(connectors: [
        DataContract.Connectors.Connector(service: "movies", connector: "default", location: "us-east4"),
        DataContract.Connectors.Connector(service: "movies", connector: "admin"),
      ])),
  ]
}
