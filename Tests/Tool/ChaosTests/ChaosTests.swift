import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(4)), .enabled(if: Arena.isPossible))
struct `A host among hostile extensions` {
  @Test func `names the end of each of them, alone`() async throws {
    let arena = try Arena()
    for (slot, hostile) in Hostile.all.enumerated() {
      let surprise = try await arena.fight(hostile, slot: slot, silence: .milliseconds(150))
      #expect(surprise == nil)
    }
    #expect(Leftovers.processes(of: arena.path).isEmpty)
    #expect(arena.scratchFolders.isEmpty)
  }

  /// In a process of its own: what it holds is counted. Its standard error is a file, which tells why it crashed.
  @Test func `survives fifty at a time, serves a good one beside them, and keeps nothing`() async throws {
    let path = "/tmp/annex-chaos-\(UUID()).err"
    defer { unlink(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      dup2(open(path, O_WRONLY | O_CREAT, 0o600), STDERR_FILENO)
      let arena = try Arena()
      let herd = Herd(arena: arena)
      _ = try await herd.stampede(Hostile.all.count)
      let before = Leftovers()
      let (surprises, served) = try await herd.stampede(50)
      let after = Leftovers()
      var complaints = surprises + after.complaints(since: before)
      if served == 0 { complaints.append("the good one was not served") }
      complaints += Leftovers.processes(of: arena.path).map { "process \($0) is left" }
      complaints += arena.scratchFolders.map { "the folder \($0) is left" }
      for complaint in complaints { FileHandle.standardError.write(Data("chaos: \(complaint)\n".utf8)) }
      #expect(complaints == [])
    }
    let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(said.split(separator: "\n").filter { $0.hasPrefix("chaos: ") || $0.contains("rror:") } == [])
  }
}
