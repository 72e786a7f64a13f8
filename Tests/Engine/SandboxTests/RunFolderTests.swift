import Files
import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A folder for one run` {
  @Test func `tells of its process, and goes with it`() throws {
    let place = TemporaryDirectory()
    let folder = try RunFolder("run", in: place.path)
    let name = Folder.name(of: folder.path)
    #expect(RunFolder.owner(of: name) == .current)
    folder.remove()
    #expect(Folder.names(in: place.path).isEmpty)
  }

  @Test(arguments: [
    "annex-run-1-2-abcde", "annex-run-1-x-abcdef", "other-run-1-2-abcdef", "annex-run-1-2-3-abcdef", "",
  ])
  func `is called as no other is`(name: String) { #expect(RunFolder.owner(of: name) == nil) }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a folder away"))
  func `leaves those of other users to them`() throws {
    let place = TemporaryDirectory()
    let theirs = place.directory("annex-run-9999999-7-theirs")
    chown(theirs, 4_711, 4_711)
    let folder = try RunFolder("run", in: place.path)
    #expect(FileStatus(theirs) != nil)
    folder.remove()
  }

  @Test func `removes those of processes that are gone, and nothing else`() throws {
    let place = TemporaryDirectory()
    // Linux has no process of this number.
    let gone = "annex-run-9999999-7"
    place.directory("\(gone)-gone01")
    place.file("\(gone)-gone01/file", [1])
    let locked = place.directory("\(gone)-locked")
    // A lock cannot be copied, and so `#require` does not take it.
    guard let lock = try FileLock.attempt("\(locked)/.lock") else {
      Issue.record("the lock is taken")
      return
    }
    place.file("\(gone)-file01", [1])
    let target = place.directory("target")
    place.link("\(gone)-link01", to: target)
    place.directory("annex-run-\(ProcessIdentity.current.text)-living")
    let before = Set(Folder.names(in: place.path))
    let folder = try RunFolder("conform", in: place.path)
    let after = Set(Folder.names(in: place.path))
    #expect(before.subtracting(after) == ["\(gone)-gone01"])
    lock.unlock()
    folder.remove()
  }
}
