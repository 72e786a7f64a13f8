import BundleIndex
import ExtensionHosting
import ExtensionProtocol
import Files
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import BundleInstalling

/// What is made of an earlier attempt, and of what a server answers to the next one.
@Suite(.timeLimit(.minutes(2)))
struct `A download from an index` {
  private let stage: IndexStage

  init() throws {
    stage = try IndexStage()
    try stage.publish([stage.addition(stage.bundle("1"))])
  }

  /// The archive of the index, with its digest.
  private func archive() throws -> (digest: String, bytes: [UInt8]) {
    let folder = "\(stage.index.path)/files/archives"
    let name = try #require(Folder.names(in: folder).first)
    return (String(name.prefix(64)), try File.read("\(folder)/\(name)", limit: 1 << 20))
  }

  /// The file that the archive is downloaded into.
  private func part(of index: ExtensionIndex) throws -> String {
    try IndexPlace(index.url, stage.state).download(archive().digest)
  }

  /// Installs the bundle over what an earlier attempt has left.
  ///
  /// - Returns: the range of each request for the archive; `nil` for all of it.
  private func install(
    over left: [UInt8], answering answer: @escaping @Sendable () -> ServerResponse? = { nil }
  ) async throws -> [String?] {
    try await stage.withIndex { index async throws in
      try File.replace(part(of: index), with: left)
      let ranges = Mutex<[String?]>([])
      stage.fault.withLock {
        $0 = { request in
          guard request.path.hasSuffix(".tar") else { return nil }
          ranges.withLock { $0.append(request.header("Range")) }
          return answer()
        }
      }
      try await index.install()
      return ranges.withLock { $0 }
    }
  }

  @Test func `goes on with the beginning of the file, and fetches no file that is whole`() async throws {
    let bytes = try archive().bytes
    let rest = try await install(over: Array(bytes.prefix(10)))
    #expect(rest == ["bytes=10-"])
    let nothing = try await install(over: bytes)
    #expect(nothing == [])
  }

  @Test(arguments: [-10, 0, 10])
  func `begins anew where something else was left, however long`(more: Int) async throws {
    let count = try archive().bytes.count + more
    let ranges = try await install(over: [UInt8](repeating: 7, count: count))
    let expected: [String?] = more < 0 ? ["bytes=\(count)-", nil] : [nil]
    #expect(ranges == expected)
    #expect(try await stage.installed() == "1")
  }

  @Test func `takes the whole file from who knows no parts, in place of what was left`() async throws {
    let bytes = try archive().bytes
    let ranges = try await install(over: [7, 7, 7]) { ServerResponse(body: bytes) }
    #expect(ranges == ["bytes=3-"])
    #expect(try await stage.installed() == "1")
  }

  @Test func `takes no other part than the one that it asked for`() async throws {
    let bytes = try archive().bytes
    try await stage.withIndex { index async throws in
      let left = try part(of: index)
      try File.replace(left, with: Array(bytes.prefix(10)))
      for place in ["bytes 0-\(bytes.count - 1)/\(bytes.count)", "bytes 100-\(bytes.count - 1)/\(bytes.count)"] {
        stage.fault.withLock {
          $0 = { request in
            guard request.path.hasSuffix(".tar") else { return nil }
            return ServerResponse(status: 206, headers: [ServerField("Content-Range", place)], body: bytes)
          }
        }
        let error = await index.failure()
        #expect(error?.code == .networkFailed && error?.details["status"] == 206, "\(place)")
        #expect(try File.read(left, limit: 1 << 20) == Array(bytes.prefix(10)), "\(place)")
      }
      stage.fault.withLock { $0 = { _ in nil } }
      try await index.install()
    }
    #expect(try await stage.installed() == "1")
  }

  @Test func `forgets what was left when the server has no such part`() async throws {
    try await stage.withIndex { index async throws in
      let left = try part(of: index)
      try File.replace(left, with: [1, 2, 3])
      stage.fault.withLock {
        $0 = { request in request.path.hasSuffix(".tar") ? ServerResponse(status: 416) : nil }
      }
      let error = await index.failure()
      #expect(error?.code == .networkFailed && error?.details["status"] == 416)
      #expect(FileStatus(left)?.size == 0)
    }
  }
}
