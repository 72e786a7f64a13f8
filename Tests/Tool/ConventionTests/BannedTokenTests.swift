import Foundation
import TestSupport
import Testing

/// One thing that the product does without, and where an exception stands.
struct BannedToken: Sendable, CustomTestStringConvertible {
  let name: String
  let pattern: String
  /// Files that may, each with its reason.
  var exceptions: [String: String] = [:]

  var testDescription: String { name }

  static let all = [
    BannedToken(
      name: "an unstructured task", pattern: #"\bTask\s*(<[^>]*>)?\s*(\.\s*(init|detached|immediate)\b|\{|\()"#,
      exceptions: ["Sources/Base/EventLoop/EventLoop+Run.swift": "The program's one entry into Swift concurrency."]),
    BannedToken(name: "DispatchQueue", pattern: #"\bDispatch(Queue|Source|IO|Group|Semaphore|WorkItem)\b"#),
    BannedToken(name: "nonisolated(unsafe)", pattern: #"\bnonisolated\s*\(\s*unsafe\s*\)"#),
    BannedToken(name: "try!", pattern: #"\btry!"#),
    BannedToken(name: "a forced unwrap or cast", pattern: #"([\w)\]}>]|\bas)!(?!=)"#),
    BannedToken(name: "fatalError", pattern: #"\bfatalError\b"#),
    BannedToken(name: "Foundation.Process", pattern: #"\bFoundation\s*\.\s*Process\b|(?<![\w.])Process\s*\("#),
    BannedToken(name: "UserDefaults", pattern: #"\bUserDefaults\b"#),
    BannedToken(name: "NSPredicate", pattern: #"\bNSPredicate\b"#),
    BannedToken(name: "readability handlers", pattern: #"\breadabilityHandler\b"#),
    // Whether there is anything to wait for is looked at inside of the closure: an actor may do something else before.
    BannedToken(
      name: "a continuation kept without a look",
      pattern: #"Continuation\s*\{[^{}=]*(=|\bappend\(|\binsert\()[^{}=]*\$0\W*\}"#),
    // What is foreign goes through the other initializers, which escape it.
    BannedToken(
      name: "text that is shown as it is", pattern: #"\bverbatim\s*:"#,
      exceptions: [
        "Sources/Base/CommandLineTool/ShownText.swift": "Puts texts together that may be shown.",
        "Sources/Base/CommandLineTool/DisplayWidth.swift": "Cuts a text that may be shown.",
        "Sources/Base/CommandLineTool/WordWrap.swift": "Breaks a text that may be shown.",
        "Sources/Base/CommandLineTool/Help.swift": "The tool's own words.",
        "Sources/Base/CommandLineTool/Manual.swift": "The tool's own words.",
        "Sources/Base/CommandLineTool/Completion/CompletionShell.swift": "The tool's own words.",
        "Sources/Features/API/Command/APICommand.swift": "The tool's own table.",
        "Sources/Features/Content/Command/TerminalPictures.swift": "Base64, which a terminal takes for a picture.",
        "Sources/Systems/Content/TerminalText/TerminalWriter.swift": "Puts texts together that may be shown.",
        "Sources/Systems/Content/TerminalText/WordLines.swift": "Breaks a text that may be shown.",
      ]),
    BannedToken(name: "URLSession", pattern: #"\bURLSession\b"#),
    // It is 60 MB of the host on disk and half of the time that a command takes; what is needed of it is done here.
    BannedToken(
      name: "Foundation", pattern: #"\bimport\s+(\w+\s+)?Foundation(XML|Networking|Essentials)?\b"#,
      exceptions: [
        "Sources/Tool/EmbeddedFiles/EmbeddedFiles.swift": "A plugin of the build, no part of any product.",
        "Sources/Tool/EmbeddedLauncher/EmbeddedLauncher.swift": "A plugin of the build, no part of any product.",
        "Sources/Tool/FeatureList/FeatureList.swift": "A plugin of the build, no part of any product.",
        "Sources/Systems/DataConnect/DataConnect/Coding/WireUUID.swift":
          "Generated code has UUIDs, as that of other platforms.",
        "Sources/Systems/DataConnect/DataConnect/Values/Timestamp+Date.swift":
          "Firebase's types give and take Foundation's dates.",
        "Plugins/Templates/swift/photo/Sources/__NAME__/__NAME__.swift": "An author's project, not the product.",
        "Plugins/Templates/swift/picker/Sources/__NAME__/__NAME__.swift": "An author's project, not the product.",
        "Plugins/Movies/Movies.swift": "The keys of Data Connect are UUIDs.",
        "Plugins/Movies/generated/MoviesSDK/Sources/MoviesClient.swift": "A generated package, as on other platforms.",
        "Plugins/Movies/generated/MoviesSDK/Sources/MoviesKeys.swift": "A generated package, as on other platforms.",
        "Plugins/Movies/generated/MoviesSDK/Sources/MoviesOperations.swift":
          "A generated package, as on other platforms.",
      ]),
  ]

  /// The line numbers at which code has the token.
  func lines(in code: String) throws -> [Int] {
    let expression = try NSRegularExpression(pattern: pattern)
    let whole = NSRange(code.startIndex..., in: code)
    return expression.matches(in: code, range: whole).compactMap { match in
      Range(match.range, in: code).map { code[..<$0.lowerBound].count { $0 == "\n" } + 1 }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The product's sources` {
  @Test(arguments: try Cases.present(BannedToken.all)) func `do without`(token: BannedToken) throws {
    for file in SourceTree.files(below: "Sources", "Plugins") where token.exceptions[file.path] == nil {
      let lines = try token.lines(in: file.code)
      #expect(lines.isEmpty, "\(file.path):\(lines) has \(token.name)")
    }
  }

  @Test(arguments: [
    ("Task { await f() }", "an unstructured task"), ("Task.detached(priority: .high) {}", "an unstructured task"),
    ("_ = Task<Void, Never>.init {}", "an unstructured task"), ("a.b!.c", "a forced unwrap or cast"),
    ("x as! Int", "a forced unwrap or cast"), ("f()![0]", "a forced unwrap or cast"),
    ("let p = Process()", "Foundation.Process"), ("internal import Foundation", "Foundation"),
    ("console.print(ShownText(verbatim: title))", "text that is shown as it is"),
    ("import FoundationXML", "Foundation"), ("import class Foundation.NSLock", "Foundation"),
    ("await withCheckedContinuation { waiters[id] = $0 }", "a continuation kept without a look"),
    ("await withCheckedContinuation { waiting.append((number, $0)) }", "a continuation kept without a look"),
  ])
  func `are searched with patterns that find`(code: String, name: String) throws {
    let token = try #require(BannedToken.all.first { $0.name == name })
    #expect(try !token.lines(in: code).isEmpty)
  }

  @Test(arguments: [
    "withTaskGroup { }", "a != b", "if !x {}", "ExtensionProcess(identity: i)", "Task.isCancelled",
    "a! = b".replacing("!", with: ""),
    "case .Process(let p)",
  ])
  func `are searched with patterns that leave alone`(code: String) throws {
    for token in BannedToken.all { #expect(try token.lines(in: code).isEmpty, "\(token.name)") }
  }

  /// With a combining mark behind it a slash is one `Character` together with the mark, and a slash for the kernel: a
  /// path is divided by `pathParts`, and `Folder` has its name and its parent.
  @Test func `divide no path by its characters`() throws {
    let token = BannedToken(
      name: "a path that is divided by its characters",
      pattern: #"\bsplit\(separator: "/"(, omittingEmptySubsequences: \w+)?\)|\b(first|last)Index\(of: "/"\)"#)
    for line in [
      #"a.split(separator: "/").last"#, #"a.split(separator: "/", omittingEmptySubsequences: false)"#,
      #"a.firstIndex(of: "/")"#, #"a.lastIndex(of: "/")"#,
    ] { #expect(try token.lines(in: line) == [1]) }
    for line in [#"a.utf8.lastIndex(of: UInt8(ascii: "/"))"#, #"a.split(separator: "/", maxSplits: 1)"#] {
      #expect(try token.lines(in: line).isEmpty)
    }
    // In texts as well, which the code of a file is without.
    for file in SourceTree.files(below: "Sources") {
      let lines = try token.lines(in: file.text)
      #expect(lines.isEmpty, "\(file.path):\(lines) has \(token.name)")
    }
  }

  /// Shared state without the compiler's proof stands where the kernel, a C library or raw memory is touched, and says why
  /// it holds.
  @Test func `prove each unchecked Sendable`() {
    let allowed = [
      "CLinux", "Cryptography", "EventLoop", "HTTP2", "HTTPClient", "HTTPServer", "JSON", "JSONRPC", "PostgreSQL",
      "SQLite", "WebSocket",
    ]
    for file in SourceTree.files(below: "Sources", "Plugins") {
      let code = file.code.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in code.enumerated() where line.contains("@unchecked Sendable") {
        #expect(
          House.module(of: file.path).map(allowed.contains) == true,
          "\(file.path):\(index + 1) is not an edge where @unchecked Sendable may stand")
        let above = file.lines[max(0, index - 8)..<index].filter { $0.contains("//") }
        #expect(!above.isEmpty, "\(file.path):\(index + 1) has no proof in a comment above it")
      }
    }
  }
}
