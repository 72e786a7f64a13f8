import Files
import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `An asset of the content` {
  private static let model = #"{"fields": [{"name": "name", "type": "text"}]}"#
  private static let id = "01234567-89ab-cdef-0123-456789abcdef"
  /// The first bytes of a picture of 320 by 200 pixels.
  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 64, 0, 0, 0, 200,
  ]

  /// The content of files of a folder.
  private static func repository(
    _ files: [String: [UInt8]], drawing: ContentAsset.Drawing? = nil
  ) throws -> ContentRepository {
    var all = ["models/s/thing.json": Array(model.utf8)]
    for (name, bytes) in files { all["content/dam/s/\(name)"] = bytes }
    return try ContentRepository(files: all, drawing: drawing)
  }

  private static func asset(_ name: String, _ files: [String: [UInt8]]) throws -> ContentAsset? {
    try repository(files).state.asset(path: "/content/dam/s/\(name)")
  }

  private static func problems(_ files: [String: [UInt8]]) -> [String] {
    do {
      _ = try repository(files)
      return []
    } catch {
      return (error as? ContentProblems)?.problems.map(\.description) ?? ["another error"]
    }
  }

  private static func size(_ asset: ContentAsset?) -> [Int?] { [asset?.width, asset?.height] }

  // MARK: Files

  @Test func `is a file with what its ending and its bytes say`() throws {
    let state = try Self.repository(["a.bin": [1, 2], "b.PNG": Self.png, "c.png": [1], "d.pdf": Self.png]).state
    let file = try #require(state.asset(path: "/content/dam/s/a.bin"))
    #expect(file.mimeType == "application/octet-stream" && file.size == 2 && Self.size(file) == [nil, nil])
    #expect(file.title == nil && file.author == nil && file.id == StableID.text(of: "/content/dam/s/a.bin"))
    #expect(try file.bytes() == [1, 2] && file.kind == .document)
    let picture = try #require(state.asset(path: "/content/dam/s/b.PNG"))
    #expect(picture.mimeType == "image/png" && Self.size(picture) == [320, 200] && picture.size == 24)
    #expect(Self.size(state.asset(path: "/content/dam/s/c.png")) == [nil, nil])
    // What is no picture by its name has no size.
    #expect(Self.size(state.asset(path: "/content/dam/s/d.pdf")) == [nil, nil])
    #expect(state.asset(path: "/content/dam/s") == nil && state.asset(path: "content/dam/s/a.bin") == nil)
  }

  @Test func `is as the file beside it says`() throws {
    let json = """
      {"id": "\(Self.id)", "title": "T", "author": "A", "mimeType": "image/gif", "width": 3, "height": 2}
      """
    let state = try Self.repository(["a.bin": [1], "a.bin.json": Array(json.utf8)]).state
    let asset = try #require(state.asset(path: "/content/dam/s/a.bin"))
    #expect(asset.id == Self.id && asset.title == "T" && asset.author == "A" && asset.mimeType == "image/gif")
    #expect(try Self.size(asset) == [3, 2] && asset.size == 1 && asset.bytes() == [1])
    #expect(state.asset(path: "/content/dam/s/a.bin.json") == nil)
    #expect(state.asset(id: Self.id)?.path == asset.path && state.asset(id: Self.id.uppercased())?.path == asset.path)
    #expect(state.asset(id: "01234567") == nil && state.asset(id: "") == nil)
  }

  @Test(
    arguments: [
      (#"{"width": 3, "height": 2}"#, [3, 2]), (#"{"width": 3}"#, [320, 200]), (#"{"height": 2}"#, [320, 200]),
      ("{}", [320, 200]), (#"{"width": 100000, "height": 1}"#, [100_000, 1]),
      (#"{"width": 1, "height": 100000}"#, [1, 100_000]), (#"{"mimeType": "text/plain"}"#, [nil, nil]),
      (#"{"mimeType": "text/plain", "width": 3, "height": 2}"#, [nil, nil]),
    ] as [(String, [Int?])])
  func `has the size that is told, or else its own`(json: String, size: [Int?]) throws {
    #expect(Self.size(try Self.asset("a.png", ["a.png": Self.png, "a.png.json": Array(json.utf8)])) == size)
  }

  @Test(arguments: [
    (#"{"x": "y"}"#, "x"), (#"{"width": 0, "height": 1}"#, "width"), (#"{"width": 100001, "height": 1}"#, "width"),
    (#"{"width": "3", "height": 1}"#, "width"), (#"{"width": null}"#, "width"), (#"{"height": -1}"#, "height"),
    (#"{"height": 100001}"#, "height"), (#"{"title": 5}"#, "title"), (#"{"author": null}"#, "author"),
    (#"{"mimeType": []}"#, "mimeType"), (#"{"id": "7"}"#, "id"), (#"{"id": 7}"#, "id"),
    (#"{"id": "01234567-89AB-cdef-0123-456789abcdef"}"#, "id"), (#"{"drawing": true}"#, "drawing"),
  ])
  func `has only members that describe it`(json: String, member: String) {
    #expect(
      Self.problems(["a.png": Self.png, "a.png.json": Array(json.utf8)]) == [
        "content/dam/s/a.png.json:1:2: \"\(member)\" is not a member that describes an asset. Its members are id, title, "
          + "author, mimeType, drawing with texts, id with a UUID, and width and height with pixels."
      ])
  }

  @Test func `has an identifier of its own`() {
    let json = Array(#"{"id": "\#(Self.id)"}"#.utf8)
    #expect(
      Self.problems(["a.pdf": [1], "a.pdf.json": json, "b.pdf": [2], "b.pdf.json": json]) == [
        "content/dam/s/b.pdf: /content/dam/s/a.pdf has the same id. Give it another one."
      ])
    let fragment = Array(#"{"model": "thing", "id": "\#(Self.id)", "fields": {}}"#.utf8)
    #expect(
      Self.problems(["a.json": fragment, "b.json": fragment]) == [
        "content/dam/s/b.json:1:26: content/dam/s/a.json has the same id. Give it another one."
      ])
    #expect(
      Self.problems(["a.json": fragment, "b.pdf": [1], "b.pdf.json": json]) == [
        "content/dam/s/b.pdf: content/dam/s/a.json has the same id. Give it another one."
      ])
  }

  // MARK: Drawings

  @Test func `is drawn where there is no file`() throws {
    let whole = """
      {"drawing": "hill", "width": 10, "height": 5, "id": "\(Self.id)", "title": "T", "author": "A"}
      """
    let state = try Self.repository(
      ["a.png.json": Array(#"{"drawing": "hill"}"#.utf8), "b.JPG.json": Array(whole.utf8)],
      drawing: { name, width, height in Array("\(name) \(width) \(height)".utf8) }
    ).state
    let first = try #require(state.asset(path: "/content/dam/s/a.png"))
    #expect(first.mimeType == "image/png" && Self.size(first) == [600, 400] && first.size == nil)
    #expect(first.title == nil && first.author == nil && first.id == StableID.text(of: "/content/dam/s/a.png"))
    #expect(try first.bytes() == Array("hill 600 400".utf8))
    let second = try #require(state.asset(path: "/content/dam/s/b.JPG"))
    #expect(second.mimeType == "image/jpeg" && Self.size(second) == [10, 5] && second.size == nil)
    #expect(second.title == "T" && second.author == "A" && second.id == Self.id)
    #expect(try second.bytes() == Array("hill 10 5".utf8))
  }

  @Test func `is not drawn when nobody draws`() throws {
    let asset = try #require(try Self.asset("a.png", ["a.png.json": Array(#"{"drawing": "hill"}"#.utf8)]))
    let error = #expect(throws: FileError.self) { try asset.bytes() }
    #expect(error?.message == "Nobody draws the asset /content/dam/s/a.png.")
  }

  @Test func `is not described where there is none`() {
    #expect(
      Self.problems(["a.png.json": Array("{}".utf8)]) == [
        "content/dam/s/a.png.json: There is no file \"content/dam/s/a.png\" that this one could be about. "
          + "Put the file there, or take this one away."
      ])
    #expect(
      Self.problems(["a.foo.json": Array("{}".utf8)]) == [
        "content/dam/s/a.foo.json:1:1: The fragment does not say its model. "
          + "Give it a member \"model\" with \"configuration/name\"."
      ])
    #expect(
      Self.problems(["a.png.json": Array(#"{"drawing": "hill", "width": 0}"#.utf8)]).count == 1)
  }

  @Test func `is none when it has a model, whatever its name`() async throws {
    let fragment = Array(#"{"model": "thing", "fields": {"name": "N"}}"#.utf8)
    let state = try Self.repository(["a.png.json": fragment]).state
    #expect(state.asset(path: "/content/dam/s/a.png") == nil)
    let answer = await state.run("{ thingByPath(_path: \"/content/dam/s/a.png\") { item { name } } }")
    #expect(answer["data"] == ["thingByPath": ["item": ["name": "N"]]])
    #expect(
      Self.problems(["a.png": Self.png, "a.png.json": fragment]) == [
        "content/dam/s/a.png: content/dam/s/a.png.json has the same id. Give it another one.",
        "content/dam/s/a.png.json: A fragment and an asset have the path /content/dam/s/a.png. Rename one.",
      ])
  }

  // MARK: Disks

  @Test func `is read up to its limit`() async throws {
    try await `A folder of content`.withFolder { root in
      for (limit, isRead) in [(4, true), (3, false)] {
        var limits = ContentLimits()
        limits.assetBytes = limit
        let state = try ContentRepository(root: root, limits: limits).state
        let plan = try #require(state.asset(path: "/content/dam/demo/en/files/plan.pdf"))
        #expect(plan.size == 4 && ((try? plan.bytes()) == Array("%PDF".utf8)) == isRead)
      }
    }
  }

  @Test func `has its size on a disk, too`() async throws {
    try await `A folder of content`.withFolder { root in
      let path = "\(root)/content/dam/demo/en/pictures/real.png"
      try File.replace(path, with: Self.png)
      let repository = try ContentRepository(root: root)
      func size() -> [Int?] { Self.size(repository.state.asset(path: "/content/dam/demo/en/pictures/real.png")) }
      #expect(size() == [320, 200])
      #expect(repository.reload().isEmpty && size() == [320, 200])
      var other = Self.png
      other[19] = 65
      try File.replace(path, with: other)
      #expect(repository.reload().isEmpty && size() == [321, 200])
      File.remove(path)
      #expect(repository.reload().isEmpty && size() == [nil, nil])
    }
  }

  @Test func `has its own size again when no other is told any more`() async throws {
    try await `A folder of content`.withFolder { root in
      let path = "\(root)/content/dam/demo/en/pictures/real.png"
      try File.replace(path, with: Self.png)
      let repository = try ContentRepository(root: root)
      func size() -> [Int?] { Self.size(repository.state.asset(path: "/content/dam/demo/en/pictures/real.png")) }
      let cases: [(told: String, size: [Int?])] = [
        (#"{"width": 3, "height": 2}"#, [3, 2]), (#"{"width": 3}"#, [320, 200]),
        (#"{"width": 4, "height": 5}"#, [4, 5]),
      ]
      for (told, expected) in cases {
        try File.replace("\(path).json", with: Array(told.utf8))
        #expect(repository.reload().isEmpty && size() == expected)
      }
      File.remove("\(path).json")
      for _ in 0..<2 { #expect(repository.reload().isEmpty && size() == [320, 200]) }
    }
  }
}
