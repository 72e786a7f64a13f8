import JSON
import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A registry's record` {
  private let folder: TemporaryFolder
  private var file: String { "\(folder.path)/registry.json" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Mail.app/Info.plist", "".utf8)
    try folder.write("Notes.app/Info.plist", "".utf8)
  }

  @Test func `without a file is empty`() throws {
    #expect(try RegistryRecord.load(from: file) == RegistryRecord())
  }

  @Test func `comes back as it was written`() async throws {
    try await RegistryRecord.update(at: file) { record throws(ExtensionError) in
      try record.add(bundle: "\(folder.path)/Mail.app")
      try record.add(bundle: "\(folder.path)/Notes.app/")
      try record.add(bundle: "\(folder.path)/Mail.app/../Mail.app")
      record.elect(.ignore, for: "com.example.mail.clock")
      record.elect(.use, for: "com.example.notes.clock")
    }
    let record = try RegistryRecord.load(from: file)
    #expect(record.bundles.map(\.identifier) == ["Mail.app", "Notes.app"])
    #expect(record.elections == ["com.example.mail.clock": .ignore, "com.example.notes.clock": .use])
  }

  @Test func `tells a path that leads nowhere from a folder that is no bundle`() throws {
    var record = RegistryRecord()
    try folder.write("Plain/Info.plist", "".utf8)
    let nowhere = #expect(throws: ExtensionError.self) { try record.add(bundle: "\(folder.path)/Mial.app") }
    #expect(nowhere?.message == "There is no bundle at “\(folder.path)/Mial.app”.")
    let plain = #expect(throws: ExtensionError.self) { try record.add(bundle: "\(folder.path)/Plain") }
    #expect(plain?.message == "“\(folder.path)/Plain” is not a bundle.")
    #expect(record.bundles.isEmpty)
  }

  @Test func `has both of two bundles whose paths are two spellings of an accent`() throws {
    var record = RegistryRecord()
    for name in ["\u{E9}.app", "e\u{301}.app"] {
      try #require(mkdir("\(folder.path)/\(name)", 0o755) == 0)
      try record.add(bundle: "\(folder.path)/\(name)")
    }
    #expect(record.bundles.count == 2)
    let isRemoved = record.remove(bundle: "\(folder.path)/e\u{301}.app")
    #expect(isRemoved && record.bundles.map { Array($0.identifier.utf8) } == [Array("\u{E9}.app".utf8)])
  }

  @Test func `forgets bundles and decisions`() async throws {
    try await RegistryRecord.update(at: file) { record throws(ExtensionError) in
      try record.add(bundle: "\(folder.path)/Mail.app")
      record.elect(.ignore, for: "com.example.mail.clock")
    }
    let removed = try await RegistryRecord.update(at: file) { record throws(ExtensionError) in
      record.elect(nil, for: "com.example.mail.clock")
      return [record.remove(bundle: "\(folder.path)/Mail.app"), record.remove(bundle: "\(folder.path)/Mail.app")]
    }
    #expect(removed == [true, false])
    #expect(try RegistryRecord.load(from: file) == RegistryRecord())
  }

  @Test(arguments: ["/none", "Mail.app/Info.plist", "."])
  func `takes nothing but bundles`(path: String) async throws {
    let full = path.hasPrefix("/") ? path : "\(folder.path)/\(path)"
    let error = await #expect(throws: ExtensionError.self) {
      try await RegistryRecord.update(at: file) { record throws(ExtensionError) in try record.add(bundle: full) }
    }
    #expect(error?.code == .extensionInvalid)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test(arguments: ["", "{", "[]", #"{"bundles":1,"elections":{}}"#, #"{"bundles":[],"elections":{"a":"maybe"}}"#])
  func `that is damaged is an error and stays as it is`(text: String) async throws {
    try folder.write("registry.json", text.utf8)
    let error = await #expect(throws: ExtensionError.self) {
      try await RegistryRecord.update(at: file) { record throws(ExtensionError) in record.elect(.use, for: "a.b") }
    }
    #expect(error?.code == .storeFailed && error?.recovery?.isEmpty == false)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test func `that a stopped host keeps locked can be read`() async throws {
    let lock = open("\(file).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    #expect(try RegistryRecord.load(from: file) == RegistryRecord())
    let error = await #expect(throws: ExtensionError.self) {
      try await RegistryRecord.update(at: file, timeout: .milliseconds(20)) { record throws(ExtensionError) in
        record.elect(.use, for: "a.b")
      }
    }
    #expect(error?.code == .storeFailed && error?.details["retryable"] == true)
  }

  @Test func `loses no change of several writers`() async throws {
    let file = file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            // Each change waits for the disk, and whoever writes may do so again before another one has its turn.
            try await RegistryRecord.update(at: file, timeout: .seconds(50)) { record throws(ExtensionError) in
              record.elect(.use, for: "com.example.w\(writer)n\(number)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try RegistryRecord.load(from: file).elections.count == 100)
  }
}
