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
  private var open: [String] {
    Folder.names(in: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix("\(folder.path)/") }
  }

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
}
