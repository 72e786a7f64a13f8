import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import BundleIndex

@Suite(.timeLimit(.minutes(1)))
struct `The server of an index` {
  private let folder: TemporaryDirectory
  private var server: IndexServer { IndexServer(configuration: .init(root: folder.path)) }

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["metadata", "files/names", "other"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["metadata/a", "files/names/b", "other/c", ".lock", "files/names/.d"] {
      _ = try folder.write("0123456789", to: name)
    }
    _ = try folder.write("", to: "metadata/empty")
  }

  private func ask(_ path: String, _ range: String? = nil, method: String = "GET") -> ServerResponse {
    server.answer(
      to: ServerRequest(method: method, path: path, headers: range.map { [ServerField("Range", $0)] } ?? []))
  }

  private func text(_ answer: ServerResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test func `gives the files of its two folders and no others`() throws {
    #expect(text(ask("/metadata/a")) == "0123456789" && text(ask("/files/names/b")) == "0123456789")
    for path in [
      "/other/c", "/.lock", "/files/names/.d", "/metadata", "/files/names", "/metadata/", "/", "", "/metadata/none",
      "/metadata/../other/c", "/metadata/%61", "/files//names/b", "/files/names/b/", "/files/names/b/c",
    ] { #expect(ask(path).status == 404, "\(path)") }
    try FileManager.default.createDirectory(atPath: folder.file("files/a/b"), withIntermediateDirectories: true)
    _ = try folder.write("deep", to: "files/a/b/c")
    #expect(ask("/files/a/b/c").status == 404)
    #expect(ask("/metadata/a").status == 200, "again")
  }

  @Test func `says how long a file stays what it is`() {
    #expect(ask("/metadata/a").header("Cache-Control") == "no-cache")
    #expect(ask("/files/names/b").header("Cache-Control") == "public, max-age=31536000, immutable")
  }

  @Test func `takes questions only`() {
    #expect(text(ask("/metadata/a", method: "HEAD")) == "0123456789")
    for method in ["POST", "PUT", "DELETE", "get"] {
      let answer = ask("/metadata/a", method: method)
      #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD")
    }
  }

  @Test(arguments: [
    ("bytes=0-", "0123456789", "bytes 0-9/10"), ("bytes=9-", "9", "bytes 9-9/10"), ("bytes=0-0", "0", "bytes 0-0/10"),
    ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=8-9", "89", "bytes 8-9/10"), ("bytes=8-10", "89", "bytes 8-9/10"),
    ("bytes=8-9223372036854775806", "89", "bytes 8-9/10"),
  ])
  func `gives a part with its place`(range: String, part: String, place: String) {
    let answer = ask("/metadata/a", range)
    #expect(answer.status == 206 && text(answer) == part && answer.header("Content-Range") == place)
  }

  @Test(arguments: [
    "bytes=5-4", "bytes=-5", "bytes=", "bytes=a-", "bytes=1", "bytes=1-2-3", "lines=1-2", "bytes=0-9223372036854775807",
    "bytes=1-2,4-5",
  ])
  func `gives the whole to who asks for a part in other words`(range: String) {
    let answer = ask("/metadata/a", range)
    #expect(answer.status == 200 && text(answer) == "0123456789" && answer.header("Content-Range") == nil)
  }

  @Test func `has no part behind the end`() {
    for (path, size) in [("/metadata/a", 10), ("/metadata/empty", 0)] {
      for range in ["bytes=\(size)-", "bytes=\(size)-\(size)", "bytes=\(size + 5)-"] {
        let answer = ask(path, range)
        #expect(answer.status == 416 && answer.header("Content-Range") == "bytes */\(size)", "\(path) \(range)")
      }
    }
    let empty = ask("/metadata/empty")
    #expect(empty.status == 200 && empty.body.isEmpty)
  }

  @Test func `gives 512 MiB at once at most`() throws {
    _ = try folder.write("", to: "files/large")
    #expect(truncate(folder.file("files/large"), off_t(512 << 20) + 1) == 0)
    #expect(ask("/files/large").status == 413)
    #expect(ask("/files/large", "bytes=0-\(512 << 20)").status == 413)
    let end = ask("/files/large", "bytes=\((512 << 20) - 1)-")
    #expect(end.status == 206 && end.body == [0, 0])
  }
}
