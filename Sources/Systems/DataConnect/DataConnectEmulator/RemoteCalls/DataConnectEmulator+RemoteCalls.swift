import DataConnectMessages
import EventLoop
import GRPC
import HTTP
import HTTP2
import HTTPServer
import JSON
import ProtocolBuffers
import Text

/// gRPC: the same operations as over REST and WebSocket, for the clients that speak nothing else. Administrators have no
/// calls here.
extension DataConnectEmulator {
  /// What takes the connections that begin as HTTP/2.
  var remoteCalls: PriorKnowledge {
    PriorKnowledge(firstBytes: PriorKnowledge.http2) { socket, admission in
      var limits = self.options.remoteCallLimits
      limits.closeLimit = min(limits.closeLimit, socket.closeLimit)
      let connection = HTTP2Connection(
        limits: limits, on: socket.loop, early: socket.early, over: socket.over, transport: socket.transport)
      return UpgradedWork {
        await connection.run { stream in await RemoteCall(self, stream, admission, on: socket.loop.loop).answer() }
      } stop: {
        connection.beginClose()
      }
    }
  }

  /// Executes an operation for a call.
  ///
  /// - Returns: the message of the answer.
  func execute(
    _ message: OperationMessage, _ method: RemoteMethodName, token: String?
  ) async throws(RequestFailure) -> [UInt8] {
    let action: ServerRoute.ConnectorAction = method == .executeMutation ? .executeMutation : .executeQuery
    let (deployment, connector) = try connector(message.connector, action)
    let call = try OperationCall(message)
    let caller = try await tokens.caller(token)
    let operation = try deployment.operation(call.name, of: connector, isMutation: action.isMutation)
    let order = OperationEngine.Order(
      operation: operation, deployment: deployment, caller: caller, variables: call.variables)
    let response = try await execute(order, of: connector)
    guard let value = try? JSONCoding.parse(response.body, maximumDepth: 256) else {
      throw RequestFailure(.internalFailure, "The database answered no JSON.")
    }
    return ResponseMessage.unary(value)
  }

  /// The deployment and the connector of `projects/P/locations/L/services/S/connectors/C`, as REST reads it.
  ///
  /// - Throws: `notFound` for another location or service than those that are served.
  func connector(
    _ name: String, _ action: ServerRoute.ConnectorAction = .executeQuery
  ) throws(RequestFailure) -> (deployment: Deployment, connector: String) {
    let path = RoutedPath("/v1/\(name):\(action.rawValue)")
    guard case .connector(let service, let connector, action) = path.route else {
      throw RequestFailure(
        .invalidArgument, "\"name\" is not projects/P/locations/L/services/S/connectors/C: \(name.shownInMessage())")
    }
    try checkLocation(path.location)
    return (try deployment(service), connector)
  }
}

/// The calls that are served.
enum RemoteMethodName: String, CaseIterable {
  case executeQuery = "/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery"
  case executeMutation = "/google.firebase.dataconnect.v1.ConnectorService/ExecuteMutation"
  case connect = "/google.firebase.dataconnect.v1.ConnectorStreamService/Connect"
}

extension OperationCall {
  /// The call of a message.
  init(_ message: OperationMessage) throws(RequestFailure) {
    try self.init(["operationName": .string(message.operation), "variables": .object(message.variables)])
  }
}

extension GRPCStatus {
  /// The status of a request that was not executed.
  init(_ failure: RequestFailure) {
    self.init(GRPCCode(name: failure.code.rawValue) ?? .unknown, failure.message)
  }
}
