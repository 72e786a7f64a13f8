import Foundation
import JSON
import JSONRPC
import Testing

/// What the commands of the registry say, word by word and member by member, the first time and the second.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `What the registry's commands say` {
  private static let app = "org.example.scripts"
  private static let id = ScriptBundle.id
  private static let members = ["id", "version", "path", "tag", "state", "reasons"]
  private static let more = "It asks for more than was approved: content."

  /// A tool with a bundle whose widget asks for some features.
  private func tool() throws -> (host: HostTool, bundle: ScriptBundle) {
    let host = try HostTool()
    let bundle = try ScriptBundle(in: host.folder, executable: "main.py", annex: "")
    try bundle.write("main.py", "print()\n")
    try Self.write(bundle, asking: "<string>defaults</string>")
    return (host, bundle)
  }

  private static func write(_ bundle: ScriptBundle, asking features: String) throws {
    let rest = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string>
      <key>NSExtensionAttributes</key><dict><key>Count</key><integer>7</integer><key>Plain</key><false/>
      <key>Wörd</key><string>ä=b</string></dict></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>\(Script.interpreter)</string>
      <key>Entitlements</key><array>\(features)</array></dict>
      """
    try bundle.write("Info.plist", ManifestText.bundle(id, "main.py", "XPC!", rest))
  }

  @Test func `of a bundle that is added twice, and asks for more the second time`() async throws {
    let (host, bundle) = try tool()
    let added = try await host("add", bundle.path, "--json")
    let document = try added.json
    #expect(added.status == 0 && added.stderr == "", "\(added)")
    #expect(Program.Output.names(document) == ["bundle", "added", "problems", "origin"])
    #expect(document["bundle"] == .string(bundle.path) && document["origin"] == "unsigned, local")
    let entries = try #require(document["added"]?.arrayValue)
    #expect(entries.map { $0["id"] } == [.string(Self.app), .string(Self.id)])
    #expect(entries.map { $0["path"] } == [.string(bundle.path), .string(bundle.widget)])
    for entry in entries {
      #expect(Program.Output.names(entry) == Self.members && entry["version"] == "1" && entry["tag"] == " ")
      #expect(entry["state"] == "enabled" && entry["reasons"] == [])
    }
    // Nothing is approved again: that would be what nobody has agreed to.
    try Self.write(bundle, asking: "<string>defaults</string><string>content</string>")
    let again = try await host("add", bundle.path)
    #expect(again.stdout == "  \(Self.app) 1 enabled\n? \(Self.id) 1 unapproved\n", "\(again)")
    #expect(again.status == 0 && again.stderr.contains("  \(Self.more) “host elect \(Self.id) use” approves it.\n"))
    #expect(!again.stderr.contains("Signed by"), "\(again)")
    #expect(try await host("list", "-D", "--json").json == [])
    let listed = try await host("list", "-i", Self.id)
    #expect(listed.stderr.contains("\(Self.id): \(Self.more) “host elect \(Self.id) use” approves it.\n"), "\(listed)")
    // Removed and added again it is approved as it is now.
    let removed = try await host.shell("cd '\(host.folder.path)' && exec \"$0\" remove Scripts.app")
    #expect(removed.status == 0 && removed.stdout == "- \(bundle.path)\n" && removed.stderr == "", "\(removed)")
    let second = try await host("remove", Self.app)
    #expect(second.status == 66 && second.stdout == "", "\(second)")
    #expect(second.stderr.hasPrefix("error: No bundle called “\(Self.app)” was added.\nhelp: "), "\(second)")
    let anew = try await host("add", bundle.path, "--json").json["added"]
    #expect(anew?.arrayValue?.map { $0["state"] } == ["enabled", "enabled"], "\(String(describing: anew))")
    let loose = try await host("remove", "com.example.adventures.clock")
    #expect(loose.status == 65 && loose.stderr.contains("it comes from a folder of manifests."), "\(loose)")
  }

  @Test func `of a decision, and of the same one again`() async throws {
    let (host, bundle) = try tool()
    #expect(try await host("add", bundle.path).status == 0)
    try Self.write(bundle, asking: "<string>content</string>")
    for _ in 0..<2 {
      let used = try await host("elect", Self.id, "use", "--json")
      let entry = try used.json[0]
      #expect(used.status == 0 && used.stderr == "" && Program.Output.names(entry) == Self.members, "\(used)")
      #expect(entry?["tag"] == "+" && entry?["state"] == "enabled" && entry?["reasons"] == [], "\(used)")
    }
    for _ in 0..<2 {
      let ignored = try await host("elect", Self.id, "ignore")
      #expect(ignored.status == 0 && ignored.stdout == "- \(Self.id) 1 ignored\n", "\(ignored)")
      #expect(ignored.stderr == "  A user decided to ignore it.\n", "\(ignored)")
    }
    let listed = try await host("list", "-i", Self.id)
    #expect(listed.stderr == "\(Self.id): A user decided to ignore it.\n", "\(listed)")
    let row = try await host("list", "-i", Self.id, "--json").json[0]
    let members = [
      "id", "name", "version", "point", "team", "app", "tag", "state", "reasons", "problems", "permissions",
    ]
    #expect(Program.Output.names(row) == members && row?["team"] == .null && row?["app"] == .string(Self.app))
    #expect(row?["state"] == "ignored" && row?["reasons"] == ["A user decided to ignore it."] && row?["tag"] == "-")
    #expect(row?["version"] == "1" && row?["point"] == "com.apple.widget-extension")
    #expect(row?["permissions"]?["content"] == "granted", "\(String(describing: row))")
    let back = try await host("elect", Self.id, Self.app, "default", "--json").json
    #expect(back.arrayValue?.map { $0["id"] } == [.string(Self.id), .string(Self.app)])
    #expect(back.arrayValue?.map { $0["tag"] } == [" ", " "], "what was approved stays so: \(back)")
    // One that is not known keeps the others from being decided.
    let refused = try await host("elect", Self.id, "org.example.nobody", "ignore")
    #expect(refused.status == 66 && refused.stdout == "" && refused.stderr.contains("“org.example.nobody”"))
    #expect(try await host("list", "-i", Self.id, "--json").json[0]?["state"] == "enabled")
  }

  @Test func `of those whose manifests have some values`() async throws {
    let (host, bundle) = try tool()
    #expect(try await host("add", bundle.path).status == 0)
    for (values, count) in [
      (["Count=7", "Plain=false", "Wörd=ä=b"], 1), (["Count=8"], 0), (["Plain=true"], 0), (["Wörd=ä"], 0),
      (["Count=7", "Plain="], 0), (["CFBundleIdentifier=\(Self.app)"], 1),
    ] {
      let rows = try await host(["list", "--json"] + values).json.arrayValue
      #expect(rows?.count == count, "\(values)")
    }
    let wrong = try await host("list", "=7")
    #expect(wrong.status == 64 && wrong.stderr.contains("does not take “=7”"), "\(wrong)")
    let none = try await host("list", "-i", "org.example.nobody")
    #expect(none.status == 0 && none.stdout == "" && none.stderr.hasPrefix("There is nothing to list."), "\(none)")
    let rows = try await host("list").stdout.split(separator: "\n")
    let place = try #require(rows.firstIndex { $0.contains("  \(Self.app)  ") }, "\(rows)")
    #expect(rows[place + 1].contains("    \(Self.id)  "), "an extension is below its app: \(rows)")
    #expect(rows[0].split(separator: " ").joined(separator: " ") == "IDENTIFIER NAME POINT VERSION STATE SIGNED BY")
    #expect(rows[place + 1].contains("  today  "), "\(rows)")
  }

  @Test func `of a bundle that is looked over`() async throws {
    let (host, bundle) = try tool()
    chmod("\(bundle.widget)/main.py", 0o666)
    let verified = try await host("verify", bundle.path, "--json")
    let document = try verified.json
    #expect(verified.status == 65 && verified.stderr == "", "\(verified)")
    #expect(Program.Output.names(document) == ["bundle", "acceptable", "ids", "seal", "problems"])
    #expect(document["bundle"] == .string(bundle.path) && document["acceptable"] == false)
    #expect(document["ids"] == [.string(Self.app), .string(Self.id)])
    #expect(document["seal"] == ["state": "unsigned", "team": .null, "changes": []])
    let problems = try #require(document["problems"]?.arrayValue)
    let faults = problems.filter { $0["severity"] == "error" }
    #expect(faults.contains { $0["message"]?.stringValue?.contains("other users") == true }, "\(problems)")
    #expect(problems.allSatisfy { $0["file"]?.stringValue != nil && $0["recovery"]?.stringValue?.isEmpty == false })
    let (errors, warnings) = (faults.count, problems.count - faults.count)
    let counted = "\(errors) error\(errors == 1 ? "" : "s")"
    let text = try await host("verify", bundle.path)
    let sum = "not acceptable, \(counted), \(warnings) warning\(warnings == 1 ? "" : "s").\n"
    #expect(text.status == 65 && text.stderr.contains("\(bundle.path): \(sum)"), "\(text)")
    let lines = text.stdout.split(separator: "\n")
    #expect(lines.count == 2 * problems.count && lines.count { $0.hasPrefix("  help: ") } == problems.count, "\(text)")
    let refused = try await host("add", bundle.path, "--json")
    let error = try refused.json
    #expect(refused.status == 65 && refused.stderr == "" && error["details"]?["problems"] == document["problems"])
    #expect(error["message"] == .string("\(bundle.path) was not added: it has \(counted)."), "\(refused)")
    #expect(error["cause"]?.arrayValue?.count == errors, "the warnings are no reason: \(refused)")
    chmod("\(bundle.widget)/main.py", 0o644)
    let good = try await host("verify", bundle.path)
    #expect(good.status == 0 && good.stderr.contains("\(bundle.path): acceptable, 0 errors, "), "\(good)")
  }
}
