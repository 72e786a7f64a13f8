import ExtensionHosting
import GroupStore
import HostServices
import Sandbox
import Synchronization
import Testing
import Transfers

@testable import SessionServices

@Suite(.timeLimit(.minutes(1)))
struct `The use of a session by a process` {
  private let use = SessionUse()
  private let key = SessionKey(app: "com.example.app", identifier: "s")
  private let other = SessionKey(app: "com.example.app", identifier: "t")

  private func lease(_ token: Int64) -> Lease { Lease(name: "n", owner: "o", token: token) }

  @Test func `is handled by who was woken for it, in its epoch, and begins anew with the next`() {
    use.begin(key, lease(1), epoch: 5, 7, isWoken: true)
    #expect(!use.isHandled(key, by: 7))
    #expect(!use.handled(key, epoch: 4, by: 7) && !use.handled(key, epoch: 5, by: 8))
    #expect(!use.handled(other, epoch: 5, by: 7) && !use.isHandled(key, by: 7))
    #expect(use.handled(key, epoch: 5, by: 7) && use.isHandled(key, by: 7) && !use.isHandled(key, by: 8))
    use.begin(key, lease(2), epoch: 6, 7, isWoken: true)
    #expect(!use.isHandled(key, by: 7) && use.entry(key, of: 7)?.lease.token == 2)
    use.begin(key, lease(3), epoch: 7, 7, isWoken: false)
    #expect(!use.handled(key, epoch: 7, by: 7), "who has it of its own accord has nothing to be done with")
  }

  @Test func `is ended by its process, and not by one that it has overtaken`() {
    use.begin(key, lease(1), epoch: 1, 7, isWoken: true)
    use.begin(key, lease(2), epoch: 2, 8, isWoken: true)
    #expect(use.entry(key, of: 7) == nil && !use.end(key, epoch: 1, of: 7))
    #expect(use.entry(key, of: 8)?.epoch == 2)
    #expect(!use.end(key, epoch: 2, of: 7))
    #expect(use.end(key, epoch: 2, of: 8) && !use.end(key, epoch: 2, of: 8) && use.entry(key, of: 8) == nil)
  }

  @Test func `that was made anew is not ended by what is left of the one before`() {
    use.begin(key, lease(1), epoch: 1, 7, isWoken: true)
    use.begin(key, lease(2), epoch: 2, 7, isWoken: true)
    #expect(!use.end(key, epoch: 1, of: 7) && use.entry(key, of: 7)?.lease.token == 2)
    use.begin(key, lease(1), epoch: 1, 7, isWoken: true)
    #expect(use.entry(key, of: 7)?.epoch == 2, "the earlier of two calls may come last")
    #expect(use.end(key, epoch: 2, of: 7) && use.entry(key, of: 7) == nil)
  }

  @Test func `is told once of two calls that came in the wrong order`() async {
    use.begin(key, lease(2), epoch: 2, 7, isWoken: false)
    use.begin(key, lease(1), epoch: 1, 7, isWoken: false)
    use.begin(other, lease(3), epoch: 3, 7, isWoken: true)
    use.begin(other, lease(4), epoch: 4, 7, isWoken: false)
    let told = Mutex<[SessionKey]>([])
    use.arrivals.source(for: 7).finish()
    await use.arrivals.accompany(7) { key in told.withLock { $0.append(key) } }
    #expect(told.withLock { $0.count } == 2 && Set(told.withLock { $0 }) == [key, other])
  }

  @Test func `ends with its process, which gives its leases back once`() {
    use.begin(key, lease(1), epoch: 1, 7, isWoken: true)
    use.begin(other, lease(2), epoch: 1, 8, isWoken: true)
    #expect(use.forget(7).map(\.token) == [1] && use.forget(7).isEmpty)
    #expect(use.entry(other, of: 8) != nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The tasks of a process that somebody follows` {
  private let followed = FollowedTasks()
  private let lease = Lease(name: "n", owner: "o", token: 1)

  @Test func `are kept with its leases until they are taken, once`() {
    followed.began(1, by: 7)
    #expect(!followed.take([lease], of: 7), "nobody follows it")
    followed.begin(7)
    #expect(!followed.take([lease], of: 7), "it began nothing")
    followed.began(1, by: 7)
    followed.begin(7)
    followed.began(2, by: 7)
    followed.began(3, by: 8)
    #expect(followed.take([lease], of: 7) && followed.take([lease, lease], of: 7))
    let entry = followed.end(7)
    #expect(entry.tasks == [1, 2] && entry.leases.count == 3)
    #expect(followed.end(7).tasks.isEmpty && followed.end(7).leases.isEmpty && followed.end(8).tasks.isEmpty)
    followed.begin(7)
    followed.began(4, by: 7)
    #expect(followed.end(7).tasks == [4])
  }

  @Test func `are a thousand at most`() {
    followed.begin(7)
    for task in 1...1_001 { followed.began(Int64(task), by: 7) }
    let tasks = followed.end(7).tasks
    #expect(tasks.count == 1_000 && tasks.last == 1_000)
  }

  @Test func `belong to a host that is read as it was written`() throws {
    let text = "machine/boot/12/4711-99/abc"
    #expect(SessionHost(text)?.text == text && SessionHost(text + "/7")?.text == text)
    for wrong in ["", "machine/boot/12/4711-99", "machine/boot/12/4711/abc", "machine/boot/12/0-9/abc"] {
      #expect(SessionHost(wrong) == nil, "\(wrong)")
    }
    // The end of a process on another machine is not known here, nor that of one that did not know where it was.
    #expect(SessionHost("///9999999-1/abc").map { $0.hasEnded } != true)
    #expect(SessionHost("machine/boot/12/9999999-1/abc")?.hasEnded == false)
    #expect(!SessionHost.current.hasEnded && SessionHost(SessionHost.current.text) == SessionHost.current)
    let gone = SessionHost.text(of: ProcessIdentity(pid: 9_999_999, startTime: 1))
    #expect(SessionHost(gone)?.hasEnded == true)
  }
}
