import DataConnect
import JSON
import Synchronization

/// Answers as a test says, and keeps what it was asked.
final class FakeTransport: DataConnectTransport {
  private let asked = Mutex<[OperationRequest]>([])
  private let answers: Mutex<[Result<OperationResponse, FakeFailure>]>

  struct FakeFailure: Error {}

  init(_ answers: [Result<OperationResponse, FakeFailure>]) { self.answers = Mutex(answers) }

  convenience init(_ json: String...) throws {
    self.init(try json.map { .success(OperationResponse(data: try JSONValue(parsing: $0))) })
  }

  var requests: [OperationRequest] { asked.withLock { $0 } }

  func execute(_ request: OperationRequest) async throws -> OperationResponse {
    asked.withLock { $0.append(request) }
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    return try (answer ?? .failure(FakeFailure())).get()
  }

  func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
    asked.withLock { $0.append(request) }
    let all = answers.withLock { $0 }
    return AsyncThrowingStream { continuation in
      for answer in all {
        switch answer {
        case .success(let response): continuation.yield(response)
        case .failure(let failure): continuation.finish(throwing: failure)
        }
      }
      continuation.finish()
    }
  }

  /// A client that asks this.
  var client: DataConnect {
    DataConnect(
      connectorConfig: ConnectorConfig(serviceId: "s", location: "l", connector: "c"), transport: self)
  }
}
