import ContentServer
import HTTPServer

extension FuzzTargets {
  /// The first line is a method, a path and a query, the second what the client takes, the rest a body: a request is read
  /// in one way, however often.
  static func contentRequest(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let words = String(decoding: lines.first ?? [], as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let accept = lines.count > 1 ? String(decoding: lines[1], as: UTF8.self) : ""
    let request = ServerRequest(
      method: String(words[0]), path: "/\(target.first ?? "")", query: target.count > 1 ? String(target[1]) : nil,
      headers: [ServerField("Accept", accept)], body: lines.count > 2 ? Array(lines[2]) : [])
    let read = ContentServer.reading(of: request)
    precondition(read == ContentServer.reading(of: request), "\(read) is read otherwise")
  }
}
