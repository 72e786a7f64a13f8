import Files
import Glibc
import Testing

@testable import ExtensionHosting

/// The space that is kept free for what a host must write when the disk is full.
@Suite(.timeLimit(.minutes(1)))
struct `The reserve of a state folder` {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/reserve" }
  private var size: Int64? { FileStatus(path).map(\.size) }
  private static let step = Int64(64 << 10)

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ number: Int32) -> FileError { FileError(.system(SystemError(number)), "No.") }

  @Test func `has a MiB, and is filled where it has less, and is left alone where it is something else`() throws {
    for _ in 0..<2 {
      StateReserve.keep(in: folder.path)
      #expect(size == 1 << 20)
    }
    #expect(FileStatus(path).map { $0.mode & 0o777 } == 0o600)
    for length in [0, 1, (1 << 20) - 1, (1 << 20) + 5] as [Int64] {
      #expect(truncate(path, off_t(length)) == 0)
      StateReserve.keep(in: folder.path)
      #expect(size ?? 0 >= 1 << 20)
    }
    #expect(unlink(path) == 0)
    let other = try folder.write("other", "a".utf8)
    #expect(symlink(other, path) == 0)
    StateReserve.keep(in: folder.path)
    #expect(FileStatus(path)?.kind == .link && FileStatus(other)?.size == 1)
  }

  @Test(arguments: [ENOSPC, EDQUOT], [0, 1, 3, 16])
  func `is lent piece by piece until a write succeeds, and filled again`(number: Int32, failures: Int) throws {
    StateReserve.keep(in: folder.path)
    for _ in 0..<2 {
      var sizes: [Int64] = []
      let result = try StateReserve.lending(to: "\(folder.path)/a") { () throws(FileError) -> Int in
        sizes.append(size ?? -1)
        if sizes.count <= failures { throw failure(number) }
        return 7
      }
      #expect(result == 7 && size == 1 << 20)
      #expect(sizes == (0...failures).map { (1 << 20) - Int64($0) * Self.step })
    }
  }

  @Test func `is all lent to a write that fails still, and kept again afterwards`() throws {
    StateReserve.keep(in: folder.path)
    var count = 0
    #expect(throws: failure(ENOSPC)) {
      try StateReserve.lending(to: "\(folder.path)/a") { () throws(FileError) in
        count += 1
        throw failure(ENOSPC)
      }
    }
    #expect(count == 17 && size == 0)
    #expect(throws: failure(ENOSPC)) {
      try StateReserve.lending(to: "\(folder.path)/a") { () throws(FileError) in
        count += 1
        throw failure(ENOSPC)
      }
    }
    #expect(count == 18)
    StateReserve.keep(in: folder.path)
    #expect(size == 1 << 20)
  }

  @Test func `is lent for nothing but a full disk`() throws {
    StateReserve.keep(in: folder.path)
    for failures in [[EACCES], [ENOSPC, EIO]] {
      var count = 0
      #expect(throws: failure(failures.last ?? 0)) {
        try StateReserve.lending(to: "\(folder.path)/a") { () throws(FileError) in
          count += 1
          throw failure(failures[count - 1])
        }
      }
      #expect(count == failures.count)
    }
    #expect(size == (1 << 20) - Self.step)
  }

  @Test(arguments: [("a", 2), ("b/a", 2), ("b/c/a", 2), ("b/c/d/a", 1)])
  func `is that of one of three folders above`(name: String, count: Int) throws {
    StateReserve.keep(in: folder.path)
    var calls = 0
    _ = try? StateReserve.lending(to: "\(folder.path)/\(name)") { () throws(FileError) in
      calls += 1
      if calls == 1 { throw failure(ENOSPC) }
    }
    #expect(calls == count)
  }
}
