import EventLoop
import ExtensionProtocol
import Files
import Glibc
import Synchronization
import Testing

@testable import ExtensionHosting

/// What the supervisors of one host share.
@Suite(.timeLimit(.minutes(1)))
struct `The surroundings of extensions` {

  @Test func `are looked at once in a time`() async throws {
    let isShort = Mutex(true)
    let looks = Mutex(0)
    let held = try HeldInstances {
      $0.warm.isMemoryShort = {
        looks.withLock { $0 += 1 }
        return isShort.withLock { $0 }
      }
    }
    #expect(await held.surroundings.isMemoryShort)
    isShort.withLock { $0 = false }
    #expect(await held.surroundings.isMemoryShort)
    #expect(await !held.surroundings.isHealthQuiet)
    #expect(looks.withLock { $0 } == 1)
  }

  @Test func `are looked at each time when no time has to pass`() async throws {
    let isShort = Mutex(false)
    let looks = Mutex(0)
    let held = try HeldInstances {
      $0.deadlines.look = .zero
      $0.warm.isMemoryShort = {
        looks.withLock { $0 += 1 }
        return isShort.withLock { $0 }
      }
    }
    for (count, short) in [false, true, false].enumerated() {
      isShort.withLock { $0 = short }
      #expect(await held.surroundings.isMemoryShort == short)
      #expect(looks.withLock { $0 } == count + 1)
    }
  }

  @Test func `are quiet when the folder of records was the same twice after a change`() async throws {
    let held = try HeldInstances { $0.deadlines.look = .zero }
    let folder = "\(held.folder.path)/health"
    func quiet(_ count: Int) async -> [Bool] {
      var found: [Bool] = []
      for _ in 0..<count { found.append(await held.surroundings.isHealthQuiet) }
      return found
    }
    // A folder that is not there is never quiet.
    #expect(await quiet(4) == [false, false, false, false])
    for number in 0..<2 {
      try Folder.make(folder)
      #expect(await quiet(5) == [false, false, true, true, true])
      #expect(rename(folder, "\(folder)-\(number)") == 0)
      #expect(await quiet(1) == [false])
    }
  }

  @Test func `know when no process is there any more`() async throws {
    let held = try HeldInstances()
    let surroundings = held.surroundings
    await surroundings.allProcessesEnd(within: .seconds(3_600))
    for _ in 0..<2 {
      await surroundings.began()
      await surroundings.began()
      #expect(await surroundings.processes == 2)
      let waiting = Task { await surroundings.allProcessesEnd(within: .seconds(3_600)) }
      await surroundings.ended()
      #expect(await surroundings.processes == 1)
      await surroundings.allProcessesEnd(within: .zero)
      await surroundings.ended()
      await waiting.value
      #expect(await surroundings.processes == 0)
    }
  }

  @Test func `tell everybody once that the host was shut down, and who asks later`() async throws {
    let held = try HeldInstances()
    let surroundings = held.surroundings
    let cancelled = Task { await surroundings.isShut() }
    cancelled.cancel()
    #expect(await !cancelled.value)
    #expect(await surroundings.hostEnds.isEmpty, "who waits no more is not kept")
    let waiting = (0..<3).map { _ in Task { await surroundings.isShut() } }
    await Task.yield()
    await surroundings.shut()
    for task in waiting { #expect(await task.value) }
    #expect(await surroundings.isShut())
    await surroundings.shut()
    #expect(await surroundings.isShut())
  }
}
