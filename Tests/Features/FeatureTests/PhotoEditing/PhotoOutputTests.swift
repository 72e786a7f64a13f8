import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import HostServices
import TestSupport
import Testing

/// What an extension may get wrong about its output, and what that is called.
struct PhotoMistake: Sendable, CustomTestStringConvertible {
  var reason: PhotoEditingRefusal
  var testDescription: String
  var finish: PhotoProbe.Finish

  init(_ reason: PhotoEditingRefusal, _ description: String, _ finish: @escaping PhotoProbe.Finish) {
    self.reason = reason
    testDescription = description
    self.finish = finish
  }

  static let earlier = AdjustmentData(formatIdentifier: "com.example.probe", formatVersion: "1", bytes: [7])

  static func data(_ bytes: [UInt8], format: String = "f", version: String = "1") -> AdjustmentData {
    AdjustmentData(formatIdentifier: format, formatVersion: version, bytes: bytes)
  }

  private static func content(_ path: String, type: String = "public.jpeg") -> PhotoEditingOutput {
    PhotoEditingOutput(renderedContent: .init(path: path, type: type), adjustmentData: PhotoProbe.adjustment)
  }

  static let all = [
    PhotoMistake(.outputMissing, "names no file") { _ in
      PhotoEditingOutput(renderedContent: nil, adjustmentData: PhotoProbe.adjustment)
    },
    PhotoMistake(.outputMissing, "writes no file") {
      try $0.output(type: "public.jpeg", adjustmentData: PhotoProbe.adjustment)
    },
    PhotoMistake(.outputMissing, "writes an empty file") { try PhotoProbe.output($0, []) },
    PhotoMistake(.outputNotReadable, "names a file outside the output directory") { _ in content("../secret") },
    PhotoMistake(.outputNotReadable, "names an absolute path") { _ in content("/etc/passwd") },
    PhotoMistake(.outputNotReadable, "climbs out of the output directory") {
      try content(String($0.output(type: "public.jpeg", adjustmentData: earlier).renderedContent!.path + "/../../x"))
    },
    PhotoMistake(.outputNotReadable, "plants a link to another file") {
      let path = try $0.outputPath(for: "public.jpeg")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
      return try $0.output(type: "public.jpeg", adjustmentData: PhotoProbe.adjustment)
    },
    PhotoMistake(.outputNotReadable, "makes a named pipe") {
      mkfifo(try $0.outputPath(for: "public.jpeg"), 0o600)
      return try $0.output(type: "public.jpeg", adjustmentData: PhotoProbe.adjustment)
    },
    PhotoMistake(.wrongFormat, "writes something that is not an image") {
      try PhotoProbe.output($0, Array("<html>".utf8))
    },
    PhotoMistake(.wrongFormat, "writes another format than it says") { try PhotoProbe.output($0, SmallImages.png) },
    PhotoMistake(.wrongFormat, "names a type that was not asked for") {
      var output = try PhotoProbe.output($0, Array("GIF89a".utf8))
      output.renderedContent?.type = "com.compuserve.gif"
      return output
    },
    PhotoMistake(.orientationNotNormalised, "leaves a JPEG to be turned") {
      try PhotoProbe.output($0, SmallImages.jpeg(orientation: 6))
    },
    PhotoMistake(.orientationNotNormalised, "leaves a PNG to be turned") {
      try PhotoProbe.output($0, SmallImages.png(orientation: 3), type: "public.png")
    },
    PhotoMistake(.adjustmentDataMissing, "gives no adjustment data") {
      var output = try PhotoProbe.output($0, SmallImages.jpeg())
      output.adjustmentData = nil
      return output
    },
    PhotoMistake(.adjustmentDataReused, "gives the adjustment data of the earlier edit") {
      try PhotoProbe.output($0, SmallImages.jpeg(), earlier)
    },
    PhotoMistake(.adjustmentDataEmpty, "gives empty adjustment data") {
      try PhotoProbe.output($0, SmallImages.jpeg(), data([]))
    },
    PhotoMistake(.adjustmentDataEmpty, "gives adjustment data of no format") {
      try PhotoProbe.output($0, SmallImages.jpeg(), data([1], format: ""))
    },
    PhotoMistake(.adjustmentDataEmpty, "gives adjustment data that is not base64") {
      try PhotoProbe.output(
        $0, SmallImages.jpeg(), AdjustmentData(formatIdentifier: "f", formatVersion: "1", data: "?"))
    },
    PhotoMistake(.adjustmentDataTooLarge, "gives more than 2 MiB of adjustment data") {
      try PhotoProbe.output($0, SmallImages.jpeg(), data([UInt8](repeating: 1, count: AdjustmentData.limit + 1)))
    },
  ]
}

@Suite(.timeLimit(.minutes(1)))
struct `An edited photo` {
  @Test(arguments: try Cases.present(PhotoMistake.all))
  func `is not taken from an extension that`(mistake: PhotoMistake) async throws {
    var script = PhotoProbe.Script()
    script.finish = mistake.finish
    try await PhotoProbe.$script.withValue(script) {
      try await TestHost().withExtension(PhotoProbe.self, identity: .testing(point: .photoEditing)) { process in
        let editor = PhotoEditor(process)
        _ = try await editor.start(
          EditablePhoto(
            current: SmallImages.jpeg(), original: SmallImages.jpeg(), adjustmentData: PhotoMistake.earlier))
        let error = await #expect(throws: ExtensionError.self) { _ = try await editor.finish() }
        #expect(error?.code == .editingFailed)
        #expect(error?.details["reason"] == .string(mistake.reason.rawValue))
        #expect(error?.recovery?.isEmpty == false)
        // The session is over, and the next one works.
        _ = try await editor.start(EditablePhoto(current: SmallImages.jpeg()))
      }
    }
  }

  @Test func `may be a PNG`() async throws {
    var script = PhotoProbe.Script()
    script.finish = { try PhotoProbe.output($0, SmallImages.png, type: "public.png") }
    try await PhotoProbe.$script.withValue(script) {
      try await TestHost().withExtension(PhotoProbe.self, identity: .testing(point: .photoEditing)) { process in
        let editor = PhotoEditor(process)
        _ = try await editor.start(EditablePhoto(current: SmallImages.jpeg()))
        #expect(try await editor.finish()?.bytes == SmallImages.png)
      }
    }
  }

  @Test func `is told apart by every reason of the contract`() {
    let tried = Set(PhotoMistake.all.map(\.reason))
    let others: Set<PhotoEditingRefusal> = [.mediaTypeUnsupported, .noSession, .sessionBusy, .cancelledDuringFinish]
    #expect(tried.union(others) == Set(PhotoEditingRefusal.allCases))
  }
}
