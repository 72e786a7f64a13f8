import Files
import Testing

@testable import AppExtensions
@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `The writer of a document` {
  /// The files below a folder that this process has open.
  private func opened(below folder: String) -> [String] {
    Folder.names(in: "/proc/self/fd").compactMap { File.linkTarget(of: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix("\(folder)/") }
  }

  @Test(arguments: [true, false]) func `leaves no file open when it is gone`(isFinished: Bool) throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let path = try #require(File.resolved(folder.path))
    do {
      let writer = try DocumentWriter("\(path)/a/b.txt")
      try writer.append([1, 2])
      try writer.append([3])
      #expect(writer.count == 3 && opened(below: path).count == 1)
      if isFinished { try writer.finish() } else { writer.discard() }
    }
    #expect(opened(below: path) == [])
    #expect(Folder.names(in: "\(path)/a") == (isFinished ? ["b.txt"] : []))
  }
}
