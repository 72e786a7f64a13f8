import Foundation
import Sandbox
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `The scratch folders of dead hosts` {
  @Test func `are swept before a new one is made, and nothing else is`() throws {
    let folder = try TemporaryFolder()
    let me = ProcessIdentity.current
    let reused = ProcessIdentity(pid: me.pid, startTime: me.startTime + 1).text
    let kept = ["\(me.text)-abcdef", "notes", "\(me.pid)-abcdef", "1-2-3-abcdef"]
    for name in kept + ["9999999-1-abcdef", "\(reused)-abcdef"] { try folder.write("scratch/\(name)/left", "".utf8) }
    let made = try StateDirectory(path: folder.path).scratchFolder(owner: nil)
    #expect(made.hasPrefix("\(folder.path)/scratch/\(me.text)-"))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/scratch")
    #expect(Set(names) == Set(kept + [made.split(separator: "/").last.map(String.init) ?? ""]))
  }
}
