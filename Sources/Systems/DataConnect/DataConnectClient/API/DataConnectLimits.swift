internal import JSON
internal import Text

extension DataConnectClient {
  /// What one operation may take.
  package struct Limits: Sendable {
    /// The most bytes of the variables as JSON.
    package var requestBytes = 4 << 20
    /// The most bytes of an answer.
    package var answerBytes = 16 << 20
    /// The time for an answer.
    package var timeout: Duration = .seconds(30)
    /// The most bytes that are kept for one user of one connector.
    package var cacheBytes = 64 << 20

    package init() {}
  }
}

extension DataConnectClient.Limits {
  /// - Throws: `invalidArgument` for what is no name of GraphQL, `tooLarge` for variables over the limit.
  func check(_ operation: DataOperation) throws(DataConnectFailure) {
    let name = operation.name.unicodeScalars
    let isName = name.allSatisfy { $0 == "_" || ("0"..."9" ~= $0) || ("a"..."z" ~= $0) || ("A"..."Z" ~= $0) }
    guard isName, !name.isEmpty, name.count <= 256 else {
      throw DataConnectFailure(
        .invalidArgument, "\"\(operation.name.shownInMessage())\" is no name of an operation.",
        recovery: "Give the name as the connector's files write it.")
    }
    let variables = JSONValue.object(operation.variables)
    guard variables.hasText(ofAtMost: requestBytes) else {
      throw DataConnectFailure(
        .tooLarge, "The variables of \"\(operation.name)\" are larger than \(requestBytes) bytes.",
        recovery: "Send less at once.")
    }
  }
}
