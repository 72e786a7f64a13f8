import BundleIndex
import Cryptography
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HTTPClient
import JSON
import Time
import UpdateMetadata

/// One conversation with an index: fetches what the workflow asks for, and keeps what it believes.
struct IndexExchange {
  /// The most bytes of a file of lines.
  private static let timeout = Duration.seconds(60)
  /// Less than a byte a second for so long ends a download.
  private static let stall = Duration.seconds(30)
  /// Milliseconds between two reports of a download.
  private static let pause = Duration.milliseconds(100)

  private let url: String
  private let client: HTTPClient
  private let place: IndexPlace
  private var workflow: UpdateWorkflow

  /// - Throws: `permissionDenied` for an index that is not trusted.
  init(_ url: String, _ place: IndexPlace, _ client: HTTPClient, at time: Int64) throws {
    (self.url, self.client, self.place) = (url, client, place)
    let kept = place.kept()
    guard let root = kept["root.json"] else {
      throw ExtensionError(
        .permissionDenied, "The index \(url) is not trusted.",
        recovery: "Compare the fingerprint of its root with the one that its publisher names, and agree to it.")
    }
    do { workflow = try UpdateWorkflow(root: root, kept: kept, at: time) } catch {
      throw Self.error(error, url)
    }
  }

  /// Fetches a file without any trust.
  static func fetch(_ url: String, limit: Int, _ client: HTTPClient) async throws -> [UInt8]? {
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.send(HTTPRequest("GET", url, timeout: timeout, maximumBodyBytes: limit))
    } catch {
      if error.kind == .tooLarge { throw tooLong(url, limit) }
      throw ExtensionError(
        .networkFailed, error.message, recovery: error.recovery,
        details: ["kind": .string(error.kind.rawValue), "url": .string(error.url)])
    }
    switch response.status {
    case 200: return response.body
    case 403, 404, 410: return nil
    default: throw answered(response.status, url)
    }
  }

  private static func tooLong(_ url: String, _ limit: Int) -> ExtensionError {
    error(MetadataError(.endless, url, "The index sends more than \(limit) bytes for \(url)."), url)
  }

  private static func answered(_ status: Int, _ url: String) -> ExtensionError {
    ExtensionError(
      .networkFailed, "The index answers \(status) for \(url).", recovery: "Try again later.",
      details: ["kind": "status", "status": .integer(Int64(status))])
  }

  static func error(_ error: any Error, _ url: String) -> ExtensionError {
    guard let error = error as? MetadataError else { return BundleStore.error(error) }
    return ExtensionError(
      error.kind == .unknownFile ? .extensionUnknown : .extensionInvalid,
      error.kind == .unknownFile ? error.message : "The index \(url) was not believed. \(error.message)",
      recovery: error.recovery, details: ["metadata": .string(error.kind.rawValue), "file": .string(error.file)])
  }

  // MARK: Metadata

  /// Brings the metadata up to date, and finds a file. What is believed is on the disk when this returns.
  private mutating func advance() async throws -> UpdateWorkflow.Step {
    while true {
      do {
        let step = try workflow.step()
        guard case .fetch(let request) = step else { return step }
        let bytes = try await Self.fetch("\(url)/metadata/\(request.name)", limit: request.limit, client)
        for file in try workflow.receive(bytes) { try place.keep(file) }
      } catch {
        throw Self.error(error, url)
      }
    }
  }

  /// The bytes of a small file; `nil` when the index does not describe it.
  mutating func content(of path: String) async throws -> [UInt8]? {
    workflow.seek(path)
    let step: UpdateWorkflow.Step
    do { step = try await advance() } catch let error as ExtensionError {
      if error.code == .extensionUnknown { return nil }
      throw error
    }
    guard case .found(let description, let name) = step, let length = description.length,
      length <= IndexLine.limit
    else { throw Self.error(MetadataError(.endless, path, "\(path) is too long."), url) }
    guard let bytes = try await Self.fetch("\(url)/files/\(name)", limit: length, client) else {
      throw Self.error(MetadataError(.missing, path, "The index has no \(name)."), url)
    }
    do { try description.require(bytes, file: path) } catch { throw Self.error(error, url) }
    return bytes
  }

  /// When the metadata has to be fetched anew, in seconds since 1970.
  var expires: Int64 { workflow.expires }

  // MARK: Files

  /// Downloads a file, and goes on where an earlier attempt has ended.
  ///
  /// - Parameter progress: the bytes that are there, and how many there will be.
  /// - Returns: the path of the file, which is as the index describes it.
  mutating func download(
    _ path: String, progress: @escaping @Sendable (_ received: Int64, _ total: Int64) -> Void
  ) async throws -> String {
    workflow.seek(path)
    guard case .found(let description, let name) = try await advance(), let length = description.length,
      let digest = description.hashes["sha256"]
    else { throw Self.error(MetadataError(.unknownFile, path, "The index does not have \(path)."), url) }
    place.sweep(keeping: digest)
    let file = try place.download(digest)
    for attempt in 0..<2 {
      let begun = FileStatus(file)?.size ?? 0
      if begun < Int64(length) || attempt > 0 {
        try await fetch("\(url)/files/\(name)", into: file, from: begun, Int64(length), progress)
      }
      if try await Self.isSame(file, description) { return file }
      // What was left of an earlier attempt may be another file's.
      File.remove(file)
      guard begun > 0 else { break }
    }
    throw Self.error(
      MetadataError(.mixed, path, "\(name) is not the file that the index describes."), url)
  }

  private static func isSame(_ file: String, _ description: FileDescription) async throws -> Bool {
    try await BundleStore.onThread {
      let found = FileDescription(ofFile: file)
      return found.length == description.length && found.hashes["sha256"] == description.hashes["sha256"]?.lowercased()
    }
  }

  private func fetch(
    _ url: String, into file: String, from begun: Int64, _ total: Int64,
    _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileError.cannot("write", file) }
    defer { close(descriptor) }
    let start = begun < total ? begun : 0
    var request = HTTPRequest("GET", url)
    if start > 0 { request.headers["Range"] = "bytes=\(start)-" }
    request.timeout = .seconds(86_400)
    var order = HTTPFileRequest(request) { head in
      switch head.status {
      case 206 where start > 0 && head.headers["Content-Range"]?.hasPrefix("bytes \(start)-") == true:
        return .file(descriptor: descriptor, offset: start)
      // The server begins again.
      case 200: return ftruncate(descriptor, 0) == 0 ? .file(descriptor: descriptor, offset: 0) : .refused
      default: return .refused
      }
    }
    (order.stall, order.room) = (Self.stall, total)
    let outcome = await reporting(order.progress, from: start, total, progress) { [order] in
      await client.exchange(order)
    }
    switch outcome.end {
    case .whole: return
    case .refused:
      if outcome.response?.status == 416 { ftruncate(descriptor, 0) }
      throw Self.answered(outcome.response?.status ?? 0, url)
    case .cannotWrite(let error) where error == EDQUOT:
      ftruncate(descriptor, 0)
      throw Self.tooLong(url, Int(total))
    case .cannotWrite(let error): throw FileError.cannot("write", file, SystemError(error))
    case .failed(let error):
      throw ExtensionError(
        .networkFailed, "The download stopped. \(error.message)",
        recovery: "Run the command again; it goes on where the download stopped.",
        details: ["kind": .string(error.kind.rawValue), "url": .string(error.url)])
    }
  }

  private func reporting<Value: Sendable>(
    _ counted: HTTPProgress, from start: Int64, _ total: Int64,
    _ progress: @escaping @Sendable (Int64, Int64) -> Void, _ body: @escaping @Sendable () async -> Value
  ) async -> Value {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await body() }
      group.addTask {
        while (try? await WallClock.system.sleep(Self.pause)) != nil { progress(start + counted.received, total) }
        return nil
      }
      while let value = await group.next() {
        guard let value else { continue }
        group.cancelAll()
        progress(start + counted.received, total)
        return value
      }
      preconditionFailure("the exchange ends with a value")
    }
  }
}
