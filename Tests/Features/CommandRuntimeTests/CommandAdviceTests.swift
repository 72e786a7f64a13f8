import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC
import Testing

@testable import CommandRuntime

/// What a user is told to do about an error of the engine.
@Suite(.timeLimit(.minutes(1)))
struct `The advice of the tool` {
  struct Case: Sendable, CustomTestStringConvertible {
    let code: ExtensionError.Code
    var recovery: String?
    var details: [String: JSONValue] = [:]
    /// `nil`: as the code has it.
    let advice: String?

    var testDescription: String { "\(code.name) \(details)" }
  }

  static let own = [
    Case(
      code: .quarantined, details: ["extension": "a.b"],
      advice:
        "Run \"host why a.b\" for the reason, correct the extension, then run \"host reset a.b\"."),
    Case(
      code: .quarantined, details: ["extension": "a.b", "until": .null],
      advice:
        "Run \"host why a.b\" for the reason, correct the extension, then run \"host reset a.b\"."),
    Case(
      code: .quarantined, details: ["extension": "a.b", "until": 5],
      advice: "Try again in some seconds, or run \"host reset a.b\"."),
    Case(code: .quarantined, recovery: "r", details: ["extension": 5], advice: "r"),
    Case(
      code: .permissionDenied,
      details: ["extension": "a.b", "permission": "data", "method": "data/query"],
      advice: "Run “host permissions a.b grant data” to allow it."),
    Case(
      code: .permissionDenied, details: ["extension": "a.b", "permission": "data", "group": "g"],
      advice: "Run “host permissions a.b grant data” to allow it."),
    Case(
      code: .permissionDenied, details: ["extension": "a.b", "permission": "data", "program": "p"],
      advice: "Run “host permissions a.b grant data” to allow it."),
    // It was not refused, and so granting it again does not help.
    Case(
      code: .permissionDenied, recovery: "r", details: ["extension": "a.b", "permission": "data"],
      advice: "r"),
    Case(
      code: .permissionDenied, recovery: "r", details: ["extension": "a.b", "method": "m"],
      advice: "r"),
    Case(
      code: .permissionDenied, recovery: "r", details: ["permission": "data", "method": "m"],
      advice: "r"),
    Case(
      code: .permissionDenied, details: ["state": "ignored", "id": "a.b"],
      advice: "Run “host elect a.b default”."),
    Case(
      code: .permissionDenied, details: ["state": "unapproved", "id": "a.b"],
      advice: "Run “host elect a.b use” to approve it."),
    Case(
      code: .permissionDenied, recovery: "r", details: ["state": "revoked", "id": "a.b"],
      advice: "r"),
    Case(code: .permissionDenied, recovery: "r", details: ["state": "ignored"], advice: "r"),
    Case(
      code: .pointDisallows, details: ["needs": "today"],
      advice: "Run \"host list --point today\" to see those that do."
    ),
    Case(code: .pointDisallows, recovery: "r", advice: "r"),
    Case(code: .extensionUnknown, advice: "Run \"host list\" to see which extensions there are."),
    Case(code: .extensionUnknown, recovery: "Did you mean a?", advice: "Did you mean a?"),
    Case(
      code: .sandboxUnavailable, recovery: "Do this.",
      advice: "Do this. Run \"host doctor\" to see what this machine enforces."),
    Case(
      code: .launchFailed, recovery: "Do this.", details: ["sandbox": "launchFailed"],
      advice: "Do this. Run \"host doctor\" to see what this machine enforces."),
    Case(
      code: .launchFailed, recovery: "Do this.", details: ["sandbox": "other"], advice: "Do this."),
    Case(code: .launchFailed, recovery: "Do this.", advice: "Do this."),
    Case(
      code: .contentFailed, recovery: "Check it.",
      details: ["kind": "unreachable", "isLocal": true],
      advice: "Check it. “host serve content” starts a local one."),
    Case(
      code: .contentFailed, recovery: "Check it.",
      details: ["kind": "unreachable", "isLocal": false],
      advice: "Check it."),
    Case(
      code: .contentFailed, recovery: "Check it.", details: ["kind": "other", "isLocal": true],
      advice: "Check it."),
    Case(
      code: .storeFailed, details: ["format": 9, "stateDirectory": "/x"],
      advice: "Update annex, or use another state folder with --home DIR."),
    Case(code: .storeFailed, details: ["stateDirectory": .null], advice: "Pass --home DIR."),
    Case(
      code: .storeFailed, details: ["stateDirectory": "/x"],
      advice: "Move the file away, or pass --home DIR."),
    Case(code: .storeFailed, recovery: "Wait.", advice: "Wait."),
    Case(code: .framework, recovery: "Do this.", advice: "Do this."),
    Case(
      code: .handlerFailed, details: ["extension": "a.b"],
      advice:
        "Run \"host why a.b\" with the extension's identifier: it shows what the extension wrote before it failed."
    ),
    Case(
      code: .handlerFailed, recovery: "Ask ID.", details: ["extension": "a.b"], advice: "Ask ID."),
    Case(code: .queueFull, advice: "Wait for answers before sending more requests."),
  ]

