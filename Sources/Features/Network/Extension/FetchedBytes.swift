import Contracts
public import ExtensionProtocol
import JSONRPC

/// An answer whose body is read while it arrives, once, by one task. Letting it go before the end ends the request.
public struct FetchedBytes: AsyncSequence, Sendable {
  /// A piece as it arrived, of no certain size.
  public typealias Element = [UInt8]

  /// Every status is an answer, 404 and 500 too.
  public let status: Int
  /// The header fields by name in lower case; several fields of one name are joined by commas.
  public let headers: [String: String]
  /// The URL that answered: another than was asked for after a redirect.
  public let finalURL: String
  private let stream: IncomingStream

  init(_ answer: Network.Fetch.Result, _ stream: IncomingStream) {
    status = answer.status
    headers = answer.headers
    finalURL = answer.finalURL
    self.stream = stream
  }

  /// Ends the request; the second time nothing happens.
  public func cancel() { stream.drop() }

  /// Call it once: several iterators would share the pieces.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Takes what comes, one piece after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var base: IncomingStream.Iterator

    /// The next bytes; `nil` at the end of the body.
    ///
    /// - Throws: `networkFailed` with the kind of the failure when the body is not whole; `deadlineExceeded` when nothing
    ///   came for 30 s, or nothing was read; `permissionDenied` when the user's consent was taken back; `cancelled` when
    ///   the task is, or when the request ended that it was for.
    public mutating func next() async throws(ExtensionError) -> [UInt8]? {
      do throws(ErrorObject) {
        switch try await base.next() {
        case .bytes(let bytes): return bytes
        case .value: throw .protocolViolation("The host sends a value where bytes were expected.")
        case nil: return nil
        }
      } catch {
        throw ExtensionError(error)
      }
    }
  }
}
