import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON
import PropertyList
import TestSupport
import Testing

@testable import LightCommands

/// The values and files of `host defaults`.
@Suite(.timeLimit(.minutes(1)))
struct `A value of host defaults` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(DefaultsCommand.command) }

  private func value(_ text: String, _ type: String) throws -> PropertyListValue {
    try DefaultsInput.value(try stage.invocation("write", "g", "k", text, "--type", type).parsed)
  }

  @Test func `is what its type makes of a text`() throws {
    #expect(try value("7", "string") == .string("7"))
    #expect(try value("7", "int") == .integer(7))
    #expect(try value("9223372036854775807", "int") == .integer(.max))
    #expect(try value("1.5", "double") == .real(1.5))
    #expect(try value("0", "date") == .date(0))
    #expect(try value("aGk=", "data") == .data([0x68, 0x69]))
    #expect(try value(#"{"a": [1, "b"]}"#, "json") == .dictionary(["a": .array([.integer(1), .string("b")])]))
  }

  @Test(arguments: [
    ("true", true), ("YES", true), ("1", true), ("false", false), ("No", false), ("0", false),
  ])
  func `is a truth by one of six words`(text: String, truth: Bool) throws {
    #expect(try value(text, "bool") == .bool(truth))
  }

  @Test(arguments: [
    ("9223372036854775808", "int"), ("1.5", "int"), ("inf", "double"), ("nan", "double"), ("x", "double"),
    ("infinity", "date"), ("on", "bool"), ("2", "bool"), ("a", "data"), ("{", "json"), ("null", "json"),
  ])
  func `is none that its type has not`(text: String, type: String) {
    let error = #expect(throws: CommandLineError.self) { try value(text, type) }
    #expect(error?.message == "“\(text)” is not a value of type \(type).")
  }

  @Test func `is that of its key, to the byte`() async throws {
    _ = try stage.folder.write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.tides</string>
      <key>CFBundlePackageType</key><string>APPL</string><key>CFBundleVersion</key><string>7</string>
      <key>CFBundleDisplayName</key><string>Tides</string>
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>group.com.example.tides</string></array></dict></dict></plist>
      """, to: "tides.plist")
    let keys = [("e\u{301}", "first"), ("\u{E9}", "second")]
    for (key, value) in keys {
      _ = try await DefaultsCommand.run(stage.invocation("write", "group.com.example.tides", key, value))
    }
    for (key, value) in keys {
      stage.clear()
      _ = try await DefaultsCommand.run(stage.invocation("read", "group.com.example.tides", key))
      #expect(stage.output == "\"\(value)\"\n")
    }
    await #expect(throws: ExtensionError.self) {
      _ = try await DefaultsCommand.run(stage.invocation("read", "group.com.example.tides", "e"))
    }
  }

  // MARK: Files

  @Test func `is read from a property list, which is refused with its first problem`() throws {
    let good = #"<plist version="1.0"><dict><key>a</key><integer>1</integer></dict></plist>"#
    #expect(try DefaultsCommand.propertyList(Array(good.utf8), "f") == .dictionary(["a": .integer(1)]))
    let wrong = """
      <plist version="1.0"><dict>
      <key>a</key><integer>x</integer>
      <key>b</key><integer>y</integer>
      </dict></plist>
      """
    guard case .problems(let problems) = PropertyListReader.parse(Array(wrong.utf8), file: "f") else {
      Issue.record("no problems")
      return
    }
    let (first, last) = (try #require(problems.first), try #require(problems.last))
    #expect("\(first)" != "\(last)")
    let error = #expect(throws: ExtensionError.self) { try DefaultsCommand.propertyList(Array(wrong.utf8), "f") }
    #expect(error?.code == .invalidParams && error?.message == "\(first)" && error?.recovery == first.recovery)
  }

  @Test func `has the form that is named, else that of the file's name`() throws {
    func form(_ file: String, _ words: String...) throws -> String {
      let invocation =
        switch words.count {
        case 0: try stage.invocation("export", "g", file)
        case 1: try stage.invocation("export", "g", file, words[0])
        default: try stage.invocation("export", "g", file, words[0], words[1])
        }
      return DefaultsCommand.format(of: file, invocation)
    }
    #expect(try form("a.json") == "json")
    #expect(try form("a.JSON") == "json")
    #expect(try form("a.plist") == "plist")
    #expect(try form("a") == "plist")
    #expect(try form("-") == "plist")
    #expect(try form("-", "--json") == "json")
    #expect(try form("a.plist", "--json") == "plist")
    #expect(try form("a.json", "--format", "plist") == "plist")
    #expect(try form("a.plist", "--format", "json") == "json")
  }

  @Test func `is listed by its key`() throws {
    let sorted = try DefaultsCommand.sorted(["b": .integer(1), "a": .string("x"), "B": .bool(true)])
    #expect(sorted.objectValue?.map(\.key) == ["B", "a", "b"])
    #expect(sorted == ["a": "x", "b": 1, "B": true])
  }
}

/// `host types`.
@Suite(.timeLimit(.minutes(1)))
struct `The type of a file that is named` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(TypesCommand.command) }

  private func types(_ words: String...) async throws -> (status: CommandLineTool.ExitStatus, document: JSONValue) {
    stage.clear()
    let invocation =
      switch words.count {
      case 0: try stage.invocation("--json")
      case 1: try stage.invocation(words[0], "--json")
      case 2: try stage.invocation(words[0], words[1], "--json")
      default: try stage.invocation(words[0], words[1], words[2], "--json")
      }
    let status = try await TypesCommand.run(invocation)
    return (status, try JSONValue(parsing: stage.output))
  }

  @Test func `is that of its name, of a folder, or one that is called so`() async throws {
    let text = try stage.folder.write("a", to: "a.txt")
    let (status, document) = try await types(text, stage.folder.path, "public.image")
    #expect(status == .success)
    #expect(
      document.arrayValue?.map { $0["type"] } == ["public.plain-text", "public.folder", "public.image"])
    #expect(document.arrayValue?.map { $0["file"] } == [.string(text), .string(stage.folder.path), "public.image"])
    await #expect(throws: InputError.self) { _ = try await types(stage.folder.file("none.txt")) }
  }

  @Test func `conforms to a type, or the command fails`() async throws {
    let one = try await types("public.jpeg", "--conforms-to", "public.image")
    #expect(one.status == .success && one.document.arrayValue?.map { $0["conforms"] } == [true])
    let other = try await types("public.plain-text", "--conforms-to", "public.image")
    #expect(other.status == .failure && other.document.arrayValue?.map { $0["conforms"] } == [false])
    stage.clear()
    let both = try stage.invocation("public.jpeg", "public.plain-text", "--conforms-to", "public.image")
    #expect(try await TypesCommand.run(both) == .failure)
    #expect(
      stage.output.hasPrefix("+ public.jpeg: public.jpeg < public.image") && stage.output.contains("\n- public.plain"))
    let error = await #expect(throws: CommandLineError.self) {
      _ = try await types("--conforms-to", "public.imagee")
    }
    #expect(error?.message == "No type is called “public.imagee”.")
  }

  @Test func `is in the list of all, which can be of some`() async throws {
    let all = try await types().document.arrayValue ?? []
    let images = try await types("--conforms-to", "public.image").document.arrayValue ?? []
    #expect(images.count < all.count && images.contains { $0["type"] == "public.jpeg" })
    #expect(!images.contains { $0["type"] == "public.plain-text" })
    #expect(all.contains { $0["type"] == "public.plain-text" })
  }
}
