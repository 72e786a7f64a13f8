import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(5)))
struct `What is made of an ELF file` {
  private func image(_ bytes: [UInt8]) -> ELFImage? {
    ELFImage { offset, count in
      offset < bytes.count ? Array(bytes[offset..<min(offset + min(count, bytes.count), bytes.count)]) : nil
    }
  }

  @Test func `is every symbol that an ordinary program takes from others`() throws {
    let symbols = try #require(ProgramSymbols(ELFSample(symbolCount: 3).bytes))
    #expect(symbols.imports == ["puts"] && symbols.excess == nil)
    #expect(symbols.libraries == ["libone.so", "libtwo.so"])
  }

  /// Once as many copies of the name as there are symbols.
  @Test func `ends where many symbols have one long name`() throws {
    let sample = ELFSample(symbolCount: 100_000, symbolName: String(repeating: "x", count: 60_000))
    let symbols = try #require(ProgramSymbols(sample.bytes))
    #expect(symbols.excess == "has names that are too long altogether." && symbols.imports == nil)
  }

  @Test func `ends at a symbol with an endless name`() throws {
    let sample = ELFSample(symbolCount: 2, symbolName: String(repeating: "x", count: 16 << 20))
    // The table of names has the size of its bound, or is above it.
    let symbols = try #require(ProgramSymbols(sample.bytes))
    #expect(symbols.excess?.isEmpty == false && symbols.imports == nil)
  }

  @Test func `may have a name of 64 KiB but for a byte`() throws {
    func symbols(_ count: Int) throws -> ProgramSymbols {
      try #require(ProgramSymbols(ELFSample(symbolCount: 1, symbolName: String(repeating: "x", count: count)).bytes))
    }
    let most = try symbols(65_534)
    #expect(most.excess == nil && most.imports?.map(\.utf8.count) == [65_534])
    #expect(try symbols(65_535).excess == "has a name of 64 KiB or more.")
  }

  @Test func `ends where there are too many symbols`() throws {
    let symbols = try #require(ProgramSymbols(ELFSample(symbolCount: ELFBudget.maximumSymbols + 1).bytes))
    #expect(symbols.excess == "has more than 262144 symbols.")
    let most = try #require(ProgramSymbols(ELFSample(symbolCount: ELFBudget.maximumSymbols).bytes))
    #expect(most.excess == nil && most.imports == ["puts"])
  }

  /// Once 350,000 directories for each of 250 times that the list is named.
  @Test func `ends where a program names too many directories`() throws {
    let path = Array(repeating: "/a", count: 20_000).joined(separator: ":")
    let image = try #require(self.image(ELFSample(searchPath: path, searchPathCount: 250).bytes))
    #expect(image.excess?.isEmpty == false && image.searchPaths.isEmpty && image.needed.isEmpty)
    func directories(_ count: Int) -> ELFImage? {
      self.image(ELFSample(searchPath: Array(repeating: "/a", count: count).joined(separator: ":")).bytes)
    }
    #expect(directories(256)?.searchPaths.count == 256 && directories(256)?.excess == nil)
    #expect(directories(257)?.searchPaths == [] && directories(257)?.excess != nil)
    let few = Array(repeating: "/a", count: 300).joined(separator: ":")
    #expect(
      self.image(ELFSample(searchPath: few).bytes)?.excess
        == "has more than 256 directories in which it looks for libraries.")
  }

  @Test func `ends where a program needs too many libraries`() throws {
    let image = try #require(self.image(ELFSample(needed: (0..<300).map { "lib\($0).so" }).bytes))
    #expect(image.excess == "has more than 256 libraries." && image.needed.isEmpty)
    #expect(self.image(ELFSample(needed: (0..<256).map { "lib\($0).so" }).bytes)?.needed.count == 256)
    let more = try #require(self.image(ELFSample(needed: (0..<257).map { "lib\($0).so" }).bytes))
    #expect(more.excess == "has more than 256 libraries.")
    #expect(self.image(ELFSample(needed: (0..<200).map { "lib\($0).so" }).bytes)?.needed.count == 200)
  }

  @Test func `is said when the program would be started`() throws {
    let directory = TemporaryDirectory()
    let path = Array(repeating: "/a", count: 300).joined(separator: ":")
    let program = directory.file("program", ELFSample(searchPath: path).bytes)
    let error = #expect(throws: SandboxError.self) { try ProgramLibraries.readOnlyPaths(of: program) }
    #expect(error?.code == .bundleInvalid && error?.message.hasPrefix("\(program) has more than 256") == true)
  }

  @Test func `is not looked for in too many places`() throws {
    let directory = TemporaryDirectory()
    let path = Array(repeating: "$ORIGIN/lib", count: 200).joined(separator: ":")
    let names = (0..<100).map { "lib\($0).so" }
    let program = directory.file("program", ELFSample(needed: names, searchPath: path).bytes)
    let error = #expect(throws: SandboxError.self) { try ProgramLibraries.readOnlyPaths(of: program) }
    #expect(error?.message.contains("more than 4096 places") == true)
  }

  @Test func `survives a table of sections that is wrong anywhere`() {
    let bytes = ELFSample(symbolCount: 2).bytes
    for position in (bytes.count - 3 * 64 - 60)..<bytes.count {
      for value: UInt8 in [0, 1, 0x7f, 0xff] {
        var broken = bytes
        for next in position..<min(position + 8, bytes.count) { broken[next] = value }
        _ = ProgramSymbols(broken)
      }
    }
  }
}
