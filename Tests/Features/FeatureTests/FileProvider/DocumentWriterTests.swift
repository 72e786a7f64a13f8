import Files
import TestSupport
import Testing

@testable import AppExtensions
@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `The writer of a document` {
  @Test(arguments: [true, false]) func `leaves no file open when it is gone`(isFinished: Bool) throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let path = try #require(File.resolved(folder.path))
    do {
      let writer = try DocumentWriter("\(path)/a/b.txt")
      try writer.append([1, 2])
      try writer.append([3])
      #expect(writer.count == 3 && OpenFiles.below(path).count == 1)
      if isFinished { try writer.finish() } else { writer.discard() }
    }
    #expect(OpenFiles.below(path) == [])
    #expect(Folder.names(in: "\(path)/a") == (isFinished ? ["b.txt"] : []))
  }
}
