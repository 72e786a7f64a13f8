internal import JSON
internal import Text

extension DataConnectClient {
  /// How much one operation may use.
  package struct Limits: Sendable {
    /// The most bytes of the variables, as JSON.
    package var requestBytes = 4 << 20
    /// The most bytes of an answer.
    package var answerBytes = 16 << 20
    /// The longest time to wait for an answer.
    package var timeout: Duration = .seconds(30)
    /// The most bytes of cache for one user of one connector.
    package var cacheBytes = 64 << 20

    /// Creates the default limits.
    package init() {}
  }
}

extension DataConnectClient.Limits {
  /// - Throws: `invalidArgument` when the operation's name is not a GraphQL name, `tooLarge` when its variables exceed
  ///   the limit.
  func check(_ operation: DataOperation) throws(DataConnectFailure) {
    let name = operation.name.unicodeScalars
    let isName = name.allSatisfy { $0 == "_" || ("0"..."9" ~= $0) || ("a"..."z" ~= $0) || ("A"..."Z" ~= $0) }
    guard isName, !name.isEmpty, name.count <= 256 else {
      throw DataConnectFailure(
        .invalidArgument, "\"\(operation.name.shownInMessage())\" is not a name of an operation.",
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
