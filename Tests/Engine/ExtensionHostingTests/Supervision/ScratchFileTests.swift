import ExtensionProtocol
import Files
import Foundation
import TestSupport
import Testing

@testable import ExtensionHosting

/// A file that the host writes for an extension.
@Suite(.timeLimit(.minutes(1)))
struct `A file for an extension` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// What this process has open below the folder.
  private var open: [String] { OpenFiles.below(folder.path) }

  @Test func `is open as long as somebody has it`() throws {
    for _ in 0..<2 {
      let file = try ScratchFile(name: "body", in: folder.path, owner: nil)
      #expect(open == ["\(folder.path)/\(file.name)"] && file.count == 0 && file.failure == nil)
      #expect(file.name.hasPrefix("body") && !file.name.contains("/"))
      #expect(file.append([1, 2]) && file.append([]) && file.append([3]) && file.count == 3)
      #expect(try File.read("\(folder.path)/\(file.name)", limit: 9) == [1, 2, 3])
    }
    #expect(open == [])
  }

  @Test func `is refused where it cannot be made, and nothing stays open`() {
    #expect(throws: ExtensionError.self) {
      try ScratchFile(name: "body", in: "\(folder.path)/none", owner: nil)
    }
    #expect(open == [])
  }

  @Test func `begins anew when what was written is forgotten, until it is whole`() throws {
    let file = try ScratchFile(name: "body", in: folder.path, owner: nil)
    func bytes() throws -> [UInt8] { try File.read("\(folder.path)/\(file.name)", limit: 9) }
    file.reset()
    #expect(file.append([1, 2, 3]))
    for byte in [4, 5] as [UInt8] {
      file.reset()
      #expect(try file.count == 0 && bytes() == [])
      #expect(try file.append([byte, 9]) && file.count == 2 && bytes() == [byte, 9])
    }
    for _ in 0..<2 {
      try file.finish()
      #expect(open == [])
      #expect(!file.append([7]) && file.append([]))
      file.reset()
      #expect(try file.count == 2 && file.failure == nil && bytes() == [5, 9])
    }
  }

  /// In a process of its own, whose files have at most four bytes meanwhile.
  @Test func `says to the end that something could not be written, also where the rest could`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      let file = try ScratchFile(name: "body", in: folder.path, owner: nil)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      signal(SIGXFSZ, SIG_IGN)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), [rlimit(rlim_cur: 4, rlim_max: limit.rlim_max)])
      #expect(file.append([1, 2, 3]) && file.failure == nil)
      #expect(!file.append([4, 5]) && file.count == 3 && file.failure?.code == .storeFailed)
      file.reset()
      #expect(file.append([6]) && file.count == 1 && file.failure?.code == .storeFailed)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      for _ in 0..<2 { #expect(throws: ExtensionError.self) { try file.finish() } }
    }
  }

  @Test(arguments: [false, true]) func `is gone when it is discarded, whole or not`(isWhole: Bool) throws {
    let file = try ScratchFile(name: "body", in: folder.path, owner: nil)
    #expect(file.append([1]))
    if isWhole { try file.finish() }
    for _ in 0..<2 {
      file.discard()
      #expect(open == [] && Folder.names(in: folder.path) == [] && !file.append([2]))
    }
  }
}
