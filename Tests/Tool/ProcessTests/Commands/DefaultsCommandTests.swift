import JSONRPC
import CLinux
import Foundation
import JSON
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `The command defaults` {
  private static let group = "group.com.example.adventures"

  /// A value of each type, as `--type json` takes it.
  private static let everything =
    #"{"bool":true,"data":{"$data":"AAEC"},"date":{"$date":1700000000.0},"dict":{"a":[1,"two",2.5]},"int":-7,"#
    + #""real":1.0,"text":"a <b> & \"c\""}"#

  private func filled() async throws -> HostTool {
    let host = try HostTool()
    let file = try host.folder.write("in.json", Self.everything)
    let output = try await host("defaults", "import", Self.group, file, "--json")
    #expect(output.status == 0, "\(output)")
    #expect(try output.json["revision"] == 1)
    return host
  }

  @Test func `asks to be tried again when another process keeps the store`() async throws {
    let host = try await filled()
    let gate = open("\(host.home)/store/groups.sqlite.gate", O_RDWR | O_CLOEXEC)
    try #require(gate >= 0 && clinux_try_lock_byte(gate, 0, 1) == 0)
    let busy = try await host("defaults", "write", Self.group, "later", "x")
    #expect(busy.status == 75, "\(busy)")
    #expect(busy.stderr.contains("help: Try again"), "\(busy)")
    close(gate)
    #expect(try await host("defaults", "write", Self.group, "later", "x").status == 0)
  }

  @Test(arguments: ["plist", "json"])
  func `exports what it imported, with its types`(format: String) async throws {
    let host = try await filled()
    let file = "\(host.folder.path)/out.\(format)"
    let export = try await host("defaults", "export", Self.group, file)
    #expect(export.status == 0, "\(export)")
    #expect(export.stderr.contains("Exported 7 keys"), "\(export)")
    #expect(
      try await host("defaults", "export", Self.group, "-", "--format", format).stdout
        == host.folder.contents("out.\(format)"))
    let before = try await host("defaults", "read", Self.group, "--json").json["values"]
    #expect(try before == JSONValue(parsing: Self.everything))
    #expect(try await host("defaults", "write", Self.group, "later", "x").status == 0)
    let again = try await host("defaults", "import", Self.group, file, "--json")
    #expect(try again.json["revision"] == 3)
    #expect(try await host("defaults", "read", Self.group, "--json").json["values"] == before)
  }

  /// `OutputFile`, for every command with `-o` or a file to write.
  @Test func `exports into the file that a link leads to, which keeps its mode, and makes others as any program does`()
    async throws
  {
    let host = try await filled()
    try host.folder.write("real.json", "old", mode: 0o640)
    try FileManager.default.createSymbolicLink(
      atPath: "\(host.folder.path)/link.json", withDestinationPath: "\(host.folder.path)/real.json")
    let output = try await host.shell(
      "cd '\(host.folder.path)' && umask 027 && \"$0\" defaults export \(Self.group) link.json"
        + " && \"$0\" defaults export \(Self.group) NEW.JSON && ls")
    #expect(output.status == 0 && output.stdout.split(separator: "\n").count == 5, "\(output)")
    func mode(_ name: String) throws -> Int? {
      let path = "\(host.folder.path)/\(name)"
      return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode("real.json") == 0o640 && mode("NEW.JSON") == 0o640)
    #expect(host.folder.contents("real.json") == host.folder.contents("NEW.JSON"))
    #expect(try JSONValue(parsing: host.folder.contents("NEW.JSON") ?? "") == JSONValue(parsing: Self.everything))
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(host.folder.path)/link.json")
    #expect(link.hasSuffix("/real.json"))
    chmod("\(host.folder.path)/real.json", 0o604)
    #expect(try await host("defaults", "export", Self.group, "\(host.folder.path)/real.json").status == 0)
    #expect(try mode("real.json") == 0o604)
  }

  static let texts: [(type: String, text: String, shown: String?)] = [
    ("int", "-9223372036854775808", "-9223372036854775808"), ("int", "9223372036854775808", nil), ("int", "1.5", nil),
    ("double", "1.5", "1.5"), ("double", "inf", nil), ("bool", "YES", "true"), ("bool", "0", "false"),
    ("bool", "2", nil),
    ("date", "1700000000", #"{"$date":1700000000.0}"#), ("date", "nan", nil), ("data", "AAEC", #"{"$data":"AAEC"}"#),
    ("data", "A", nil), ("json", #"{"a":[1]}"#, #"{"a":[1]}"#), ("json", "null", nil), ("json", #"{"a":1,"a":2}"#, nil),
    ("string", "größer", #""größer""#),
  ]

  @Test func `writes a value of each type, and what is none is refused`() async throws {
    let host = try HostTool()
    for (type, text, shown) in Self.texts {
      let output = try await host("defaults", "write", Self.group, "key", "--type", type, "--", text)
      #expect(output.status == (shown == nil ? 64 : 0), "\(type) \(text): \(output)")
      guard let shown else {
        #expect(output.stderr.hasPrefix("error: “\(text)” is not a value of type \(type).\nhelp: Write "), "\(output)")
        continue
      }
      #expect(try await host("defaults", "read", Self.group, "key").stdout == "\(shown)\n")
    }
    let unknown = try await host("defaults", "read", "group.com.example.adventure")
    #expect(unknown.status == 77 && unknown.stderr.contains("help: Did you mean \(Self.group)?"), "\(unknown)")
  }

  @Test func `exports a property list that Foundation reads`() async throws {
    let host = try await filled()
    #expect(try await host("defaults", "export", Self.group, "\(host.folder.path)/out.plist").status == 0)
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(host.folder.path)/out.plist"))
    let values = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(values["text"] as? String == "a <b> & \"c\"")
    #expect(values["data"] as? Data == Data([0, 1, 2]))
    #expect((values["date"] as? Date)?.timeIntervalSince1970 == 1_700_000_000)
    #expect(values.count == 7)
  }

  @Test func `imports standard input`() async throws {
    let host = try HostTool()
    let output = try await host("defaults", "import", Self.group, "-", "--format", "json", input: #"{"a":1}"#)
    #expect(output.status == 0, "\(output)")
    #expect(try await host("defaults", "read", Self.group, "a").stdout == "1\n")
  }

  @Test(arguments: [
    ("a.json", #"{"a":null}"#, "is not the JSON form of a suite"), ("a.json", "[1]", "not a dictionary"),
    ("a.json", #"{"a":1"#, "is not the JSON form"),
    ("a.plist", "<plist><dict><key>a</key></dict></plist>", "a.plist:1"),
    ("a.plist", #"<plist version="1.0"><string>a</string></plist>"#, "not a dictionary"),
    ("a.json", #"{"a":"LARGE"}"#, "262144"),
  ])
  func `refuses a file that is no suite, and changes nothing`(name: String, text: String, why: String) async throws {
    let host = try await filled()
    let file = try host.folder.write(name, text.replacing("LARGE", with: String(repeating: "x", count: 300_000)))
    let output = try await host("defaults", "import", Self.group, file)
    #expect(output.status != 0)
    #expect(output.stderr.hasPrefix("error: ") && output.stderr.contains("\nhelp: "), "\(output)")
    #expect(output.stderr.contains(why), "\(output)")
    let state = try await host("defaults", "read", Self.group, "--json").json
    #expect(state["revision"] == 1)
    #expect(try state["values"] == JSONValue(parsing: Self.everything))
  }

  @Test func `says that a file to import is missing, and that one cannot be written`() async throws {
    let host = try await filled()
    for (verb, file) in [("import", "\(host.folder.path)/none.plist"), ("export", "/nonexistent/out.plist")] {
      let output = try await host("defaults", verb, Self.group, file)
      #expect([66, 73, 74].contains(output.status), "\(output)")
      #expect(output.stderr.contains(file), "\(output)")
    }
  }

  @Test func `exports as JSON what a property list cannot hold`() async throws {
    let host = try HostTool()
    #expect(try await host("defaults", "write", Self.group, "bell", "a\u{7}b").status == 0)
    let output = try await host("defaults", "export", Self.group, "-")
    #expect(output.status != 0 && output.stdout == "")
    #expect(output.stderr.contains("--format json"), "\(output)")
    #expect(try await host("defaults", "export", Self.group, "-", "--format", "json").stdout.contains("\\u0007"))
  }

  @Test func `sets a key for one of many who read the same revision`() async throws {
    let host = try await filled()
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<5 {
        group.addTask {
          try await host("defaults", "cas", Self.group, "int", "\(number)", "--type", "int", "--revision", "1").status
        }
      }
      var statuses: [Int32] = []
      for try await status in group { statuses.append(status) }
      #expect(statuses.sorted() == [0, 1, 1, 1, 1])
    }
    let lost = try await host("defaults", "cas", Self.group, "int", "9", "--revision", "1", "--json")
    #expect(lost.status == 1)
    #expect(try lost.json["swapped"] == false && lost.json["revision"] == 2)
    let told = try await host("defaults", "cas", Self.group, "int", "9", "--revision", "1")
    #expect(told.stderr == "error: int is at revision 2, not 1.\nhelp: Read it again, and decide anew.\n")
    let new = try await host("defaults", "cas", Self.group, "new", "x", "--revision", "0", "--json")
    #expect(try new.status == 0 && new.json["swapped"] == true && new.json["revision"] == 3)
  }

  @Test func `asks for the revision of a compare and set`() async throws {
    for words in [[], ["--revision", "-1"], ["--revision", "x"]] {
      let output = try await HostTool()(["defaults", "cas", Self.group, "a", "1"] + words)
      #expect(output.status == 64, "\(output)")
      #expect(output.stderr.contains("--revision"), "\(output)")
    }
  }

  @Test func `tells of every change as it happens, until it is interrupted`() async throws {
    let host = try HostTool()
    let watch = try host.start(["defaults", "watch", Self.group, "visits", "--json"])
    _ = try await watch.hear("\"ready\":true")
    #expect(try await host("defaults", "write", Self.group, "other", "x").status == 0)
    for count in 1...3 {
      #expect(try await host("defaults", "write", Self.group, "visits", "\(count)", "--type", "int").status == 0)
    }
    #expect(try await host("defaults", "delete", Self.group, "visits").status == 0)
    _ = try await watch.hear("\"removed\":true")
    watch.signal(SIGINT)
    let output = try await watch.finish()
    #expect(output.status == 130, "\(output)")
    let lines = try output.stdout.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines.first?["ready"] == true)
    // A change that follows quickly may stand for the one before.
    let revisions = lines.dropFirst().compactMap { line in
      if case .integer(let number)? = line["revision"] { number } else { nil }
    }
    #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
    #expect(revisions.last == 5 && revisions.allSatisfy { $0 > 1 })
    #expect(lines.dropFirst().allSatisfy { $0["key"] == "visits" })
  }

  @Test func `tells of changes in words`() async throws {
    let host = try HostTool()
    let watch = try host.start(["defaults", "watch", Self.group])
    _ = try await watch.hear("Watching \(Self.group) from revision 0.")
    #expect(try await host("defaults", "write", Self.group, "a", "\u{1B}[31mred").status == 0)
    let heard = try await watch.hear("red")
    #expect(heard.contains("revision 1: a = ") && !heard.contains("\u{1B}[31m"), "\(heard)")
    watch.signal(SIGTERM)
    #expect(try await watch.finish().status != 128 + SIGKILL)
  }
}
