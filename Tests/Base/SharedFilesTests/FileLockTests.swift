import EventLoop
import Files
import Foundation
import SharedFiles
import TestSupport
import Testing

/// Holds a lock as a program does that was stopped and never gives it back, until it is released here.
final class HeldLock: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
  }

  deinit { close(descriptor) }

  func release() { flock(descriptor, LOCK_UN) }
}

@Suite(.timeLimit(.minutes(1))) struct `A lock on a file` {
  private let folder: TemporaryDirectory
  private var path: String { "\(folder.path)/lock" }

  init() throws { folder = try TemporaryDirectory() }

  @Test func `belongs to one at a time`() throws {
    let first = try FileLock.attempt(path)
    let isMine = first != nil
    #expect(isMine)
    let isTaken = try FileLock.attempt(path) == nil
    #expect(isTaken)
    first?.unlock()
    let isFree = try FileLock.attempt(path) != nil
    #expect(isFree)
  }

  @Test func `that is never given back is waited for until the limit, and the error says so`() async throws {
    let holder = try HeldLock(path)
    let error = await #expect(throws: FileError.self) {
      _ = try await FileLock.take(path, within: .milliseconds(20))
    }
    #expect(error?.kind == .locked)
    // The kernel's list names this process, as there is no other file of that number.
    #expect(error?.message == "\(path) is locked by another program, process \(getpid()).")
    holder.release()
    try await FileLock.take(path, within: .milliseconds(20)).unlock()
  }

  @Test func `is waited for without holding the loop up`() async throws {
    let holder = try HeldLock(path)
    let path = path
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let order = await withTaskGroup(of: String.self) { group in
      group.addTask(executorPreference: loop) {
        guard let lock = try? await FileLock.take(path, within: .seconds(30)) else { return "failed" }
        lock.unlock()
        return "locked"
      }
      group.addTask(executorPreference: loop) {
        // The loop turns while the other task waits, and this is what lets that go on.
        for _ in 0..<100 { await Task.yield() }
        holder.release()
        return "turned"
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(order.count == 2 && Set(order) == ["turned", "locked"])
  }

  @Test func `is waited for by a task that was cancelled too`() async throws {
    let holder = try HeldLock(path)
    let path = path
    let isLocked = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        while !Task.isCancelled { await Task.yield() }
        let lock = try? await FileLock.take(path, within: .seconds(30))
        let isLocked = lock != nil
        lock?.unlock()
        return isLocked
      }
      group.cancelAll()
      group.addTask {
        holder.release()
        return true
      }
      return await group.allSatisfy(\.self)
    }
    #expect(isLocked)
  }

  @Test func `lies in no folder that is missing, and behind no link`() async throws {
    #expect(throws: FileError.self) { _ = try FileLock.attempt("\(folder.path)/none/lock") }
    let target = try folder.write("", to: "target")
    #expect(symlink(target, path) == 0)
    await #expect(throws: FileError.self) { _ = try await FileLock.take(path, within: .zero) }
  }
}
