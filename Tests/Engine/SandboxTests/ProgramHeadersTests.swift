import Testing

@testable import Sandbox

/// What the kernel would map for a program before anything looks at its system calls, and what a program reaches through
/// its search path.
@Suite(.timeLimit(.minutes(1)))
struct `The segments of a program` {
  private func headers(_ bytes: [UInt8]) -> ProgramHeaders? {
    ProgramHeaders { offset, count in
      offset < bytes.count ? Array(bytes[offset..<min(offset + min(count, bytes.count), bytes.count)]) : nil
    }
  }

  @Test func `tell a library from a program`() throws {
    #expect(try #require(headers(ELFSample(interpreter: nil).bytes)).isLibrary)
    #expect(!(try #require(headers(ELFSample().bytes)).isLibrary))
    #expect(!(try #require(headers(ELFSample(interpreter: nil, isMarkedAsProgram: true).bytes)).isLibrary))
    #expect(headers(ELFSample().bytes)?.interpreter == "/lib64/ld.so")
  }

  @Test func `name an interpreter of 4,095 bytes at most, and what has another one is no library`() throws {
    let longest = "/" + String(repeating: "a", count: 4_094)
    #expect(headers(ELFSample(interpreter: longest).bytes)?.interpreter == longest)
    let longer = try #require(headers(ELFSample(interpreter: longest + "a").bytes))
    #expect(longer.interpreter == "" && !longer.isLibrary)
  }

