import DataConnectCompiler
import DataConnectMessages
import GRPC
import HTTP2
import JSON
import ProtocolBuffers
import Synchronization

/// `ConnectorStreamService.Connect`: subscriptions and calls over one call of gRPC.
///
/// Its first message names the connector, and so the service, which over WebSocket the address does.
final class RemoteStream: StreamChannel {
  private struct State {
    var messages: RemoteMessages
    /// The message that was read before the session began.
    var first: StreamFrame?
    var end: GRPCStatus?
  }

  private let call: RemoteCall
  private let state: Mutex<State>

  init(_ call: RemoteCall) {
    self.call = call
    state = Mutex(State(messages: RemoteMessages(call, isStream: true)))
  }

  /// Serves until the client or the server ends the stream.
  func run() async -> GRPCStatus {
    defer { state.withLock { $0.messages.release() } }
    do throws(RequestFailure) {
      guard let message = try await message() else { return state.withLock { $0.end } ?? .ok }
      let (deployment, connector) = try call.emulator.connector(message.connector ?? "")
      // The token of the call is the first; one in the message replaces it.
      let first = try StreamFrame(message, connector: connector, token: call.token)
      state.withLock { $0.first = first }
      call.emulator.openStreams.add(1, ordering: .relaxed)
      defer { call.emulator.openStreams.subtract(1, ordering: .relaxed) }
      await StreamSession(call.emulator, self, service: deployment.service.serviceID).run()
    } catch {
      return GRPCStatus(error)
    }
    return state.withLock { $0.end } ?? .ok
  }

  private func message() async throws(RequestFailure) -> StreamRequestMessage? {
    var messages = state.withLock { $0.messages }
    defer { state.withLock { $0.messages = messages } }
    do throws(GRPCStatus) {
      guard let bytes = try await messages.next() else { return nil }
      do throws(ProtobufError) {
        return try StreamRequestMessage(bytes[...])
      } catch {
        throw GRPCStatus(.invalidArgument, "The message cannot be read: \(error)")
      }
    } catch {
      // At its end in time the work is cancelled, and so is what waits for a message.
      refuse(error.code == .cancelled && call.isLate ? RemoteCall.late : error)
      return nil
    }
  }

  // MARK: The channel

  func next() async throws(RequestFailure) -> StreamFrame? {
    if let first = state.withLock({ $0.first.take() }) { return first }
    if state.withLock({ $0.end }) != nil { return nil }
    guard let message = try await message() else { return nil }
    guard let name = message.connector else { return try StreamFrame(message, connector: nil, token: nil) }
    return try StreamFrame(message, connector: try call.emulator.connector(name).connector, token: nil)
  }

  func send(_ members: String, _ request: String?) async {
    try? await call.stream.write(Self.bytes(members, request))
  }

  func offer(_ members: String, _ request: String?) -> Bool { call.stream.offer(Self.bytes(members, request)) }

  func refuse(_ failure: RequestFailure) { refuse(GRPCStatus(failure)) }

  /// The first reason counts. Whoever waits for a message hears of it.
  private func refuse(_ status: GRPCStatus) {
    state.withLock { if $0.end == nil { $0.end = status } }
    call.stream.finish(trailers: status.trailers)
  }

  private static func bytes(_ members: String, _ request: String?) -> [UInt8] {
    let value = (try? JSONCoding.parse(Array("{\(members)}".utf8), maximumDepth: 256)) ?? .null
    return GRPCMessageReader.framed(ResponseMessage.stream(value, request: request))
  }
}

extension StreamFrame {
  /// - Parameters:
  ///   - connector: the connector that the message names; `nil` when it names none.
  ///   - token: where the message has none.
  /// - Throws: `invalidArgument` for a message that asks for something without a name for it.
  init(_ message: StreamRequestMessage, connector: String?, token: String?) throws(RequestFailure) {
    self.connector = connector
    self.token = message.headers["x-firebase-auth-token"] ?? token
    request = message.request
    etag = message.etag
    action =
      switch message.action {
      case .subscribe(let call): .subscribe(try OperationCall(call))
      case .execute(let call): .execute(try OperationCall(call))
      case .resume: .resume
      case .cancel: .cancel
      case nil: nil
      }
    if action != nil, request == nil { throw RequestFailure(.invalidArgument, "\"request_id\" is missing.") }
    if let request, request.utf8.count > 512 {
      throw RequestFailure(.invalidArgument, "\"request_id\" is too long.")
    }
  }
}
