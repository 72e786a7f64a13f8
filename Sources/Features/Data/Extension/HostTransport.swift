import JSON
package import JSONRPC
import Synchronization

/// Carries operations through the host that an extension serves, by `data/execute` and `data/subscribe`. Whoever imports
/// this module in an extension has it at once.
package struct HostTransport: DataConnectTransport {
  private let connection: Connection

  private static let deadline = Duration.seconds(30)
  /// As much as the host sends of one result.
  private static let longest = 16 << 20

  package init(_ connection: Connection) { self.connection = connection }

  /// The one of this process; `nil` in a program that is no extension.
  static var current: HostTransport? { MainConnection.current.map(HostTransport.init) }

  package func execute(_ request: OperationRequest) async throws -> OperationResponse {
    var params = Self.params(of: request)
    params["kind"] = .string(request.kind.rawValue)
    if request.kind == .query { params["fetchPolicy"] = .string(request.fetchPolicy.rawValue) }
    return try Self.response(try await call("data/execute", params))
  }

  package func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
    let subscription = Subscription(self, request)
    return AsyncThrowingStream { try await subscription.next() }
  }

  /// One subscription, which begins when its first result is wanted. Who lets it go ends it.
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
        return try await HostTransport.next(&values).map(HostTransport.response)
      } catch {
        throw HostTransport.error(error)
      }
    }

    /// One task asks for the results, one after the other.
    private func opened() async throws -> IncomingStream {
      if let stream = stream.withLock({ $0 }) { return stream }
      let result = try await transport.call("data/subscribe", HostTransport.params(of: request))
      guard let id = result["stream"]?.stringValue else { throw HostTransport.malformed }
      let opened = try transport.connection.incomingStream(id)
      stream.withLock { $0 = opened }
      return opened
    }
  }

  // MARK: The wire

  private func call(_ method: String, _ params: JSONObject) async throws -> JSONValue {
    do throws(ErrorObject) {
      return try await connection.call(method, JSONValue.object(params), deadline: Self.deadline)
    } catch {
      throw Self.error(error)
    }
  }

  private static func params(of request: OperationRequest) -> JSONObject {
    var params: JSONObject = [
      "connector": .string("\(request.connector.serviceId)/\(request.connector.connector)"),
      "operation": .string(request.operation), "location": .string(request.connector.location),
    ]
    if !request.variables.isEmpty { params["variables"] = .object(request.variables) }
    if let emulator = request.emulator {
      params["emulator"] = ["host": .string(emulator.host), "port": .integer(Int64(emulator.port))]
    }
    if let cache = request.settings.cacheSettings {
      let age = min(max(cache.maxAge, .zero), .seconds(31_536_000)).components
      var object: JSONObject = [
        "storage": cache.storage == .memory ? "memory" : "persistent",
        "maxAgeMs": .integer(age.seconds * 1_000 + age.attoseconds / 1_000_000_000_000_000),
      ]
      if let size = cache.maxSize, size > 0 { object["maxBytes"] = .integer(Int64(min(size, 1 << 40))) }
      params["cache"] = .object(object)
    }
    return params
  }

  /// The next result; null says only that there will be more.
  private static func next(_ values: inout IncomingStream.Iterator) async throws -> JSONValue? {
    while let chunk = try await values.next() {
      guard case .value(let value) = chunk else { throw malformed }
      if value.isNull { continue }
      guard let size = value["bytes"]?.integerValue.flatMap({ Int(exactly: $0) }) else { return value }
      guard (1...longest).contains(size) else { throw malformed }
      var text: [UInt8] = []
      while text.count < size {
        guard case .bytes(let bytes)? = try await values.next(), text.count + bytes.count <= size else {
          throw malformed
        }
        text += bytes
      }
      return try JSONCoding.parse(text)
    }
    return nil
  }

  private static func response(_ value: JSONValue) throws -> OperationResponse {
    guard let source = value["source"]?.stringValue else { throw malformed }
    let errors = (value["errors"]?.arrayValue ?? []).map { error in
      OperationFailureResponse.Failure(
        message: error["message"]?.stringValue ?? "The server names no reason.",
        path: (error["path"]?.arrayValue ?? []).compactMap { step in
          step.stringValue.map { .field($0) } ?? step.integerValue.flatMap { Int(exactly: $0) }.map { .listIndex($0) }
        })
    }
    return OperationResponse(data: value["data"], errors: errors, source: source == "cache" ? .cache : .server)
  }

  private static var malformed: DataConnectInternalError {
    DataConnectInternalError(code: .internalError, message: "The host's answer is none of data/execute.")
  }

  /// What the host says, as an error of this module's.
  private static func error(_ error: any Error) -> any Error {
    guard let error = error as? ErrorObject else { return error }
    let recovery = error.data?["recovery"]?.stringValue.map { " \($0)" } ?? ""
    return DataConnectOperationError(message: error.message + recovery, underlyingError: error)
  }
}
