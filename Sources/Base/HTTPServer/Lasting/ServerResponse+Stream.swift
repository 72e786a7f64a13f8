internal import CMicroHTTPD

extension ServerResponse {
  /// A body that is made while it is sent, such as Server-Sent Events. Its length is not known before, so it goes out in
  /// chunks, each write at once.
  ///
  /// - Parameters:
  ///   - budget: bytes that may wait for the client before a write waits, too.
  ///   - body: runs as a child task of the server. The response ends in order when it returns, and breaks off, which the
  ///     client can tell, when it throws. It is cancelled when the client is gone or the server stops. That a client is
  ///     gone shows only when something is written to it.
  package static func stream(
    status: Int = 200, headers: [ServerField] = [], budget: Int = 64 << 10,
    _ body: @escaping @Sendable (ServerBodyWriter) async throws -> Void
  ) -> ServerResponse {
    var response = ServerResponse(status: status, headers: headers)
    response.lasting = LastingPart(response: StreamedResponse(budget: budget, body: body))
    return response
  }
}

/// Where the body of a streamed response goes to.
package struct ServerBodyWriter: Sendable {
  fileprivate let pipe: ResponsePipe

  /// Sends bytes. Waits as long as the client is behind by more than the budget.
  ///
  /// - Throws: why nothing more can be sent.
  package func write(_ bytes: [UInt8]) async throws(ServerStreamError) { try await pipe.write(bytes) }

  /// The same for a text.
  package func write(_ text: String) async throws(ServerStreamError) { try await pipe.write(Array(text.utf8)) }
}

/// Why a streamed response takes nothing any more.
package enum ServerStreamError: String, Error, Sendable {
  /// The client has ended the connection, or took nothing for too long.
  case clientGone
  /// The server ends.
  case stopping
  /// The task was cancelled.
  case cancelled
}

final class StreamedResponse: LastingResponse {
  let pipe: ResponsePipe
  private let body: @Sendable (ServerBodyWriter) async throws -> Void

  init(budget: Int, body: @escaping @Sendable (ServerBodyWriter) async throws -> Void) {
    pipe = ResponsePipe(budget: budget)
    self.body = body
  }

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        do {
          try await body(ServerBodyWriter(pipe: pipe))
          pipe.finish(.whole)
        } catch {
          pipe.finish(.broken)
        }
      }
      await pipe.waitUntilClosed()
      group.cancelAll()
    }
  }

  var hasConnection: Bool { false }
  func stop() { pipe.close(.stopping) }
  func abandon() { pipe.close(.clientGone) }
}