  /// So much memory is not taken for it, and so much of the file is not read.
  @Test(arguments: [5_000, 1 << 45, .max]) func `name an interpreter in the first of many bytes`(count: Int) throws {
    var bytes = ELFSample().bytes
    // The size of the second segment: what names the interpreter.
    let place = 64 + 56 + 32
    #expect(bytes[place] == UInt8("/lib64/ld.so".utf8.count + 1))
    bytes.replaceSubrange(place..<(place + 8), with: (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
    let folder = TemporaryDirectory()
    let path = folder.file("program", bytes)
    #expect(try #require(ProgramHeaders(path: path)).interpreter == "/lib64/ld.so")
  }

  @Test func `of an ordinary program have no fault`() throws {
    #expect(try #require(headers(ELFSample().bytes)).memoryFault == nil)
    #expect(try #require(headers(ELFSample(rights: 6, excess: 4096).bytes)).memoryFault == nil)
    #expect(try #require(ProgramHeaders(path: "/proc/self/exe")).memoryFault == nil)
  }

  static let faults = [
    (ELFSample(rights: 7), "both written and executed"), (ELFSample(rights: 3), "both written and executed"),
    (ELFSample(rights: 5, excess: 4096), "longer in memory"), (ELFSample(rights: 1, excess: 1), "longer in memory"),
    (ELFSample(stack: 7), "stack on which code may run"), (ELFSample(machine: 62, stack: nil), "does not say"),
  ]

  @Test(arguments: faults)
  func `are at fault when code could be written into them`(sample: ELFSample, words: String) throws {
    #expect(try #require(headers(sample.bytes)?.memoryFault).contains(words))
  }

  @Test func `never crash on any byte that is wrong`() {
    let bytes = ELFSample().bytes
    for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
      for position in bytes.indices {
        var broken = bytes
        broken[position] = value
        _ = headers(broken)?.memoryFault
        for next in position..<min(position + 8, bytes.count) { broken[next] = value }
        _ = headers(broken)?.memoryFault
      }
    }
    for length in bytes.indices { _ = headers(Array(bytes.prefix(length)))?.memoryFault }
  }

  /// A library beside the program is the program's; a library, a program or a secret elsewhere is somebody else's.
  @Test func `lead to nothing of the user's`() throws {
    let directory = TemporaryDirectory()
    for name in ["program", "program/lib", "other"] { directory.directory(name) }
    let library = ELFSample(interpreter: nil, needed: [], searchPath: "").bytes
    directory.file("other/libone.so", library)
    directory.file("program/lib/libtwo.so", ELFSample(needed: [], searchPath: "").bytes)
    let sample = ELFSample(
      interpreter: "\(directory.path)/other/libone.so", searchPath: "\(directory.path)/other:$ORIGIN/lib")
    let program = directory.file("program/program", sample.bytes)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [])
    let own = directory.file("program/lib/libone.so", library)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [own])
  }

  /// The kernel sees a slash whatever follows it, and so does the rule.
  @Test func `lead to libraries by the folders that the kernel sees`() throws {
    let directory = TemporaryDirectory()
    for name in ["private", "A.app", "A.app/lib", "A.app/\u{301}b"] { directory.directory(name) }
    let library = ELFSample(interpreter: nil, needed: [], searchPath: "").bytes
    for name in ["one.so", "\u{301}one.so"] {
      directory.file("private/\(name)", library)
      let loose = directory.file("program", ELFSample(needed: [name], searchPath: "$ORIGIN/private").bytes)
      #expect(try ProgramLibraries.readOnlyPaths(of: loose) == [])
    }
    let own = directory.file("A.app/lib/libone.so", library)
    let program = directory.file("A.app/\u{301}b/B", ELFSample(searchPath: "$ORIGIN/../lib").bytes)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [own])
  }

  @Test func `lead to each of two libraries whose names are two spellings of an accent`() throws {
    let directory = TemporaryDirectory()
    let library = ELFSample(interpreter: nil, needed: [], searchPath: "").bytes
    let names = ["on\u{E9}.so", "one\u{301}.so"]
    for name in names { directory.file(name, library) }
    let program = directory.file("program", ELFSample(needed: names, searchPath: "$ORIGIN").bytes)
    let found = try ProgramLibraries.readOnlyPaths(of: program)
    #expect(found.map { Array($0.utf8) } == names.map { Array("\(directory.path)/\($0)".utf8) })
  }

  @Test func `lead to no library of a folder that is another spelling of the program's own`() throws {
    let directory = TemporaryDirectory()
    for name in ["\u{E9}", "e\u{301}"] { directory.directory(name) }
    directory.file("e\u{301}/libone.so", ELFSample(interpreter: nil, needed: [], searchPath: "").bytes)
    let program = directory.file("\u{E9}/program", ELFSample(searchPath: "$ORIGIN/../e\u{301}").bytes)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [])
  }

  @Test func `lead to libraries of a folder whose name goes on with an accent`() throws {
    let directory = TemporaryDirectory()
    for name in ["A.app", "A.app/a", "A.app/a\u{301}b"] { directory.directory(name) }
    let library = ELFSample(interpreter: nil, needed: [], searchPath: "").bytes
    let own = directory.file("A.app/a\u{301}b/libone.so", library)
    for path in ["$ORIGIN\u{301}b", "${ORIGIN}\u{301}b"] {
      let program = directory.file("A.app/a/B", ELFSample(searchPath: path).bytes)
      #expect(try ProgramLibraries.readOnlyPaths(of: program) == [own])
    }
  }

  @Test func `of an installed program lead to the folders of libraries beside its own, and not below them`() throws {
    let directory = TemporaryDirectory()
    for name in ["P", "P/bin", "P/tool", "P/lib", "P/lib64", "P/lib/deep", "P/share"] { directory.directory(name) }
    let library = ELFSample(interpreter: nil, needed: [], searchPath: "").bytes
    for (folder, isRead) in [("bin", true), ("lib", true), ("lib64", true), ("lib/deep", false), ("share", false)] {
      let own = directory.file("P/\(folder)/libone.so", library)
      let sample = ELFSample(searchPath: "$ORIGIN/../\(folder)")
      let installed = directory.file("P/bin/program", sample.bytes)
      #expect(try ProgramLibraries.readOnlyPaths(of: installed) == (isRead ? [own] : []), "\(folder)")
      let other = directory.file("P/tool/program", sample.bytes)
      #expect(try ProgramLibraries.readOnlyPaths(of: other) == [], "\(folder)")
    }
  }

  @Test func `of a bundle lead to libraries of the whole bundle`() throws {
    let directory = TemporaryDirectory()
    for name in ["A.app", "A.app/PlugIns", "A.app/PlugIns/B.appex", "A.app/lib"] { directory.directory(name) }
    let library = directory.file("A.app/lib/libone.so", ELFSample(interpreter: nil, needed: [], searchPath: "").bytes)
    let program = directory.file("A.app/PlugIns/B.appex/B", ELFSample(searchPath: "$ORIGIN/../../lib").bytes)
    #expect(try ProgramLibraries.readOnlyPaths(of: program) == [library])
  }
}
