import Foundation
import HTTPServer

@testable import FileServer

/// A folder of a test's own, and a server of it. Gone with the test.
final class ServedFolder {
  let path: String
  private let outside: String
  let server: FileServer

  init(token: String? = nil) throws {
    outside = FileManager.default.temporaryDirectory.appending(path: "annex-files-\(UUID().uuidString)").path
    path = "\(outside)/root"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: URL(filePath: "\(outside)/secret"))
    server = try FileServer(configuration: FileServer.Configuration(root: path, token: token))
  }

  deinit { try? FileManager.default.removeItem(atPath: outside) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  /// What is in the folder, hidden files too.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  func contents(of name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  /// The answer to a request.
  func ask(
    _ method: String = "GET", _ target: String, _ headers: [ServerField] = [], body: String = ""
  ) -> ServerResponse {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return server.answer(
      to: ServerRequest(
        method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers,
        body: Array(body.utf8)))
  }
}

extension ServerResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
