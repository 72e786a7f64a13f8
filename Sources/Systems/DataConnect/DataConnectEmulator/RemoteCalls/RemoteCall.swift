import DataConnectMessages
import EventLoop
import GRPC
import HTTP
import HTTP2
import HTTPServer
import ProtocolBuffers
import Text

/// One call of gRPC: who may, which method, and how long.
struct RemoteCall: Sendable {
  private static let contentType = HTTPField("content-type", "application/grpc")
  /// Nothing is taken compressed, and nothing sent so.
  private static let header = [contentType, HTTPField("grpc-accept-encoding", "identity")]

  let emulator: DataConnectEmulator
  let stream: HTTP2Stream
  let admission: ServerAdmission
  let loop: EventLoop
  /// When the client's `grpc-timeout` has passed, on the loop's clock; `nil` without one.
  private var end: UInt64?

  init(_ emulator: DataConnectEmulator, _ stream: HTTP2Stream, _ admission: ServerAdmission, on loop: EventLoop) {
    self.emulator = emulator
    self.stream = stream
    self.admission = admission
    self.loop = loop
  }

  /// The identity token, in the same field as over REST.
  var token: String? { stream.request.field("x-firebase-auth-token") }

  /// Whether the client's `grpc-timeout` has passed. On the loop's thread.
  var isLate: Bool { end.map { $0 <= loop.now } ?? false }

  /// The status of a call whose `grpc-timeout` has passed.
  static let late = GRPCStatus(.deadlineExceeded, "The call took longer than its grpc-timeout.")

  /// Answers the call, however that ends.
  func answer() async {
    let status: GRPCStatus
    do throws(GRPCStatus) {
      status = try await serve()
    } catch {
      status = error
      // A call that has begun to answer ends with its trailers, any other with its header.
      stream.respond(200, Self.header)
      stream.finish(trailers: error.trailers)
    }
    emulator.options.requestLog?("gRPC \(stream.request.path.shownInMessage(limit: 200)) \(status.code.rawValue)")
  }

  private func serve() async throws(GRPCStatus) -> GRPCStatus {
    let request = stream.request
    if let refusal = try refusal(of: request) {
      let status = GRPCStatus(GRPCCode(httpStatus: refusal.status), refusal.message)
      stream.respond(refusal.status, Self.header)
      stream.finish(trailers: status.trailers)
      return status
    }
    guard let method = RemoteMethodName(rawValue: request.path) else {
      throw GRPCStatus(.unimplemented, "There is no method \(request.path.shownInMessage()).")
    }
    guard let limit = try limit(of: request) else { return try await run(method) }
    var call = self
    call.end = loop.now &+ limit.wholeNanoseconds
    do {
      return try await withTimeLimit(limit, on: loop) { [call] in try await call.run(method) }
    } catch let status as GRPCStatus {
      throw status
    } catch {
      throw Self.late
    }
  }

  /// What over HTTP/1 is refused, and what is no call of gRPC.
  private func refusal(of request: HTTP2Request) throws(GRPCStatus) -> ServerAdmission.Refusal? {
    let hosts = request.fields.filter { $0.name == "host" }
    // Two names could be read as one by some and as the other by others (RFC 9113, 8.3.1).
    if let authority = request.authority, hosts.contains(where: { $0.value.lowercased() != authority.lowercased() }) {
      return ServerAdmission.Refusal(status: 400, message: "The request has a Host field beside another authority.")
    }
    var fields = request.fields
    if let authority = request.authority, hosts.isEmpty { fields.append(HTTPField("host", authority)) }
    let path = request.path.split(separator: "?", maxSplits: 1).first.map { String($0) } ?? ""
    if let refusal = admission.refusal(of: ServerRequest(method: request.method, path: path, headers: fields)) {
      return refusal
    }
    guard request.method == "POST" else {
      return ServerAdmission.Refusal(status: 405, message: "Calls of gRPC are POST.")
    }
    guard request.field("content-type").map({ GRPCRequest.isContentType($0) }) ?? false else {
      return ServerAdmission.Refusal(
        status: 415, message: "Over HTTP/2 this server speaks gRPC alone: application/grpc with protocol buffers.")
    }
    return nil
  }

  private func limit(of request: HTTP2Request) throws(GRPCStatus) -> Duration? {
    guard let text = request.field("grpc-timeout") else { return nil }
    guard let limit = GRPCRequest.timeout(text) else {
      throw GRPCStatus(.internal, "The grpc-timeout is not a number with a unit.")
    }
    return limit
  }

  private func run(_ method: RemoteMethodName) async throws(GRPCStatus) -> GRPCStatus {
    if method == .connect {
      stream.respond(200, Self.header)
      let status = await RemoteStream(self).run()
      stream.finish(trailers: status.trailers)
      return status
    }
    let bytes = try await message()
    do throws(RequestFailure) {
      let answer = try await emulator.execute(try Self.operation(bytes), method, token: token)
      // What was cancelled may have come to a part of an answer.
      if Task.isCancelled { throw RequestFailure(.cancelled, "The call was cancelled.") }
      stream.answer(Self.header, GRPCMessageReader.framed(answer), trailers: GRPCStatus.ok.trailers)
      return .ok
    } catch {
      throw GRPCStatus(error)
    }
  }

  private static func operation(_ bytes: [UInt8]) throws(RequestFailure) -> OperationMessage {
    do throws(ProtobufError) {
      return try OperationMessage(bytes[...])
    } catch {
      throw RequestFailure(.invalidArgument, "The message cannot be read: \(error)")
    }
  }

  /// The one message of the call.
  private func message() async throws(GRPCStatus) -> [UInt8] {
    var reader = RemoteMessages(self, isStream: false)
    defer { reader.release() }
    let message = try await reader.next()
    guard let message else { throw GRPCStatus(.internal, "The call has no message.") }
    guard try await reader.next() == nil else { throw GRPCStatus(.internal, "The call has more than one message.") }
    return message
  }
}