  @Test(arguments: own) func `names the command that helps`(row: Case) {
    let error = ExtensionError(row.code, "It failed.", recovery: row.recovery, details: row.details)
    let failure = Failure(error)
    #expect(failure.error.recovery == row.advice ?? row.code.recovery)
    #expect(failure.error.code == row.code && failure.error.message == "It failed.")
    #expect(failure.error.details == row.details)
  }

  private static func claim(_ code: ExtensionError.Code, _ data: JSONObject) -> ExtensionError {
    ExtensionError(
      claim: ErrorObject(code: code.number, message: "No.", data: .object(data)), of: "a.b")
  }

  @Test func `is its own for what an extension says, whatever the extension advises`() {
    func advice(_ code: ExtensionError.Code, _ data: JSONObject) -> String? {
      let failure = Failure(Self.claim(code, data))
      return failure.error.claimAdvice
    }
    let asked =
      ["details": ["permission": "data", "method": "m"], "recovery": "Run rm."] as JSONObject
    #expect(
      advice(.permissionDenied, asked) == "Run “host permissions a.b grant data” to allow it.")
    // No command is made of what no tool knows.
    let unknown =
      ["details": ["permission": "x; rm", "needs": "x; rm"], "recovery": "Run rm."] as JSONObject
    #expect(advice(.permissionDenied, unknown)?.contains("; rm") == false)
    #expect(advice(.pointDisallows, unknown)?.contains("; rm") == false)
    #expect(advice(.handlerFailed, [:]) == "“host logs a.b” shows what it printed.")
    #expect(
      advice(.contentFailed, ["details": ["kind": "unreachable", "isLocal": true]])
        == "“host serve content” starts a local one.")
    #expect(
      advice(.contentFailed, ["details": ["kind": "unreachable", "isLocal": false]])?.contains(
        "host serve") == false)
    #expect(advice(.contentFailed, ["details": ["isLocal": true]])?.contains("host serve") == false)
    #expect(advice(.invalidParams, [:]) == ExtensionError.Code.invalidParams.recovery)
  }

  // MARK: How it is printed

  @Test func `is printed as two lines, with causes and the end of standard error`() throws {
    let stage = try CommandStage()
    let error = ExtensionError(
      .peerExited, "It ended.", recovery: "Look.", details: ["standardError": ["one", "two"]],
      cause: ["c1", "c2"])
    let status = Failure(error).print(to: try stage.invocation("run"))
    #expect(status == .failure && stage.output == "")
    #expect(
      stage.errors == """
        error: It ended.
        help: Look.
          because: c1
          because: c2
          its standard error ended with:
            one
            two

        """)
    // With --verbose each line was shown when it came.
    stage.clear()
    _ = Failure(error).print(to: try stage.invocation("run", console: stage.console(.verbose)))
    #expect(!stage.errors.contains("standard error") && stage.errors.contains("because: c2"))
    stage.clear()
    _ = Failure(ExtensionError(.peerExited, "x", details: ["standardError": []])).print(
      to: try stage.invocation("run"))
    #expect(!stage.errors.contains("standard error ended"))
  }

  @Test func `names who answered, and tells the extension's advice apart`() throws {
    let stage = try CommandStage()
    _ = Failure(Self.claim(.invalidParams, ["recovery": "Ask me."])).print(
      to: try stage.invocation("run"))
    #expect(stage.errors.hasPrefix("error: a.b answered: No.\nhelp: "))
    #expect(stage.errors.hasSuffix("\n  it advises: Ask me.\n"))
    // What the code says anyway is no advice of the extension.
    stage.clear()
    let usual = ExtensionError.Code.invalidParams.recovery ?? ""
    _ = Failure(Self.claim(.invalidParams, ["recovery": .string(usual)])).print(
      to: try stage.invocation("run"))
    #expect(!stage.errors.contains("it advises"))
  }

  @Test func `is one JSON document, or one on a line among others`() throws {
    let stage = try CommandStage()
    let error = ExtensionError(
      .invalidParams, "No.", recovery: "Do.", details: ["b": 2, "a": 1], cause: ["c"])
    _ = Failure(error, status: .usage).print(to: try stage.invocation("run", "--json"))
    #expect(stage.errors == "" && stage.output.contains("\n  "))
    let object = try JSONValue(parsing: stage.output).objectValue ?? [:]
    #expect(object.map(\.key) == ["code", "name", "message", "recovery", "details", "cause"])
    #expect(object["details"]?.objectValue?.map(\.key) == ["a", "b"])
    #expect(object["cause"] == ["c"] && object["recovery"] == "Do.")
    for words in [["run", "--watch"], ["run", "--stream"], ["run", "--follow"], ["watch"]] {
      stage.clear()
      let invocation = try stage.invocation(words + ["--json"])
      _ = Failure(ExtensionError(.init(number: -1, name: "x"), "No.")).print(to: invocation)
      #expect(stage.output.split(separator: "\n").count == 1, "\(words)")
      let line = try JSONValue(parsing: stage.output).objectValue ?? [:]
      #expect(line.map(\.key) == ["code", "name", "message", "details"])
    }
  }

  // MARK: Statuses

  static let statuses: [(ExtensionError.Code, [String: JSONValue], CommandLineTool.ExitStatus)] = [
    (.extensionInvalid, [:], .dataError), (.invalidParams, [:], .dataError),
    (.parseError, [:], .dataError),
    (.extensionUnknown, [:], .noInput), (.serviceUnavailable, [:], .unavailable),
    (.contentFailed, [:], .unavailable),
    (.dataFailed, [:], .unavailable), (.sandboxUnavailable, [:], .unavailable),
    (.permissionDenied, [:], .noPermission), (.pointDisallows, [:], .noPermission),
    (.groupNotEntitled, [:], .noPermission), (.internalError, [:], .software),
    (.storeFailed, [:], .ioError),
    (.handlerFailed, [:], .failure), (.quarantined, [:], .failure),
    (.quarantined, ["until": .null], .failure),
    (.quarantined, ["until": 5], .temporaryFailure), (.queueFull, [:], .temporaryFailure),
    (.shuttingDown, [:], .temporaryFailure),
    (.storeFailed, ["retryable": true], .temporaryFailure),
    (.storeFailed, ["retryable": false], .ioError),
    (.dataFailed, ["retryable": true], .unavailable),
  ]

  @Test(arguments: statuses)
  func `comes with the status of what failed, and of what may be tried again`(
    code: ExtensionError.Code, details: [String: JSONValue], status: CommandLineTool.ExitStatus
  ) {
    #expect(Failure(ExtensionError(code, "m", details: details)).status == status)
  }

  @Test func `is that of inputs and outputs, and of what was decided before`() {
    let input = Failure(InputError(message: "in"))
    #expect(input.status == .noInput && input.error.message == "in")
    #expect(
      input.error.code == .invalidParams
        && input.error.recovery == "Check the path and its permissions.")
    let output = Failure(OutputError(message: "out"))
    #expect(output.status == .cannotCreate && output.error.message == "out")
    #expect(
      output.error.code == .storeFailed && output.error.recovery == "Choose another file with -o.")
    let again = Failure(
      Failure(ExtensionError(.quarantined, "m", recovery: "r"), status: .software))
    #expect(again.status == .software && again.error.recovery == "r")
    let usage = Failure.usage(CommandLineError("bad", help: "good"))
    #expect(
      usage.status == .usage && usage.error.message == "bad" && usage.error.recovery == "good")
    #expect(Failure.usage(.noCommand(of: "host x")).error.message == "host x needs a command.")
  }

  @Test func `is the author's for a build setting that has no value`() {
    func problem(_ severity: ManifestProblem.Severity, _ path: String, setting: String? = nil)
      -> ManifestProblem
    {
      ManifestProblem(
        severity, file: nil, line: nil, keyPath: path, "m", recovery: "r", setting: setting)
    }
    #expect(problem(.error, "A").advisedRecovery == "r")
    #expect(
      problem(.error, "A", setting: "NAME").advisedRecovery.contains(
        "“host bundle DIR --set NAME=VALUE”"))
  }
}
