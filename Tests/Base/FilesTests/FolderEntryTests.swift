import Glibc
import Testing

@testable import Files

@Suite(.timeLimit(.minutes(1)))
struct `The entry of a folder` {
  /// Where an entry ends with its memory, as the last one of a full buffer does.
  @Test(arguments: ["a", "name", String(repeating: "é", count: 100), String(repeating: "x", count: 255)])
  func `is read no further than its name`(name: String) throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = try #require(
      mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0).map { $0 })
    defer { munmap(memory, 2 * page) }
    // Behind it nothing can be read.
    #expect(mprotect(memory + page, page, PROT_NONE) == 0)
    let offset = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
    let size = (offset + name.utf8.count + 1 + 7) / 8 * 8
    let start = memory + page - size
    start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    (start + offset).copyMemory(from: Array(name.utf8), byteCount: name.utf8.count)
    #expect(start.assumingMemoryBound(to: dirent.self).nameBytes == Array(name.utf8))
  }
}
