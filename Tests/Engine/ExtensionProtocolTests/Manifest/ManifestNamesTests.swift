import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A name in a manifest` {
  private func text(_ count: Int, _ letter: String = "a") -> String { String(repeating: letter, count: count) }

  @Test func `of a bundle has two components and 200 bytes at most`() {
    #expect(ManifestNames.isIdentifier("a.b") && !ManifestNames.isIdentifier("a"))
    #expect(ManifestNames.isIdentifier("a.\(text(198))") && !ManifestNames.isIdentifier("a.\(text(199))"))
    #expect(ManifestNames.isIdentifier("A-9.z0") && !ManifestNames.isIdentifier("a_.b"))
    #expect(ManifestNames.isAppGroup("group.a") && ManifestNames.isAppGroup("group.a.b"))
    for name in ["group.", "group", "groups.a", "a.group.b", "Group.a"] { #expect(!ManifestNames.isAppGroup(name)) }
  }

  @Test func `of a scheme, a feature and a word has 64 bytes at most`() {
    #expect(ManifestNames.isURLScheme("a" + text(63)) && !ManifestNames.isURLScheme("a" + text(64)))
    #expect(ManifestNames.isURLScheme("Z0+-.") && !ManifestNames.isURLScheme("0a") && !ManifestNames.isURLScheme(""))
    #expect(ManifestNames.isFeature(text(64)) && !ManifestNames.isFeature(text(65)))
    #expect(ManifestNames.isFeature("aZ0-") && ManifestNames.isFeature("z"))
    for name in ["", "Za", "0a", "-a", "a_b", "a.b"] { #expect(!ManifestNames.isFeature(name), "\(name)") }
    #expect(ManifestNames.isWord("z9-", atMost: 3) && !ManifestNames.isWord("z9-a", atMost: 3))
    for name in ["", "Za", "9a", "-a", "aZ"] { #expect(!ManifestNames.isWord(name, atMost: 3), "\(name)") }
  }

  @Test func `of a class is letters of any language, in 200 bytes`() {
    #expect(ManifestNames.isClass(text(100, "é")) && !ManifestNames.isClass(text(100, "é") + "a"))
    #expect(ManifestNames.isClass("Müll.Main_2") && ManifestNames.isClass("_A"))
    for name in ["", "A.", ".A", "A..B", "2A", "A.2B", "A-B", "A B"] {
      #expect(!ManifestNames.isClass(name), "\(name)")
    }
  }

  @Test func `of a language has subtags of 8 bytes at most`() {
    for tag in ["de", "mul", "abcdefgh", "de-12345678", "zh-Hant-TW", "de-1"] {
      #expect(ManifestNames.isLanguage(tag), "\(tag)")
    }
    for tag in ["", "d", "d1", "abcdefghi", "de-123456789", "de-", "-de", "1e", "de--x", "dé"] {
      #expect(!ManifestNames.isLanguage(tag), "\(tag)")
    }
  }

  @Test func `of a file has components of 255 bytes and 1,024 bytes in all`() {
    let component = text(127, "é") + "a"
    #expect(ManifestNames.isPathBelow(component) && !ManifestNames.isPathBelow(text(128, "é")))
    let most = [text(255), text(255), text(255), text(254), "b"].joined(separator: "/")
    #expect(most.utf8.count == 1_024)
    #expect(ManifestNames.isPathBelow(most) && !ManifestNames.isPathBelow(most + "b"))
    #expect(ManifestNames.isPathBelow("a b") && ManifestNames.isPathBelow("...") && ManifestNames.isPathBelow(".a"))
    let others = ["", "/a", "a/", "a//b", ".", "a/.", "a/..", "..", "a\u{1F}", "a\u{7F}", "a\0"]
    // With the mark the slash is one character, and a slash all the same.
    for path in others + ["../\u{301}a", "a/../\u{301}b", "/\u{301}a", "a/\u{301}/../b"] {
      #expect(!ManifestNames.isPathBelow(path), "\(path)")
      #expect(!ManifestNames.isAbsolutePath("/" + path), "\(path)")
    }
    #expect(ManifestNames.isAbsolutePath("/a/b") && !ManifestNames.isAbsolutePath("a/b"))
  }

  @Test func `of an argument has 1 to 1,024 bytes`() {
    #expect(ManifestNames.isArgument(text(512, "é")) && !ManifestNames.isArgument(text(512, "é") + "a"))
    #expect(ManifestNames.isArgument(" ") && ManifestNames.isArgument("~") && !ManifestNames.isArgument(""))
    #expect(!ManifestNames.isArgument("a\u{1F}") && !ManifestNames.isArgument("\u{7F}"))
  }

  @Test func `of a persisted query stands for exactly what it says`() throws {
    let one = try #require(ContentQueryPattern("a/b"))
    #expect(one.allows("a/b") && !one.allows("a/bc") && !one.allows("a/b/c") && !one.allows("a/") && !one.allows("b"))
    let all = try #require(ContentQueryPattern("a/*"))
    #expect(all.allows("a/b") && all.allows("a/c") && !all.allows("ab/c") && !all.allows("a"))
    #expect(one.description == "a/b" && all.description == "a/*" && all.query == nil && all.configuration == "a")
    #expect(ContentQueryPattern.isPath("a/b") && !ContentQueryPattern.isPath("a/*") && !ContentQueryPattern.isPath("a"))
    #expect(ContentQueryPattern("\(text(255))/\(text(255))") != nil)
    #expect(ContentQueryPattern("\(text(256))/b") == nil && ContentQueryPattern("a/\(text(256))") == nil)
    for name in ["", "/", "a/", "/b", "*/b", "a/b/c", "a/b*", "a.b/c", "é/b", "a"] {
      #expect(ContentQueryPattern(name) == nil, "\(name)")
    }
  }

  @Test func `of a connector says whether it is for reading alone`() throws {
    let read = try #require(DataConnectorEntry("movies/default:read"))
    #expect(read.isReadOnly && read.path == "movies/default" && read.description == "movies/default:read")
    let both = try #require(DataConnectorEntry("Zz-_09/a"))
    #expect(!both.isReadOnly && both.service == "Zz-_09" && both.connector == "a" && both.description == "Zz-_09/a")
    #expect(DataConnectorEntry("\(text(63))/\(text(63)):read") != nil)
    #expect(DataConnectorEntry("\(text(64))/a") == nil && DataConnectorEntry("a/\(text(64))") == nil)
    for name in ["", "a", "a/", "/a", "a/:read", "a/b/c", "é/b", "a/b:write", "a/b:read:read", "@/b", "[/b", "{/b"] {
      #expect(DataConnectorEntry(name) == nil, "\(name)")
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What a manifest lists` {
  private typealias Manifests = `A manifest`

  private func validation(_ annex: [String: PropertyListValue]) -> ManifestValidation {
    ManifestValidation(Manifests.widget(["Annex": .dictionary(annex)]))
  }

  @Test(
    arguments: [
      (["m/d:read", "m/d"], ["m/d"]), (["m/d", "m/d:read"], ["m/d"]), (["m/d:read", "m/d:read"], ["m/d:read"]),
      (["m/d:read", "n/d", "m/d"], ["m/d", "n/d"]),
    ])
  func `of one connector is the greater right`(entries: [String], expected: [String]) throws {
    let manifest = try #require(validation(["DataConnect": .array(entries.map { .string($0) })]).manifest)
    #expect(manifest.dataConnectors.map(\.description) == expected)
    #expect(manifest.askedPermissions == [AskedPermission("data", scope: expected)])
  }

  @Test func `of connectors has an end`() {
    func entries(_ count: Int) -> ManifestValidation {
      validation(["DataConnect": .array((0..<count).map { .string("m/c\($0)") })])
    }
    #expect(entries(64).problems == [] && entries(64).manifest?.dataConnectors.count == 64)
    #expect(entries(65).problems.map(\.keyPath) == ["Annex.DataConnect"] && entries(65).manifest == nil)
    #expect(validation(["DataConnect": ["m/c", "m"]]).problems.map(\.keyPath) == ["Annex.DataConnect[1]"])
  }

  @Test func `of queries is nothing else than no list`() {
    #expect(validation([:]).manifest?.contentQueries == nil)
    let none = validation(["Content": []]).manifest
    #expect(none != nil && none?.contentQueries == [])
    #expect(
      validation(["Content": ["a/b", "a/*", "a/b"]]).manifest?.contentQueries?.map(\.description) == ["a/b", "a/*"])
    #expect(validation(["Content": ["a/b", "a"]]).problems.map(\.keyPath) == ["Annex.Content[1]"])
  }

  @Test func `of arguments is for an interpreter`() {
    let most = [PropertyListValue](repeating: .string(String(repeating: "é", count: 512)), count: 64)
    let found = validation(["Interpreter": "/usr/bin/python3", "InterpreterArguments": .array(most)])
    #expect(found.problems == [] && found.manifest?.interpreterArguments.count == 64)
    let alone = validation(["InterpreterArguments": ["-u"]])
    #expect(alone.problems.map(\.severity) == [.warning] && alone.manifest?.interpreterArguments == ["-u"])
    let longest = String(repeating: "a", count: 1_024)
    #expect(validation(["Products": .string(longest)]).manifest?.products == longest)
    #expect(validation(["Products": .string(longest + "a")]).problems.map(\.keyPath) == ["Annex.Products"])
  }

  @Test func `of limits holds whole numbers from 1 to a thousand million`() {
    func memory(_ value: PropertyListValue) -> ManifestValidation { validation(["Limits": ["MemoryMiB": value]]) }
    #expect(memory(1).manifest?.limits.memoryMiB == 1 && memory(1_073_741_824).manifest?.limits.memoryMiB == 1 << 30)
    for value in [0, -1, 1_073_741_825, "0", "1073741825", "x", ""] as [PropertyListValue] {
      #expect(memory(value).manifest == nil, "\(value)")
    }
  }

  @Test func `of groups, features and libraries has each once`() throws {
    let manifest = try #require(
      ManifestValidation(
        Manifests.widget([
          "Annex": ["Entitlements": ["a", "b", "a"], "ExtensionSafe": ["Frameworks", "lib/a.so"]],
          "Entitlements": ["com.apple.security.application-groups": ["group.a", "group.b", "group.a"]],
        ])
      ).manifest)
    #expect(manifest.entitlements == ["a", "b"] && manifest.appGroups == ["group.a", "group.b"])
    #expect(manifest.extensionSafeLibraries == ["Frameworks", "lib/a.so"])
    #expect(validation(["ExtensionSafe": ["a", "../b"]]).problems.map(\.keyPath) == ["Annex.ExtensionSafe[1]"])
  }

  @Test(
    arguments: [
      ("/usr/bin/node", ["--jitless"], false), ("/usr/bin/nodejs", ["-x"], true), ("/usr/bin/deno", [], true),
      ("/usr/bin/deno", ["--v8-flags=--jitless"], false), ("/usr/bin/luajit", ["-joff"], false),
      ("/usr/bin/luajit", ["-j"], true), ("/usr/bin/bun", [""], true), ("bun", [], true), ("/usr/bin/lua", [], false),
    ])
  func `of arguments keeps an interpreter from generating code`(path: String, arguments: [String], isAtFault: Bool) {
    let fault = GeneratingInterpreter.fault(of: path, arguments: arguments)
    #expect((fault != nil) == isAtFault)
    #expect(fault?.recovery.contains("“jit”") ?? true)
  }
}
