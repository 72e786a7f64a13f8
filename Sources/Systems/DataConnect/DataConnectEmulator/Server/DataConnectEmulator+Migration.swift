package import DataConnectMigration
import HTTPServer
package import JSON
import Text

extension DataConnectEmulator {
  private static let most = 100

  /// Changes the database as the files say, and loses what the request consents to: `{"allow": ["film.minutes"]}`.
  func migrate(_ request: ServerRequest) async throws(RequestFailure) -> ServerResponse {
    guard let body = try? JSONCoding.parse(request.body), case .object(let object) = body,
      let names = object["allow"]?.arrayValue?.map(\.stringValue), names.count <= Self.most
    else { throw RequestFailure(.invalidArgument, "The body is not {\"allow\": [\"table.column\"]}.") }
    let wanted = Set(names.compactMap(\.self))
    let known = Set(try await deployer.difference().steps.compactMap(\.subject))
    if let unknown = wanted.subtracting(known).min() {
      let list = known.isEmpty ? "Nothing" : known.sorted().joined(separator: ", ")
      throw RequestFailure(
        .notFound, "Nothing of \"\(unknown.shownInMessage())\" would be lost. \(list) would lose data.")
    }
    let report = await deployer.deploy(losing: wanted)
    deployed(report)
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    var answer: JSONObject = [
      "deployed": .bool(report.isDeployed), "applied": list(report.applied.map(\.sql)), "dumps": list(report.dumps),
      "refused": .array(report.refused.map(\.document)),
    ]
    if let failure = report.failure { answer["failure"] = .string(failure) }
    return ServerResponse(.object(answer))
  }
}

extension MigrationPlan.Step {
  /// The statement, and what it loses.
  package var document: JSONValue {
    var object: JSONObject = ["sql": .string(sql)]
    if let loss { object["loss"] = .string(loss) }
    if let subject { object["subject"] = .string(subject) }
    return .object(object)
  }
}

extension MigrationPlan {
  /// The steps, obstacles and notes, and all of it as a script.
  package var document: JSONObject {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return [
      "steps": .array(steps.map(\.document)), "obstacles": list(obstacles), "notices": list(notices),
      "sql": .string(sql),
    ]
  }
}
