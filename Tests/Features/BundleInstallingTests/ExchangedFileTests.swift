import BundleInstalling
import Files
import Foundation
import TestSupport
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(5)))
struct `The files that a start stands on` {
  @Test func `are found out in ten thousand exchanges`() throws {
    let folder = try TemporaryDirectory()
    let (other, aside) = (folder.file("other"), folder.file("aside"))
    let bundle = folder.file("X.appex")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let place = "\(bundle)/program"
    try File.replace(place, with: Array("good".utf8))
    let stamp = try #require(FileStamp(place)?.text)
    let files = VerifiedFiles(
      BundleSignature(team: "", name: "", key: "", digest: "", stamps: ["X.appex/program": stamp]), of: folder.path,
      below: bundle)
    try files.check("X")
    rename(place, aside)
    var missed = 0
    for round in 0..<10_000 {
      // As long, as old, and with the same name: only the file is another, or its content.
      let written = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      #expect(write(written, "evil", 4) == 4)
      close(written)
      switch round % 3 {
      case 0: rename(other, place)
      case 1: symlink(other, place)
      default: link(other, place)
      }
      if (try? files.check("X")) != nil { missed += 1 }
      unlink(place)
    }
    #expect(missed == 0)
  }
}
