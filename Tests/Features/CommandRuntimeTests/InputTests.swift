import Activation
import CommandLineTool
import ExtensionProtocol
import Foundation
import TestSupport
import Testing

@testable import CommandRuntime

/// Files and secrets that a user names.
@Suite(.timeLimit(.minutes(1)))
struct `An input of a command` {
  private let stage: CommandStage

  init() throws { stage = try CommandStage() }

  // MARK: Files

  @Test func `is read whole up to its limit`() throws {
    let file = try stage.folder.write("abc", to: "file")
    #expect(try InputFile.read(file, limit: 3) == Array("abc".utf8))
    let large = #expect(throws: InputError.self) { try InputFile.read(file, limit: 2) }
    #expect(large?.message == "Cannot read \(file): it is larger than 0 MiB.")
    let folder = #expect(throws: InputError.self) {
      try InputFile.read(stage.folder.path, limit: 9)
    }
    #expect(folder?.message == "Cannot read \(stage.folder.path): it is not a regular file.")
    let none = #expect(throws: InputError.self) { try InputFile.read("\(file)-none", limit: 9) }
    #expect(none?.message == "Cannot read \(file)-none: No such file or directory.")
  }

  @Test func `has types by its name, else by whether it is text`() throws {
    let types = TypeGraph.standard
    let text = ["public.utf8-plain-text", "public.plain-text"]
    #expect(InputFile.types(of: "a.png", [0], in: types) == ["public.png"])
    #expect(InputFile.types(of: "a.b.png", [0], in: types) == ["public.png"])
    #expect(InputFile.types(of: "png", Array("x".utf8), in: types) == text)
    #expect(InputFile.types(of: "a.unheardof", Array("größer".utf8), in: types) == text)
    #expect(InputFile.types(of: "a.", [], in: types) == text)
    #expect(InputFile.types(of: "a", [0x61, 0], in: types) == ["public.data"])
    #expect(InputFile.types(of: "a", [0xC3], in: types) == ["public.data"])
  }

  @Test func `has the type of its beginning, where a character may be cut`() throws {
    let types = TypeGraph.standard
    func type(_ bytes: [UInt8], _ name: String = "file") throws -> String? {
      try Data(bytes).write(to: URL(fileURLWithPath: stage.folder.file(name)))
      return try InputFile.types(ofFileAt: stage.folder.file(name), types).first
    }
    let text = "public.utf8-plain-text"
    #expect(try type([]) == text)
    #expect(try type(Array("a".utf8)) == text)
    for start in ["", "a", "ab"] {
      #expect(
        try type(Array((start + String(repeating: "€", count: 2_000)).utf8)) == text, "\(start)")
    }
    #expect(try type([UInt8](repeating: 0x61, count: 4_096)) == text)
    #expect(try type([UInt8](repeating: 0x61, count: 4_094) + [0, 0x61, 0x61]) == "public.data")
    // What is not whole at its own end is no text.
    #expect(try type([0x61, 0xC3]) == "public.data")
    #expect(try type([0], "x.png") == "public.png")
    #expect(throws: InputError.self) {
      try InputFile.types(ofFileAt: stage.folder.file("none"), types)
    }
  }

  // MARK: Secrets

  private func secret(_ words: String..., environment: [String: String] = [:]) throws -> String? {
    try stage.parsed(["run"] + words, environment: environment).secret("password")
  }

  @Test func `is a secret in a file, without the line end of files`() throws {
    for (text, secret) in [("s p\n", "s p"), ("s p\r\n", "s p"), ("é", "é"), (" x", " x")] {
      #expect(try self.secret("--password-file", try stage.folder.write(text, to: "s")) == secret)
    }
    for wrong in ["", "\n", "\r\n", "a\r", "a\n\n", "a\r\n\n", "a\nb", "a\tb", "a\u{7F}"] {
      let file = try stage.folder.write(wrong, to: "s")
      let error = #expect(throws: InputError.self) { try secret("--password-file", file) }
      #expect(error?.message == "There is no secret in \(file): it has to be one line of text.")
    }
    let invalid = stage.folder.file("bytes")
    try Data([0xFF, 0x0A]).write(to: URL(fileURLWithPath: invalid))
    #expect(throws: InputError.self) { try secret("--password-file", invalid) }
    let long = try stage.folder.write(String(repeating: "a", count: 65_537), to: "long")
    #expect(throws: InputError.self) { try secret("--password-file", long) }
    let most = try stage.folder.write(String(repeating: "a", count: 65_536), to: "most")
    #expect(try secret("--password-file", most)?.count == 65_536)
  }

  @Test func `is a secret of a descriptor, read to its end`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(
      contentsOf: Data((String(repeating: "a", count: 5_000) + "\n").utf8))
    try pipe.fileHandleForWriting.close()
    #expect(
      try secret("--password-fd", "\(pipe.fileHandleForReading.fileDescriptor)")?.count == 5_000)
    let empty = Pipe()
    try empty.fileHandleForWriting.close()
    let number = empty.fileHandleForReading.fileDescriptor
    let error = #expect(throws: InputError.self) { try secret("--password-fd", "\(number)") }
    #expect(
      error?.message
        == "There is no secret in the descriptor \(number): it has to be one line of text.")
  }

  @Test func `is a secret given once, or none`() throws {
    #expect(try secret() == nil)
    #expect(try secret(environment: ["PASSWORD": "s"]) == "s")
    let file = try stage.folder.write("f", to: "s")
    #expect(try secret("--password-file", file, environment: ["PASSWORD": "s"]) == "f")
    let two = #expect(throws: CommandLineError.self) {
      try secret("--password-file", file, "--password-fd", "0")
    }
    #expect(two?.message == "--password-file and --password-fd are both given.")
    #expect(throws: CommandLineError.self) { try secret("--password-fd", "x") }
    #expect(throws: CommandLineError.self) { try secret("--password-fd=-1") }
    let closed = #expect(throws: InputError.self) { try secret("--password-fd", "\(Int32.max)") }
    #expect(closed?.message == "The descriptor \(Int32.max) of --password-fd is not open.")
  }
}
