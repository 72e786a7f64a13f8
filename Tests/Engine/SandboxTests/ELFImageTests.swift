import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `An ELF image` {
  private func image(_ bytes: [UInt8]) -> ELFImage? {
    ELFImage { offset, count in
      offset < bytes.count ? Array(bytes[offset..<min(offset + min(count, bytes.count), bytes.count)]) : nil
    }
  }

  @Test func `says how it is loaded`() throws {
    let image = try #require(self.image(ELFSample().bytes))
    #expect(image.interpreter == "/lib64/ld.so")
    #expect(image.needed == ["libone.so", "libtwo.so"])
    #expect(image.searchPaths == ["/opt/one", "$ORIGIN/lib"])
    #expect(image.header.isForThisMachine)
  }

  @Test func `has an interpreter of 4,095 bytes at most`() {
    let longest = "/" + String(repeating: "a", count: 4_094)
    #expect(image(ELFSample(interpreter: longest).bytes)?.interpreter == longest)
    #expect(image(ELFSample(interpreter: longest + "a").bytes)?.interpreter == nil)
  }

  @Test func `has a search path of the older kind as well`() {
    #expect(image(ELFSample(usesOldSearchPath: true).bytes)?.searchPaths == ["/opt/one", "$ORIGIN/lib"])
  }

  @Test func `may be for another machine`() {
    #expect(image(ELFSample(machine: 8).bytes)?.header.isForThisMachine == false)
  }

  @Test func `is not seen in what is too short`() {
    let bytes = ELFSample().bytes
    for length in 0..<64 { #expect(image(Array(bytes.prefix(length))) == nil) }
    for length in 64..<bytes.count { _ = image(Array(bytes.prefix(length))) }
  }

  @Test(arguments: [0, 1, 0x7f, 0x80, 0xff] as [UInt8])
  func `never crashes on any byte that is wrong`(value: UInt8) {
    let bytes = ELFSample().bytes
    // The first four bytes say that it is one.
    for position in 0..<4 where bytes[position] != value {
      var broken = bytes
      broken[position] = value
      #expect(image(broken) == nil)
    }
    for position in bytes.indices {
      var broken = bytes
      broken[position] = value
      _ = image(broken)
      // Eight bytes at once make offsets and sizes as large as they can be.
      for next in position..<min(position + 8, bytes.count) { broken[next] = value }
      _ = image(broken)
    }
  }

  @Test func `never crashes on noise`() {
    var noise = SystemRandomNumberGenerator()
    var read = 0
    for _ in 0..<2_000 {
      var bytes = ELFSample().bytes
      for _ in 0..<Int.random(in: 1...40, using: &noise) {
        bytes[Int.random(in: 6..<bytes.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      }
      if image(bytes) != nil { read += 1 }
    }
    // Most of an image may be anything.
    #expect(read > 0)
  }

  @Test func `leaves a program its own libraries only`() throws {
    let directory = TemporaryDirectory()
    directory.directory("lib")
    let library = directory.file(
      "lib/libone.so", ELFSample(interpreter: nil, needed: [], searchPath: "").bytes)
    // A secret under the name of a library, in a directory of the program's choice, is not one.
    directory.file("lib/libtwo.so", Array("secret".utf8))
    let program = directory.file("program", ELFSample(searchPath: "$ORIGIN/lib").bytes)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [library])
  }
}
