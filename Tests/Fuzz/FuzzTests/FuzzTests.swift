import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What `make fuzz` does for as long as one likes, for a moment and always the same: the kept inputs, and some that are
/// made of them.
@Suite(.timeLimit(.minutes(2)))
struct `A parser of foreign bytes` {
  static let targets = FuzzTargets.all.keys.sorted()
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")
  /// Enough for a moment of each target; `make fuzz` goes on from there.
  private static let inputs = 1_000
  /// For those that do more than read: run a query, load a folder, decode a picture.
  private static let fewer = ["content": 150, "content-folder": 20, "content-request": 100, "pictures": 200]

  private static func kept(_ target: String) throws -> [[UInt8]] {
    let folder = corpus.appending(path: target).path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)")))
    }
  }

  @Test(arguments: try Cases.present(targets))
  func `takes what is kept, and what comes of it`(target: String) throws {
    let parse = try #require(FuzzTargets.all[target])
    let kept = try Self.kept(target)
    #expect(!kept.isEmpty)
    // An input that ends the process is left behind.
    let last = FileManager.default.temporaryDirectory.path + "/annex-fuzz-\(target)-\(getpid())"
    #expect(FileManager.default.createFile(atPath: last, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: last) }
    let file = try #require(FileHandle(forWritingAtPath: last))
    defer { try? file.close() }
    func take(_ bytes: [UInt8]) throws {
      try file.seek(toOffset: 0)
      try file.write(contentsOf: bytes)
      try file.truncate(atOffset: UInt64(bytes.count))
      let start = ContinuousClock.now
      parse(bytes)
      // None of them has more than 4 kB; a machine that is busy is not slower than this.
      #expect(ContinuousClock.now - start < .seconds(20), "\(last)")
    }
    for bytes in kept { try take(bytes) }
    var mutation = ByteMutation(of: kept, seed: 13)
    for _ in 0..<(Self.fewer[target] ?? Self.inputs) { try take(mutation.next()) }
  }

  @Test func `has a folder of inputs, and each folder a parser`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).sorted()
    #expect(folders == Self.targets)
  }

  @Test func `gets the same inputs in every run`() {
    var (one, other) = (ByteMutation(of: [[1, 2, 3]], seed: 7), ByteMutation(of: [[1, 2, 3]], seed: 7))
    let inputs = (0..<50).map { _ in one.next() }
    #expect(inputs == (0..<50).map { _ in other.next() })
    #expect(Set(inputs).count > 20)
  }
}
