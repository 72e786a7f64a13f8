import AppExtensions
import ExtensionHosting
import Foundation
import HostServices
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A library of edited photos` {
  private let edited = EditedPhoto(bytes: [3, 4], type: "public.jpeg", adjustmentData: PhotoProbe.adjustment)

  private func withLibrary(_ body: (PhotoLibrary, String) throws -> Void) throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    try body(PhotoLibrary(folder.state), folder.state.path)
  }

  @Test func `takes photos of 128 MiB at most`() { #expect(PhotoLibrary.limit == 134_217_728) }

  @Test func `knows nothing of a photo that was never edited`() throws {
    try withLibrary { library, _ in
      let edit = try library.edit(of: [1, 2])
      #expect(edit == nil)
    }
  }

  @Test func `finds the original and the adjustment data by the edited photo alone`() throws {
    try withLibrary { library, _ in
      try library.keep(edited, of: [1, 2], by: "com.example.editor")
      let edit = try #require(try library.edit(of: [3, 4]))
      #expect(edit.adjustmentData == PhotoProbe.adjustment)
      #expect(edit.editor == "com.example.editor")
      #expect(try library.original(of: edit) == [1, 2])
      let other = try library.edit(of: [3, 4, 5])
      #expect(other == nil)
    }
  }

  @Test func `keeps one original for all edits of a photo`() throws {
    try withLibrary { library, path in
      try library.keep(edited, of: [1, 2], by: "a")
      var again = edited
      again.bytes = [5]
      try library.keep(again, of: [1, 2], by: "b")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/photos/originals").count == 1)
      for photo in [[3, 4], [5]] as [[UInt8]] {
        #expect(try library.original(of: #require(try library.edit(of: photo))) == [1, 2])
      }
    }
  }

  @Test func `says so when an original is gone or is no longer what it was`() throws {
    try withLibrary { library, path in
      try library.keep(edited, of: [1, 2], by: "a")
      let edit = try #require(try library.edit(of: [3, 4]))
      let original = "\(path)/photos/originals/\(edit.original)"
      try Data([9]).write(to: URL(filePath: original))
      #expect(throws: ExtensionError.self) { _ = try library.original(of: edit) }
      try FileManager.default.removeItem(atPath: original)
      let error = #expect(throws: ExtensionError.self) { _ = try library.original(of: edit) }
      #expect(error?.code == .storeFailed)
      #expect(error?.message.contains(original) == true)
    }
  }

  @Test func `keeps an original anew that is damaged, or leads elsewhere`() throws {
    try withLibrary { library, path in
      try library.keep(edited, of: [1, 2], by: "a")
      let edit = try #require(try library.edit(of: [3, 4]))
      let original = "\(path)/photos/originals/\(edit.original)"
      for damaged in [[9], [], [1, 2, 3]] as [[UInt8]] {
        try Data(damaged).write(to: URL(filePath: original))
        try library.keep(edited, of: [1, 2], by: "b")
        #expect(try library.original(of: edit) == [1, 2])
      }
      try FileManager.default.removeItem(atPath: original)
      try FileManager.default.createSymbolicLink(atPath: original, withDestinationPath: "\(path)/absent")
      try library.keep(edited, of: [1, 2], by: "b")
      #expect(try library.original(of: edit) == [1, 2])
    }
  }

  @Test func `says so when what it knows of a photo is damaged`() throws {
    try withLibrary { library, path in
      try library.keep(edited, of: [1, 2], by: "a")
      let folder = "\(path)/photos/edits"
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
      try Data("{".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      let error = #expect(throws: ExtensionError.self) { _ = try library.edit(of: [3, 4]) }
      #expect(error?.code == .storeFailed)
    }
  }

  @Test func `says so when what it knows of a photo leads nowhere`() throws {
    try withLibrary { library, path in
      try library.keep(edited, of: [1, 2], by: "a")
      let folder = "\(path)/photos/edits"
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/absent")
      let error = #expect(throws: ExtensionError.self) { _ = try library.edit(of: [3, 4]) }
      #expect(error?.code == .storeFailed)
    }
  }
}
