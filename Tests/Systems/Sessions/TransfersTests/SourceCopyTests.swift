import Foundation
import TestSupport
import Testing

@testable import Transfers

/// What is uploaded, copied and compared to the last byte.
@Suite(.timeLimit(.minutes(1)))
struct `The copy of what is uploaded` {
  private static let piece = 1 << 18
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// An open file with some bytes, for the time of `body`.
  private func withFile<Value>(
    _ bytes: [UInt8] = [], _ flags: Int32 = O_RDWR, _ body: (Int32) throws -> Value
  ) throws -> Value {
    let path = directory.file(UUID().uuidString)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, flags | O_CLOEXEC)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private func content(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  @Test(arguments: [0, 1, piece - 1, piece, piece + 1, 2 * piece + 3])
  func `is the same to the last byte, and another one without it`(count: Int) throws {
    let bytes = pattern(count)
    try withFile(bytes) { source in
      try withFile { target in
        #expect(lseek(source, off_t(min(1, count)), SEEK_SET) == off_t(min(1, count)))
        #expect(SourceCopy.copy(source, to: target, limit: Int64(count)) == .success(Int64(count)))
        // A difference of so many bytes is not for people, and takes for ever to find.
        let isSame = content(target) == bytes
        #expect(isSame)
        #expect(lseek(source, 0, SEEK_CUR) == off_t(min(1, count)), "the position is the caller's")
        #expect(SourceCopy.isEqual(source, target, size: Int64(count)))
        guard let last = bytes.last else { return }
        #expect(pwrite(target, [last ^ 1], 1, off_t(count - 1)) == 1)
        #expect(!SourceCopy.isEqual(source, target, size: Int64(count)))
        #expect(SourceCopy.isEqual(source, target, size: Int64(count - 1)))
        #expect(ftruncate(target, off_t(count - 1)) == 0)
        #expect(!SourceCopy.isEqual(source, target, size: Int64(count)))
        #expect(!SourceCopy.isEqual(target, source, size: Int64(count)))
      }
    }
  }

  /// The number of an error stays until the next one: it says nothing of a call that did not fail.
  @Test func `is not waited for where a file is shorter, after a call was interrupted`() throws {
    try withFile([1, 2, 3]) { short in
      try withFile([1, 2, 3, 4]) { long in
        for (one, other) in [(short, long), (long, short)] {
          errno = EINTR
          #expect(!SourceCopy.isEqual(one, other, size: 4))
        }
      }
    }
  }

  @Test func `is no other one's where it cannot be read`() throws {
    try withFile([1]) { one in
      try withFile([1], O_WRONLY) { closed in
        #expect(!SourceCopy.isEqual(one, closed, size: 1) && !SourceCopy.isEqual(closed, one, size: 1))
      }
    }
  }

  @Test func `has as many bytes as may be kept, and not one more`() throws {
    try withFile(pattern(5)) { source in
      for limit in [Int64(5), 6] {
        try withFile { #expect(SourceCopy.copy(source, to: $0, limit: limit) == .success(5)) }
      }
      for limit in [Int64(0), 4] {
        let refusal = TransferError.quota("The file has more than \(limit) bytes.", limit: Int(limit))
        try withFile { #expect(SourceCopy.copy(source, to: $0, limit: limit) == .failure(refusal)) }
      }
    }
  }

  @Test func `is of a regular file`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let folder = open(directory.path, O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    for source in [ends[0], folder, -1] {
      let refusal = TransferError.source("What is uploaded is not a regular file.", recovery: "Name a file.")
      #expect(SourceCopy.size(of: source) == .failure(refusal))
      try withFile { #expect(SourceCopy.copy(source, to: $0, limit: 10) == .failure(refusal)) }
    }
  }

  @Test func `goes to the disk, or says what keeps it from there`() throws {
    try withFile([1, 2]) { source in
      try withFile([], O_RDONLY) { target in
        guard case .failure(.source(let message, let recovery)) = SourceCopy.copy(source, to: target, limit: 2) else {
          Issue.record("It was written to what is open for reading.")
          return
        }
        #expect(message.contains("cannot be copied") && recovery.contains("disk"))
      }
    }
  }

  // MARK: Room on the disk

  /// Why a file of some bytes is not copied into a folder, which takes none: nothing is ever written.
  private func refusal(_ size: Int64, into folder: Int32) throws -> String? {
    let path = directory.file("source")
    let source = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(source) }
    // All of it is a hole.
    guard ftruncate(source, off_t(size)) == 0 else { return nil }
    guard case .failure(.source(let message, let recovery)) = SourceCopy.copy(source, to: folder, limit: .max) else {
      return nil
    }
    #expect(recovery.contains("disk"))
    return message
  }

  private static func noRoom(_ size: Int64) -> String {
    "What is uploaded cannot be copied: the disk has no room for \(size) bytes more."
  }

  /// The files of the kernel lie on no disk: it has no block, and none is free.
  @Test func `needs room for its bytes on the disk, and none where there are none`() throws {
    let folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    var disk = statvfs()
    try #require(fstatvfs(folder, &disk) == 0 && disk.f_blocks == 0 && disk.f_bavail == 0)
    #expect(try refusal(1, into: folder) == Self.noRoom(1))
    #expect(try refusal(0, into: folder) != Self.noRoom(0))
    // Of a disk that tells nothing, the copy itself shows whether there is room.
    let unknown = try refusal(1, into: -1)
    #expect(unknown != nil && unknown != Self.noRoom(1))
  }

  @Test func `leaves 64 MiB or a twentieth of the disk to others`() throws {
    var compared = 0
    for place in ["/dev", "/dev/shm", "/run/lock", directory.path] {
      let folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      // Others write to the disk, too: what is free has to be the same before and afterwards.
      for _ in 0..<50 {
        var (before, after) = (statvfs(), statvfs())
        guard fstatvfs(folder, &before) == 0 else { break }
        let block = Int64(before.f_frsize)
        let room = Int64(before.f_bavail) * block - min(64 << 20, Int64(before.f_blocks) * block / 20)
        guard room > 0 else { break }
        let (fitting, larger) = (try refusal(room, into: folder), try refusal(room + 1, into: folder))
        guard let fitting, let larger else { break }
        guard fstatvfs(folder, &after) == 0, after.f_bavail == before.f_bavail else { continue }
        #expect(fitting != Self.noRoom(room) && larger == Self.noRoom(room + 1), "\(place)")
        compared += 1
        break
      }
    }
    #expect(compared > 0)
  }
}
