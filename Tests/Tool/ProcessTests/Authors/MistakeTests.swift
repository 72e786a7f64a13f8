import Foundation
import JSON
import Testing

/// The usual mistakes of an author: each is answered with what is wrong, where, and what to type.
@Suite(.timeLimit(.minutes(4)), .enabled(if: Script.isAvailable))
struct `A usual mistake` {
  /// A widget as `host new` makes it, or the fixture in Swift.
  private struct Widget {
    let host: HostTool
    let language: String
    var id = "org.example.base.widget"

    var app: String { "\(host.folder.path)/Base/Base.app" }
    var bundle: String { "\(app)/PlugIns/BaseWidget.appex" }
    var manifest: String { "\(bundle)/Info.plist" }
    var script: String { language == "python" ? "main.py" : "main.mjs" }
    var places: [String] {
      language == "swift" ? ["--manifests", "\(host.folder.path)/manifests"] : ["--manifests", app]
    }

    init(_ language: String) async throws {
      host = try HostTool()
      self.language = language
      guard language != "swift" else {
        id = "com.example.fixtures.mistaken"
        for name in ["Fixtures", "Mistaken"] {
          let text = try String(contentsOfFile: "\(Build.fixtures)/\(name).plist", encoding: .utf8)
          let products = "<key>Annex</key><dict><key>Products</key><string>\(Build.products)</string></dict>"
          let end = try #require(text.range(of: "</dict>\n</plist>"))
          try host.folder.write(
            "manifests/\(name).plist", text.replacingCharacters(in: end, with: "\(products)</dict>\n</plist>"))
        }
        return
      }
      let made = try await host("new", "today", "Base", "--language", language, "--into", host.folder.path)
      #expect(made.status == 0, "\(made)")
    }

    /// Changes the manifest.
    ///
    /// - Returns: the line of what was written, from 1.
    @discardableResult
    func change(_ old: String, to new: String) throws -> Int {
      let text = try String(contentsOfFile: manifest, encoding: .utf8)
      let range = try #require(text.range(of: old))
      try text.replacingCharacters(in: range, with: new).write(toFile: manifest, atomically: true, encoding: .utf8)
      return text[..<range.lowerBound].filter { $0 == "\n" }.count + 1
    }

    /// Has the update do something, in the words of each language.
    func update(_ bodies: [String: String]) throws {
      let body = bodies[language] ?? ""
      switch language {
      case "swift": try host.folder.write("home/containers/\(id)/mistake", body)
      case "python":
        try host.folder.write(
          "Base/Base.app/PlugIns/BaseWidget.appex/main.py",
          """
          import annex, socket
          class Widget(annex.TodayExtension):
              def perform_update(self, context):
                  \(body)
          annex.run(Widget())

          """)
      default:
        try host.folder.write(
          "Base/Base.app/PlugIns/BaseWidget.appex/main.mjs",
          """
          import * as annex from "./annex/index.mjs";
          import net from "node:net";
          class Widget extends annex.TodayExtension {
            async performUpdate(context) {
              \(body)
            }
          }
          annex.run(new Widget());

          """)
      }
    }

    func callAsFunction(_ words: String...) async throws -> String {
      let output = try await host(words + places)
      return output.stdout + output.stderr
    }

    /// What the four commands say that an author may ask.
    func answers() async throws -> [(command: String, text: String)] {
      let verified = try await host("verify", app)
      return [
        ("list", try await self("list")), ("today", try await self("today", id)), ("why", try await self("why", id)),
        ("verify", verified.stdout + verified.stderr),
      ]
    }
  }

