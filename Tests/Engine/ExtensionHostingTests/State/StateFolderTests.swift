import ExtensionProtocol
import Files
import Glibc
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting

/// Contents of one format, as tests have them.
private struct Note: FormattedContent {
  static let currentFormat = 2
  var format = currentFormat
  var text = ""
}

/// Contents that count how often they were read.
private struct CountedNote: StateContent {
  static let readings = Atomic(0)
  var text: String

  init(parsing bytes: [UInt8]) throws {
    Self.readings.add(1, ordering: .relaxed)
    text = String(decoding: bytes, as: UTF8.self)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A folder of the host's state` {
  private let folder: TemporaryFolder
  private let log = KeptLog()
  private let notes: StateFolder<Note>

  init() throws {
    folder = try TemporaryFolder()
    notes = StateFolder("notes", in: StateDirectory(path: folder.path), name: "The note", log: log)
  }

  @Test(
    arguments: [
      "a", "a.b", "a.", String(repeating: "a", count: 200), String(repeating: "é", count: 100),
    ])
  func `has a file for a name, once and again`(id: String) async throws {
    for text in ["one", "two"] {
      #expect(notes.read(id) == nil && notes.identifiers == [])
      try await notes.replace(id, with: Note(text: text))
      #expect(notes.read(id) == Note(text: text) && notes.identifiers == [id])
      let length = try await notes.change(id, or: Note()) { note throws(ExtensionError) in
        note.text += "!"
        return note.text.utf8.count
      }
      #expect(length == 4 && notes.read(id) == Note(text: "\(text)!"))
      notes.remove(id)
    }
    #expect(notes.read(id) == nil && notes.identifiers == [])
  }

  @Test(
    arguments: [
      "", ".", "..", ".a", "/", "a/b", "a/", "/a", "a\0", String(repeating: "a", count: 201),
      String(repeating: "é", count: 100) + "a",
    ])
  func `has none for what is no name`(id: String) async throws {
    let error = await #expect(throws: ExtensionError.self) { try await notes.replace(id, with: Note(text: "x")) }
    #expect(error?.code == .storeFailed && error?.message == "“\(id)” cannot be the name of a file.")
    #expect(error?.recovery == "Use another identifier.")
    await #expect(throws: ExtensionError(.storeFailed, "")) {
      try await notes.change(id, or: Note()) { $0.text = "x" }
    }
    notes.remove(id)
    #expect(notes.read(id) == nil && notes.file(of: id) == nil)
    #expect(Folder.names(in: folder.path) == [])
  }

  @Test func `lists what it has in order, and has one lock for all`() async throws {
    for id in ["b", "a.json", "c"] { try await notes.change(id, or: Note()) { $0.text = id } }
    try folder.write("notes/other.txt", "".utf8)
    #expect(notes.identifiers == ["a.json", "b", "c"])
    #expect(
      Set(Folder.names(in: "\(folder.path)/notes"))
        == ["a.json.json", "b.json", "c.json", ".lock", "other.txt"])
    notes.remove("b")
    #expect(notes.identifiers == ["a.json", "c"])
  }

  @Test func `reads its own format, and neither reads nor writes over another`() async throws {
    for format in [1, 3] {
      let text = #"{"format":\#(format),"text":"x"}"#
      let path = try folder.write("notes/a.json", text.utf8)
      #expect(notes.read("a") == nil)
      let error = await #expect(throws: ExtensionError.self) {
        try await notes.change("a", or: Note()) { $0.text = "y" }
      }
      let message =
        "The note \(path) was made by a newer version: it has format \(format), and this host reads format 2."
      #expect(error?.code == .storeFailed && error?.message == message)
      #expect(error?.details["format"] == .integer(Int64(format)))
      #expect(log.lines.last == "\(message) It begins anew.")
      #expect(try File.read(path, limit: 100) == Array(text.utf8))
    }
    #expect(log.lines.count == 2 && notes.identifiers == ["a"])
  }

  @Test func `says where it put what was damaged, and what follows`() throws {
    let store = StateFolder<Note>(
      "notes", in: StateDirectory(path: folder.path), name: "The note", consequence: "So be it.", log: log)
    let path = try folder.write("notes/a.json", #"{"format":2}"#.utf8)
    #expect(store.read("a") == nil && store.read("a") == nil)
    let aside = try #require(Folder.names(in: "\(folder.path)/notes").first { $0.hasPrefix("a.json.damaged-") })
    let line = try #require(log.lines.first)
    #expect(line.hasPrefix("The note \(path) is damaged. It holds no such record ("))
    #expect(line.hasSuffix(" It was moved to \(folder.path)/notes/\(aside). So be it."))
    #expect(log.lines.count == 1 && store.identifiers == [])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A file that is read when it has changed` {
  private let folder: TemporaryFolder
  private let log = KeptLog()
  private let file: StateFile<Note>
  private let cached: CachedStateFile<Note>

  init() throws {
    folder = try TemporaryFolder()
    file = StateFile(path: "\(folder.path)/note.json", name: "The note", damage: .refuse, log: log)
    cached = CachedStateFile(file)
  }

  @Test func `counts the times that it was another, whoever changed it`() async throws {
    #expect(cached.read().content == nil && cached.read().generation == 0)
    for (generation, text) in ["one", "two", "three"].enumerated() {
      if generation == 1 {
        try await file.replace(with: Note(text: text))
      } else {
        let before = try await cached.change(or: Note(text: "none")) { note throws(ExtensionError) in
          defer { note.text = text }
          return note.text
        }
        #expect(before == (generation == 0 ? "none" : "two"))
      }
      for _ in 0..<2 {
        #expect(cached.read().content == Note(text: text))
        #expect(cached.read().generation == UInt64(generation + 1))
        #expect(try cached.load() == Note(text: text))
      }
    }
    #expect(unlink(file.path) == 0)
    for _ in 0..<2 { #expect(cached.read().content == nil && cached.read().generation == 4) }
  }

  @Test func `is read each time while a change need not show in its stamp`() throws {
    let path = try folder.write("counted", "x".utf8)
    let file = StateFile<CountedNote>(path: path, name: "The note")
    for isSettled in [false, true] {
      let cached = CachedStateFile(file) { $0 == path && isSettled }
      let before = CountedNote.readings.load(ordering: .relaxed)
      for _ in 0..<3 {
        #expect(cached.read().content?.text == "x" && cached.read().generation == 1)
      }
      #expect(CountedNote.readings.load(ordering: .relaxed) - before == (isSettled ? 1 : 6))
    }
  }

  @Test func `is reported once while it cannot be used, settled or not`() throws {
    try folder.write("note.json", #"{"format":3,"text":"x"}"#.utf8)
    let cached = CachedStateFile(file) { _ in false }
    for _ in 0..<3 { #expect(cached.read().content == nil) }
    #expect(log.lines.count == 1)
  }

  @Test func `is refused each time while it is damaged, and read once it is repaired`() async throws {
    try await file.replace(with: Note(text: "one"))
    #expect(try cached.load() == Note(text: "one"))
    for round in 0..<2 {
      try folder.write("note.json", String(repeating: "{", count: round + 1).utf8)
      for _ in 0..<2 {
        let error = #expect(throws: ExtensionError.self) { try cached.load() }
        #expect(error?.code == .storeFailed)
        #expect(error?.recovery == "Restore \(file.path) from a copy, or move it away to begin a new one.")
      }
    }
    try await file.replace(with: Note(text: "two"))
    #expect(try cached.load() == Note(text: "two"))
  }
}
