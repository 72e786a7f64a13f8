import CommandLineTool
import ExtensionProtocol
package import HTTPServer
import JSON

extension Invocation {
  /// Runs a local server, and says where it listens as soon as it does: `ready URL`, or an object on one line.
  package func serving(_ run: (_ ready: @escaping @Sendable (ServerAddress) -> Void) async throws -> Void) async throws
  {
    do {
      try await run { address in
        if wantsJSON { printJSONLine(["ready": .string(address.url)]) } else { console.print("ready \(address.url)") }
      }
    } catch let error as HTTPServerError {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
  }
}
