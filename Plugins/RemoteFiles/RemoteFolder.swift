import AppExtensions
import Glibc

/// The server's folder, reached through the host.
struct RemoteFolder {
  struct Entry {
    var name: String
    var isFolder: Bool
    var size: Int64
  }

  /// Bytes that are fetched at one time: what fits into a message.
  static let part: Int64 = 128 << 10

  private let context: ExtensionContext
  private let base: String
  private let token: String?

  init(_ context: ExtensionContext) async throws {
    let defaults = context.defaults(suiteName: "group.com.example.adventures")
    guard let url = try await defaults.string(forKey: "remotefiles.url") else {
      throw ExtensionError.fileProvider(.domainNotFound, "No server is set: remotefiles.url is empty.")
    }
    self.context = context
    base = url.hasSuffix("/") ? String(url.dropLast()) : url
    token = try await defaults.string(forKey: "remotefiles.token")
  }

  func entry(_ path: String) async throws -> Entry {
    try Self.entry(JSONCoding.decode(JSONValue.self, from: await ask(path, "?stat")))
  }

  func has(_ path: String) async throws -> Bool {
    do {
      _ = try await entry(path)
      return true
    } catch let error as ExtensionError where error.fileProviderCode == .noSuchItem {
      return false
    }
  }

  func list(_ path: String, after cursor: String?) async throws -> (entries: [Entry], next: String?) {
    let page = try await JSONCoding.decode(
      JSONValue.self, from: ask(path, "?list\(cursor.map { "&after=\($0)" } ?? "")"))
    let entries = try (page["entries"]?.arrayValue ?? []).map(Self.entry)
    return (entries, page["next"]?.integerValue.map(String.init))
  }

  /// Some of the bytes of a file, from an offset.
  func part(of path: String, from offset: Int64) async throws -> [UInt8] {
    let range = "bytes=\(offset)-\(offset + Self.part - 1)"
    let bytes = try await ask(path, headers: ["Range": range])
    guard !bytes.isEmpty else { throw ExtensionError.fileProvider(.versionNoLongerAvailable, "“\(path)” has changed.") }
    return bytes
  }

  /// Sends a document to the server.
  func upload(_ item: ProvidedItem) async throws {
    let scratch = context.host?.directories.scratch ?? ""
    let name = "upload-\(UInt64.random(in: 0...(.max)))"
    let file = "\(scratch)/\(name)"
    guard link(item.filePath, file) == 0 || copy(item, to: file) else {
      throw ExtensionError.fileProvider(.cannotSynchronize, "“\(item.path)” cannot be read for its upload.")
    }
    defer { unlink(file) }
    _ = try await ask(item.path, method: "PUT", file: name)
  }

  private func copy(_ item: ProvidedItem, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var offset: Int64 = 0
    while let bytes = try? item.read(from: offset, count: 1 << 20) {
      if bytes.isEmpty { return true }
      guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else { return false }
      offset += Int64(bytes.count)
    }
    return false
  }

  /// One request; every answer that is none becomes the error that readers of documents know.
  private func ask(
    _ path: String, _ query: String = "", method: String = "GET", headers: [String: String] = [:], file: String? = nil
  ) async throws -> [UInt8] {
    var headers = headers
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let answer: Network.Fetch.Result
    do {
      answer = try await context.fetch(
        Network.Fetch(
          url: "\(base)/\(Self.encode(path))\(query)", method: method, headers: headers,
          body: file.map { Network.Body(file: $0) }))
    } catch {
      guard error.code == .networkFailed else { throw error }
      throw ExtensionError.fileProvider(.serverUnreachable, "The server does not answer: \(error.message)")
    }
    switch answer.status {
    case 200..<300: return try context.bytes(of: answer)
    case 401, 403: throw ExtensionError.fileProvider(.notAuthenticated, "The server wants to know who asks.")
    case 404: throw ExtensionError.fileProvider(.noSuchItem, "There is no “\(path)” on the server.")
    case 409: throw ExtensionError.fileProvider(.filenameCollision, "The server has another “\(path)”.")
    case 413, 507: throw ExtensionError.fileProvider(.insufficientQuota, "The server has no space for “\(path)”.")
    default: throw ExtensionError.fileProvider(.serverUnreachable, "The server answers \(answer.status).")
    }
  }

  private static func entry(_ value: JSONValue) throws -> Entry {
    guard let name = value["name"]?.stringValue, let size = value["size"]?.integerValue else {
      throw ExtensionError.fileProvider(.cannotSynchronize, "The server's answer is no list of files.")
    }
    return Entry(name: name, isFolder: value["folder"]?.boolValue ?? false, size: size)
  }

  /// Percent-encodes what may not stand in the path of a URL (RFC 3986, 3.3).
  static func encode(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
      if isPlain || "-._~/".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
