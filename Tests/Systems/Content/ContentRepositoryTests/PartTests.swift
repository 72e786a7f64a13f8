import ImageFile
import Files
import JSON
import Testing
import Text

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A moment` {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Moment.Form.dateTime, 0), ("2024-02-29T12:30:15.250+02:00", .dateTime, 1_709_202_615_250),
    ("2024-02-29 10:30:15.25", .dateTime, 1_709_202_615_250), ("1969-12-31", .date, -86_400_000),
    ("0000-01-01", .date, -62_167_219_200_000), ("9999-12-31", .date, 253_402_214_400_000), ("00:00", .time, 0),
    ("23:59:59.999999999", .time, 86_399_999), ("01:00:00-0130", .time, 9_000_000),
    ("2024-05-01T10:00+02", .dateTime, 1_714_550_400_000), ("19:00:00+18:00", .time, 3_600_000),
  ])
  func `is read`(text: String, form: Moment.Form, milliseconds: Int64) {
    #expect(Moment(text, form)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("2023-02-29", Moment.Form.date), ("2023-13-01", .date), ("2023-1-1", .date), ("2023-01-01x", .date), ("", .date),
    ("24:00", .time), ("12:60", .time), ("12:00:00.", .time), ("12:00:00.1234567890", .time), ("2023-01-01", .dateTime),
    ("2023-01-01T10:00:00+", .dateTime), ("2023-01-01T10:00:00+99:00", .dateTime), ("99999999999999999999999", .date),
    ("20:00:00+19:00", .time),
  ])
  func `is refused`(text: String, form: Moment.Form) { #expect(Moment(text, form) == nil) }
}

@Suite(.timeLimit(.minutes(1))) struct `The size of a picture` {
  @Test(
    arguments: [
      (
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 64, 0, 0, 0, 200], 320,
        200
      ),
      (Array("GIF89a".utf8) + [0x40, 1, 200, 0], 320, 200),
      (
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC0, 0, 17, 8, 0, 200, 1, 64, 3], 320, 200
      ),
      (
        Array("RIFF".utf8) + [9, 9, 9, 9] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 63, 1, 0, 199, 0, 0],
        320, 200
      ),
      (
        Array("RIFF".utf8) + [9, 9, 9, 9] + Array("WEBPVP8 ".utf8) + [
          9, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 64, 1, 200, 0,
        ], 320, 200
      ),
      (
        Array("RIFF".utf8) + [9, 9, 9, 9] + Array("WEBPVP8L".utf8) + [
          9, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x31, 0, 0, 0, 0, 0, 0,
        ], 320, 200
      ),
    ] as [([UInt8], Int, Int)])
  func `stands in its first bytes`(bytes: [UInt8], width: Int, height: Int) throws {
    let size = try #require(ImageSize.of(bytes))
    #expect(size.width == width && size.height == height)
    // Whatever is missing or different: no crash.
    for count in 0..<bytes.count { _ = ImageSize.of(Array(bytes.prefix(count))) }
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        _ = ImageSize.of(changed)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A reload` {
  @Test func `shares what did not change`() async throws {
    try await `A folder of content`.withFolder { root in
      let repository = try ContentRepository(root: root)
      let before = repository.state.graph
      try Self.write(
        "{\"model\": \"demo/city\", \"fields\": {\"name\": \"Zug\"}}", "\(root)/content/dam/demo/en/cities/zurich.json")
      #expect(repository.reload().isEmpty)
      let after = repository.state.graph
      for (path, fragment) in before.fragments {
        #expect((after.fragments[path] === fragment) == !path.text.hasSuffix("zurich"), "\(path)")
      }
      #expect(before.endpoints["demo"] === after.endpoints["demo"])
      // A model that changed makes its fragments anew, and the schema.
      let award =
        #"{"title": "Award", "fields": [{"name": "id", "type": "text"}, {"name": "year", "type": "integer"}]}"#
      try Self.write(award, "\(root)/models/demo/award.json")
      #expect(repository.reload().isEmpty)
      let last = repository.state.graph
      #expect(last.endpoints["demo"] !== after.endpoints["demo"])
      let (award1, award2) = (
        after.fragment(at: "/content/dam/demo/en/persons/gs"), last.fragment(at: "/content/dam/demo/en/persons/gs")
      )
      #expect(award1 != nil && award1 !== award2)
    }
  }

  static func write(_ text: String, _ path: String) throws { try File.replace(path, with: Array(text.utf8)) }

  @Test func `sees a text that a fragment names`() async throws {
    try await `A folder of content`.withFolder { root in
      let folder = "\(root)/content/dam/demo/en/cities"
      try Self.write(
        #"{"model": "demo/city", "fields": {"name": "Bern", "words": {"file": "bern.md"}}}"#, "\(folder)/bern.json")
      try Self.write("Old *town*", "\(folder)/bern.md")
      let repository = try ContentRepository(root: root)
      func text() async -> JSONValue? {
        let query = "{ cityByPath(_path: \"/content/dam/demo/en/cities/bern\") { item { words { plaintext } } } }"
        return await repository.state.run(query, configuration: "demo")["data"]?["cityByPath"]?["item"]?["words"]?[
          "plaintext"]
      }
      #expect(await text() == "Old town")
      #expect(repository.state.asset(path: "/content/dam/demo/en/cities/bern.md") == nil)
      try Self.write("New town", "\(folder)/bern.md")
      #expect(repository.reload().isEmpty)
      #expect(await text() == "New town")
      try Self.write("\u{FF}", "\(folder)/bern.md")
      try File.replace("\(folder)/bern.md", with: [0xFF])
      #expect(repository.reload().map(\.message) == ["This text cannot be read as UTF-8."])
      #expect(await text() == "New town")
    }
  }

  @Test func `misses a text that is gone, and takes the one that comes back`() async throws {
    try await `A folder of content`.withFolder { root in
      let folder = "\(root)/content/dam/demo/en/cities"
      try Self.write(
        #"{"model": "demo/city", "fields": {"name": "Bern", "words": {"file": "bern.md"}}}"#, "\(folder)/bern.json")
      try Self.write("Old town", "\(folder)/bern.md")
      let repository = try ContentRepository(root: root)
      for text in ["New town", "Last town"] {
        File.remove("\(folder)/bern.md")
        #expect(repository.reload().map(\.message) == ["There is no file \"bern.md\" beside this one."])
        try Self.write(text, "\(folder)/bern.md")
        #expect(repository.reload().isEmpty)
        let query = "{ cityByPath(_path: \"/content/dam/demo/en/cities/bern\") { item { words { plaintext } } } }"
        let answer = await repository.state.run(query, configuration: "demo")
        #expect(answer["data"] == ["cityByPath": ["item": ["words": ["plaintext": .string(text)]]]])
      }
    }
  }
}
