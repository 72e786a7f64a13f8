import Contracts
package import DataConnectWire
import ExtensionProtocol
package import ExtensionRuntime
import JSON
import JSONRPC
import Synchronization

/// Carries operations through the host that an extension serves, by `data/execute` and `data/subscribe`.
package struct HostTransport: DataConnectTransport {
  private let connection: Connection

  private static let deadline = Duration.seconds(30)

  /// A transport by the channel of a session.
  package init(_ session: ExtensionSession) { connection = session.connection }

  /// Sends an operation with `data/execute` and waits for the result.
  package func execute(_ request: OperationRequest) async throws -> OperationResponse {
    OperationResponse(try await call(DataContract.Execute(request)))
  }

  /// Subscribes to a query with `data/subscribe`; each change brings another response until the caller drops the
  /// stream.
  package func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
    let subscription = Subscription(self, request)
    return AsyncThrowingStream { try await subscription.next() }
  }

  /// One subscription. It begins when its first result is requested, and ends when the reader releases it.
  private final class Subscription: Sendable {
    private let transport: HostTransport
    private let request: OperationRequest
    private let stream = Mutex<IncomingStream?>(nil)

    init(_ transport: HostTransport, _ request: OperationRequest) {
      self.transport = transport
      self.request = request
    }

    func next() async throws -> OperationResponse? {
      do {
        var values = try await opened().makeAsyncIterator()
        return try await HostTransport.next(&values).map(OperationResponse.init)
      } catch {
        throw HostTransport.error(error)
      }
    }

    /// Opens the stream at the first call. Only one task may request results.
    private func opened() async throws -> IncomingStream {
      if let stream = stream.withLock({ $0 }) { return stream }
      let query = DataContract.Execute(request)
      let result = try await transport.call(
        DataContract.Subscribe(
          connector: query.connector, operation: query.operation, variables: query.variables, cache: query.cache,
          location: query.location, emulator: query.emulator))
      let opened = try transport.connection.incomingStream(result.stream)
      stream.withLock { $0 = opened }
      return opened
    }
  }

  private func call<Method: RemoteMethod>(_ method: Method) async throws -> Method.Result {
    do throws(ErrorObject) {
      return try await connection.call(
        Method.method, method, returning: Method.Result.self, deadline: Self.deadline)
    } catch {
      throw Self.error(error)
    }
  }

  /// The next result; null says only that there will be more, and a size that as many bytes of text follow.
  private static func next(_ values: inout IncomingStream.Iterator) async throws -> DataContract.Outcome? {
    while let chunk = try await values.next() {
      guard case .value(let value) = chunk else { throw malformed }
      if value.isNull { continue }
      guard let size = value["bytes"]?.integerValue.flatMap({ Int(exactly: $0) }) else {
        return try JSONCoding.decode(DataContract.Outcome.self, from: value)
      }
      guard (1...DataContract.updateLimit).contains(size) else { throw malformed }
      var text: [UInt8] = []
      while text.count < size {
        guard case .bytes(let bytes)? = try await values.next(), text.count + bytes.count <= size else {
          throw malformed
        }
        text += bytes
      }
      return try JSONCoding.decode(DataContract.Outcome.self, from: text)
    }
    return nil
  }

  private static var malformed: DataConnectInternalError {
    DataConnectInternalError(code: .internalError, message: "The host's answer is none of data/execute.")
  }

  /// Translates the host's error into one of the SDK.
  private static func error(_ error: any Error) -> any Error {
    guard let error = error as? ErrorObject else { return error }
    let recovery = error.data?["recovery"]?.stringValue.map { " \($0)" } ?? ""
    return DataConnectOperationError(message: error.message + recovery, underlyingError: error)
  }
}

extension DataContract.Execute {
  /// The params for a request of the SDK.
  fileprivate init(_ request: OperationRequest) {
    self.init(
      connector: "\(request.connector.serviceId)/\(request.connector.connector)", operation: request.operation,
      kind: request.kind == .query ? .query : .mutation,
      variables: request.variables.isEmpty ? nil : request.variables,
      fetchPolicy: request.kind == .query ? DataContract.FetchPolicy(rawValue: request.fetchPolicy.rawValue) : nil,
      cache: request.settings.cacheSettings.map(DataContract.Cache.init), location: request.connector.location,
      emulator: request.emulator.map { DataContract.Emulator(host: $0.host, port: $0.port) })
  }
}

extension DataContract.Cache {
  fileprivate init(_ cache: CacheSettings) {
    let age = min(max(cache.maxAge, .zero), .seconds(31_536_000)).components
    self.init(
      storage: cache.storage == .memory ? .memory : .persistent,
      maxAgeMs: Int(age.seconds * 1_000 + age.attoseconds / 1_000_000_000_000_000),
      maxBytes: cache.maxSize.flatMap { $0 > 0 ? min($0, 1 << 40) : nil })
  }
}

extension OperationResponse {
  fileprivate init(_ outcome: DataContract.Outcome) {
    let errors = (outcome.errors ?? []).map { error in
      OperationFailureResponse.Failure(
        message: error.message,
        path: (error.path ?? []).compactMap { step in
          step.stringValue.map { .field($0) } ?? step.integerValue.flatMap { Int(exactly: $0) }.map { .listIndex($0) }
        })
    }
    self.init(data: outcome.data, errors: errors, source: outcome.source == .cache ? .cache : .server)
  }
}