  /// A change of the manifest, with what every command says of it.
  private struct ManifestMistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let old: String
    let new: String
    /// `LINE` stands for the line of the change, `BUNDLE` for the folder of the extension.
    let sentences: [String]
  }

  private static let interpreters = ["python": "/usr/bin/python3", "node": NodeProgram.path]
  private static let manifestMistakes = [
    ManifestMistake(
      testDescription: "a misspelt key", old: "<key>NSExtensionPointIdentifier", new: "<key>NSExtensionPointIdentifer",
      sentences: [
        "Info.plist:LINE: error: NSExtension.NSExtensionPointIdentifer: The key is not known, and "
          + "NSExtensionPointIdentifier is missing. Did you mean NSExtensionPointIdentifier?",
        "help: Rename the key to NSExtensionPointIdentifier.",
      ]),
    ManifestMistake(
      testDescription: "a misspelt interpreter key", old: "<key>Interpreter<", new: "<key>Interpretor<",
      sentences: [
        "Info.plist:LINE: error: Annex.Interpretor: The key is not known, so nothing runs the script. Did you mean "
          + "Interpreter?", "help: Rename the key to Interpreter.",
      ]),
    ManifestMistake(
      testDescription: "broken XML", old: "</dict>\n\t<key>CFBundleExecutable", new: "<key>CFBundleExecutable",
      sentences: ["error: The manifest cannot be read. The XML is damaged", "help: Correct the file near line "]),
    ManifestMistake(
      testDescription: "a file that is missing", old: "<string>main.", new: "<string>mian.",
      sentences: [
        "Info.plist:LINE: error: CFBundleExecutable: The executable BUNDLE/mian.", "does not exist.",
        "help: Did you mean main.",
      ]),
    ManifestMistake(
      testDescription: "an interpreter that is missing", old: "<string>/usr/bin/", new: "<string>/usr/bin/x",
      sentences: ["Info.plist:LINE: error: Annex.Interpreter: The interpreter /usr/bin/x", "help: "]),
    ManifestMistake(
      testDescription: "a wrong value of an enumeration", old: "<key>Interpreter<",
      new: "<key>Framing</key><string>lnes</string><key>Interpreter<",
      sentences: [
        "Info.plist:LINE: error: Annex.Framing: “lnes” is not a framing.", "help: Write “lines” or “content-length”.",
      ]),
    ManifestMistake(
      testDescription: "a wrong extension point", old: "<string>com.apple.widget-extension",
      new: "<string>com.apple.widget-extention",
      sentences: [
        "Info.plist:LINE: error: NSExtension.NSExtensionPointIdentifier: “com.apple.widget-extention” is not an",
        "help: Did you mean com.apple.widget-extension? Write one of ",
      ]),
  ]

  @Test(arguments: ["python", "node"], manifestMistakes)
  private func `of a manifest has its place and advice in every command`(
    _ language: String, _ mistake: ManifestMistake
  ) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let widget = try await Widget(language)
    let line = try widget.change(mistake.old, to: mistake.new)
    // A fault has the line of the value, which stands below its key.
    let place = mistake.testDescription.hasSuffix("key") ? line + 1 : line
    for (command, text) in try await widget.answers() {
      #expect(text.contains(widget.id) || command == "verify", "\(command) names it: \(text)")
      for sentence in mistake.sentences {
        let wanted = sentence.replacing("LINE", with: "\(place)").replacing("BUNDLE", with: widget.bundle)
        #expect(text.contains(wanted), "\(command) says “\(wanted)”: \(text)")
      }
    }
    if mistake.testDescription == "broken XML" {
      let today = try await widget("today", widget.id)
      #expect(today.contains("The extension \(widget.id) is there, but cannot be used: "), "\(today)")
    }
  }

  /// Each of them loops until its deadline, so they do it side by side.
  @Test func `that loops without end is told from a wait, with the figures`() async throws {
    let languages = ["python", "swift"] + (NodeProgram.isAvailable ? ["node"] : [])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for language in languages { group.addTask { try await Self.loop(language) } }
      try await group.waitForAll()
    }
  }

  private static func loop(_ language: String) async throws {
    let widget = try await Widget(language)
    try widget.update(["python": "while True: pass", "node": "for (;;);", "swift": "loop"])
    let text = try await widget("today", widget.id)
    #expect(text.contains("did not answer widget/performUpdate within 10 s."), "\(language): \(text)")
    #expect(text.contains("s of processor time: look for an endless loop in the handler of widget/performUpdate."))
    #expect(text.contains("No key of the manifest allows more than 10 s here"), "\(language): \(text)")
    let why = try await widget("why", widget.id)
    #expect(why.contains("look for an endless loop"), "\(language): \(why)")
  }

  @Test(arguments: ["python", "node"])
  func `that a limit ends names the key that raises it`(_ language: String) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let widget = try await Widget(language)
    try widget.change(
      "<key>Interpreter<",
      to: "<key>Limits</key><dict><key>CPUSeconds</key><integer>1</integer></dict><key>Interpreter<")
    try widget.update(["python": "while True: pass", "node": "for (;;);"])
    let text = try await widget("today", widget.id)
    #expect(
      text.contains("was ended for its processor time: it used ") && text.contains("and 1 s are allowed"), "\(text)")
    #expect(
      text.contains("Or raise Annex.Limits.CPUSeconds in \(widget.manifest), which is 1, up to 30."), "\(text)")
  }

  @Test(arguments: ["python", "node", "swift"])
  func `that the sandbox refuses says what to ask for`(_ language: String) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let widget = try await Widget(language)
    try widget.update([
      "python": "socket.create_connection((\"127.0.0.1\", 80))",
      "node":
        "await new Promise((done, fail) => net.connect(80, \"127.0.0.1\", done).on(\"error\", fail));",
      "swift": "socket",
    ])
    let text = try await widget("today", widget.id)
    #expect(
      text.contains("help: The sandbox refuses sockets; ask for “network”: name the server under Annex.Network in "))
    #expect(!text.contains("it advises:"), "\(text)")
    let why = try await widget("why", widget.id)
    #expect(why.contains("The sandbox refuses sockets; ask for “network”"), "\(why)")
  }

  @Test(arguments: [true, false])
  func `with memory names the ceiling and the key that raises it`(hasKey: Bool) async throws {
    let widget = try await Widget("python")
    if hasKey {
      try widget.change(
        "<key>Interpreter<",
        to: "<key>Limits</key><dict><key>MemoryMiB</key><integer>24</integer></dict><key>Interpreter<")
    }
    try widget.update(["python": "x = [bytes(1 << 20) for _ in range(4000)]"])
    let text = try await widget("today", widget.id)
    let why = try await widget("why", widget.id)
    #expect(text.contains("answered: MemoryError\n"), "\(text)")
    for said in [text, why] {
      #expect(said.contains("It asked for more memory than the "), "\(said)")
      #expect(
        said.contains(
          hasKey
            ? "Or raise Annex.Limits.MemoryMiB in \(widget.manifest), which is 24, up to 32."
            : "Annex.Limits.MemoryMiB lowers that"), "\(said)")
    }
  }

  @Test(arguments: ["python", "node"])
  func `in a word of an answer lists the words that are allowed`(_ language: String) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let widget = try await Widget(language)
    let answer = "return {\"result\": \"newdata\"}"
    try widget.update(["python": answer, "node": answer])
    let sentence = "result: “newdata” is not a value of it. Write one of newData, noData, failed."
    for said in [try await widget("today", widget.id), try await widget("why", widget.id)] {
      #expect(said.contains(sentence), "\(said)")
    }
  }

  @Test(arguments: ["python", "node"])
  func `in the keys of a view is a warning, and an error where it is developed`(_ language: String) async throws {
    if language == "node", !NodeProgram.isAvailable { return }
    let widget = try await Widget(language)
    let view = "{\"title\": \"T\", \"rows\": [{\"title\": \"x\", \"detial\": \"y\"}], \"txt\": \"z\"}"
    let answer = "return {\"result\": \"newData\", \"view\": \(view)}"
    try widget.update(["python": answer, "node": answer])
    let sentence = "answers with keys that are not known: view.txt (did you mean text?), view.rows[0].detial."
    let today = try await widget.host(["today", widget.id] + widget.places)
    #expect(today.status == 0 && today.stderr.contains("warning: Base \(sentence)"), "\(today)")
    let tried = try await widget.host("dev", "\(widget.host.folder.path)/Base", "--once")
    #expect(tried.status == 1 && tried.stderr.contains("error: Base \(sentence)"), "\(tried)")
    let conformed = try await widget.host(["conform", widget.id, "--check", "widget-update"] + widget.places)
    #expect(
      conformed.status == 1 && (conformed.stdout + conformed.stderr).contains("keys that are not known: view.txt"))
  }
}
