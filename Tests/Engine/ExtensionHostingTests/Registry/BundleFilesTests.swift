import ExtensionProtocol
import Files
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

/// What a look at every file of a bundle finds.
@Suite(.timeLimit(.minutes(1))) struct `The files of a bundle` {
  private let folder: TemporaryFolder
  private var root: String { "\(folder.path)/Clock.appex" }

  init() throws {
    folder = try TemporaryFolder()
    try write("Clock")
  }

  private func write(_ name: String) throws { try folder.write("Clock.appex/\(name)", "x".utf8) }

  /// Looks at the bundle, whose folders nobody else can change.
  private func look(interpreters: [String] = []) throws -> BundleFiles {
    for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: root)) {
      let path = "\(root)/\(name)"
      if FileStatus(path)?.kind == .directory { #expect(chmod(path, 0o755) == 0) }
    }
    return BundleFiles(root, interpreters: interpreters)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(root)/\(name)", withDestinationPath: target)
  }

  @Test func `are looked at 32 folders deep, and no deeper`() throws {
    try write(String(repeating: "d/", count: 31) + "file")
    #expect(try look().problems == [])
    try write(String(repeating: "d/", count: 32) + "file")
    let deep = try look().problems
    #expect(
      deep.map(\.message) == ["The bundle has too many files, or too deep folders, to be looked over."])
    #expect(deep.map(\.severity) == [.error] && deep.map(\.recovery) == ["Make it smaller."])
    #expect(deep.first?.file == "\(root)/\(String(repeating: "d/", count: 32))file")
  }

  @Test func `are libraries by their names, in order`() throws {
    for name in ["libb.so.1", "liba.so", "lib/libc.so.1.2", "libd.sox", "so", "libe.dso"] {
      try write(name)
    }
    #expect(
      try look().libraries.map { $0.dropFirst(root.count + 1) } == [
        "lib/libc.so.1.2", "liba.so", "libb.so.1",
      ])
  }

  @Test func `are no links, but to the interpreter of a bundle that has one`() throws {
    try link("inside", to: "Clock")
    try link("shell", to: "/bin/sh")
    try link("nowhere", to: "none")
    let alone = try look().problems
    #expect(alone.map(\.severity) == [.warning, .error, .error])
    #expect(alone.map { $0.file?.dropFirst(root.count + 1) } == ["inside", "nowhere", "shell"])
    #expect(alone[1].message == "It is a symbolic link that leads nowhere.")
    #expect(alone[2].message.hasPrefix("It is a symbolic link that leads out of the bundle, to /"))
    let scripted = try look(interpreters: ["/bin/sh"]).problems
    #expect(scripted.map { $0.file?.dropFirst(root.count + 1) } == ["nowhere"])
    let other = try look(interpreters: ["/bin/none"]).problems
    #expect(other.map { $0.file?.dropFirst(root.count + 1) } == ["nowhere", "shell"])
  }

  @Test func `are no links to a program whose path is another spelling of the interpreter's`() throws {
    let programs = ["\u{E9}", "e\u{301}"].map { "\(folder.path)/\($0)" }
    for program in programs {
      try folder.writeExecutable("program")
      try #require(rename("\(folder.path)/program", program) == 0)
    }
    try #require(symlink(programs[1], "\(root)/shell") == 0)
    #expect(try look(interpreters: [programs[1]]).problems == [])
    #expect(try look(interpreters: [programs[0]]).problems.map(\.severity) == [.error])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What an extension must not use` {
  private func names(_ carriers: Set<UnsafeSymbols.Carrier>) -> [String] {
    UnsafeSymbols.findings(
      libraries: ["libm.so.6", "libcurl.so.4", "libcap-ng.so.0", "libcap.so.2", "libcapstone.so"],
      imports: ["fork", "socket", "puts", "dlopen", "execvpe", "posix_spawn", "Fork"], modules: ["HostCLI", "kit"],
      carriers: carriers
    ).map { "\($0.kind) \($0.name)" }
  }

  @Test func `is found among its symbols, its libraries and its modules`() {
    let others = ["library libcurl.so.4", "library libcap-ng.so.0", "library libcap.so.2", "module HostCLI"]
    #expect(
      names([]) == ["symbol socket", "symbol posix_spawn", "symbol fork", "symbol execvpe", "symbol dlopen"] + others)
    // What these bring with them is not the extension's own.
    #expect(names([.kit]) == ["symbol fork", "symbol execvpe", "symbol dlopen"] + others)
    #expect(names([.staticSwift]) == ["symbol socket", "symbol posix_spawn", "symbol fork"] + others)
    #expect(names([.kit, .staticSwift]) == ["symbol fork"] + others)
  }

  @Test func `is explained by its name, a library by its beginning`() {
    #expect(UnsafeSymbols.row(about: "fork")?.row.reason == "An extension starts no other program.")
    #expect(UnsafeSymbols.row(about: "HostCLI")?.row.replacement == "Import AppExtensions.")
    let library = UnsafeSymbols.row(about: "libcurl.so.4")
    #expect(library?.name == "libcurl" && library?.row.reason == "An extension has no network.")
    #expect(UnsafeSymbols.row(about: "puts") == nil && UnsafeSymbols.row(about: "xlibcurl") == nil)
    #expect(UnsafeSymbols.words.contains("HostCLI") && UnsafeSymbols.words.suffix(2).first == "ExtensionRuntime")
  }
}
