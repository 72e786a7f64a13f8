import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `host doctor on a group store` {
  private static let group = "group.com.example.adventures"
  private static let page = 4096

  /// A tool whose store has many pages.
  private func filled() async throws -> HostTool {
    let host = try HostTool()
    let values = (0..<80).map { "\"key\($0)\":\"\(String(repeating: "\($0 % 10)", count: 1000))\"" }
    let file = try host.folder.write("in.json", "{\(values.joined(separator: ","))}")
    let output = try await host("defaults", "import", Self.group, file)
    #expect(output.status == 0, "\(output)")
    return host
  }

  @Test func `finds it sound`() async throws {
    let host = try await filled()
    let sound = try await host("doctor", "--json")
    #expect(sound.status == 0, "\(sound)")
    #expect(try sound.json["store"]?["state"] == "sound")
  }

  @Test func `calls a store of a newer version newer, and leaves it where it is`() async throws {
    let host = try await filled()
    let path = "\(host.home)/store/groups.sqlite"
    // The version of the schema is in the header, in network order (https://sqlite.org/fileformat2.html, 1.3).
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 60)
    try file.write(contentsOf: Data([0, 0, 0x27, 0x0F]))
    try file.close()
    for words in [["doctor"], ["defaults", "read", Self.group]] {
      let output = try await host(words)
      #expect(output.status != 0 && output.stderr.contains("was made by a newer version of this program"), "\(output)")
      #expect(output.stderr.contains("Update annex, or use another state folder with --home DIR."), "\(output)")
      #expect(!output.stderr.contains("damaged") && !output.stderr.contains("ove the file away"), "\(output)")
    }
    #expect(try await host("doctor", "--json").json["store"]?["state"] == "newer")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(host.home)/store").allSatisfy { !$0.contains("corrupt") })
  }

  @Test func `finds a page that rotted, and says what to do`() async throws {
    let host = try await filled()
    let path = "\(host.home)/store/groups.sqlite"
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let pages = Int(try file.seekToEnd()) / Self.page
    try #require(pages > 12)
    // A leaf of the table of values: nobody who reads something else would notice.
    let leaf = try #require(
      try (0..<pages).last { number in
        try file.seek(toOffset: UInt64(number * Self.page))
        return try file.read(upToCount: 1) == Data([0x0A])
      })
    try file.seek(toOffset: UInt64(leaf * Self.page))
    try file.write(contentsOf: Data(count: Self.page))
    try file.close()
    let damaged = try await host("doctor")
    #expect(damaged.status == 1, "\(damaged)")
    #expect(damaged.stderr.contains("The group store \(path) is damaged."), "\(damaged.stderr)")
    #expect(damaged.stderr.contains("End all hosts, save what can be read (sqlite3 '\(path)' .recover)"))
    let document = try await host("doctor", "--json")
    #expect(document.status == 1)
    let store = try document.json["store"]
    #expect(store?["state"] == "damaged" && store?["error"]?["recovery"] != nil, "\(document.stdout)")
    let after = try #require(FileManager.default.contents(atPath: path))
    #expect(after.count / Self.page == pages, "Nothing of it is changed.")
  }
}
