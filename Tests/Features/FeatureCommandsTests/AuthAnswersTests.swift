import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import EventLoop
import ExtensionProtocol
import Glibc
import JSON
import Testing

@testable import FeatureCommands
@testable import TokenBroker

/// What a sign-in is given on the command line, where there is no terminal to ask at.
@Suite(.timeLimit(.minutes(1)))
struct `The answers of a command line` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(AuthCommand.command) }

  private func answers(_ words: String..., password: String? = nil) throws -> AuthAnswers {
    let environment = password.map { ["ANNEX_AUTH_PASSWORD": $0] } ?? [:]
    let invocation = try stage.invocation([words[0], "a@b"] + words.dropFirst(), environment: environment)
    return try AuthAnswers(invocation, dialogue: nil, username: "a@b")
  }

  private static let methods = [
    AuthMethod(id: "1", channel: "email", hint: "a***@b"), AuthMethod(id: "email", channel: "sms", hint: nil),
    AuthMethod(id: "3", channel: "sms", hint: nil),
  ]

  @Test func `are a password, once`() async throws {
    let answers = try answers("sign-in", password: "secret word")
    guard case .password(let password) = try await answers.input(for: .passwordRequired) else {
      Issue.record("no password")
      return
    }
    #expect(password.revealed() == "secret word" && answers.givenPassword() == nil)
    let failure = await #expect(throws: Failure.self) { try await answers.input(for: .passwordRequired) }
    #expect(failure?.status == .usage && failure?.error.recovery == "Give --password-fd N.")
    #expect(!answers.canAskAgain)
  }

  @Test func `are a new password where an account is made or its password set`() async throws {
    guard
      case .password(let first) = try await answers("sign-up", password: "one").input(for: .passwordRequired),
      case .newPassword(let second) = try await answers("reset-password", password: "two")
        .input(for: .newPasswordRequired)
    else {
      Issue.record("no password")
      return
    }
    #expect(first.revealed() == "one" && second.revealed() == "two")
  }

  @Test func `are a second factor by its identifier, else by its channel`() async throws {
    func chosen(_ method: String) async throws -> FlowInput {
      try await answers("sign-in", "--method", method).input(for: .mfaMethodRequired(Self.methods))
    }
    #expect(try await chosen("3") == .method(id: "3"))
    #expect(try await chosen("sms") == .method(id: "email"))
    // One that is called so goes before one of that channel.
    #expect(try await chosen("email") == .method(id: "email"))
    for unknown in ["4", "Email"] {
      let failure = await #expect(throws: Failure.self) { _ = try await chosen(unknown) }
      #expect(failure?.status == .usage && failure?.error.recovery == "Give --method ID.")
    }
  }

  @Test func `are the contact of a factor that is registered, or none`() async throws {
    let state = FlowState.registrationRequired(Self.methods)
    let named = try answers("sign-in", "--method", "1", "--contact", "c@d")
    #expect(try await named.input(for: state) == .register(id: "1", contact: "c@d"))
    #expect(try await answers("sign-in", "--method", "1").input(for: state) == .register(id: "1", contact: nil))
  }

  @Test func `are attributes, once, and all that the server asks for`() async throws {
    let answers = try answers("sign-up", "--attribute", "city=a=b", "--attribute", "zip=")
    #expect(answers.givenAttributes() == ["city": "a=b", "zip": ""])
    #expect(answers.givenAttributes() == nil)
    let marked = try self.answers("sign-up", "--attribute", "city=\u{301}x").givenAttributes()
    #expect(marked == ["city": "\u{301}x"])
    let required = ["city", "name"].compactMap { RequiredAttribute(["name": .string($0)]) }
    let other = try self.answers("sign-up", "--attribute", "city=x", "--attribute", "more=y")
    let failure = await #expect(throws: Failure.self) {
      try await other.input(for: .attributesRequired(required))
    }
    #expect(failure?.error.message.contains("ask for name:") == true)
    let whole = try self.answers("sign-up", "--attribute", "city=x", "--attribute", "name=")
    #expect(try await whole.input(for: .attributesRequired(required)) == .attributes(["city": "x", "name": ""]))
  }

  @Test(arguments: ["city", "=x", "="]) func `are no attribute without a name and a value`(text: String) {
    let error = #expect(throws: CommandLineError.self) { try answers("sign-up", "--attribute", text) }
    #expect(error?.message == "“\(text)” is not an attribute.")
  }

  @Test func `are a code that was sent, of which is told again only when there is another one`() async throws {
    let answers = try answers("sign-in")
    func told(_ sent: SentCode, after kind: AuthError.Kind? = nil) async -> String {
      stage.clear()
      let problem = kind.map { AuthError($0, "What happened.") }
      let failure = await #expect(throws: Failure.self) {
        try await answers.input(for: .codeRequired(sent), after: problem)
      }
      #expect(failure?.error.recovery == "Give --code-fd N.")
      return stage.errors
    }
    let mail = SentCode(sentTo: "a***@b", channel: "email", length: 8, resendAfter: nil)
    let first = await told(mail)
    #expect(first == "A code of 8 digits was sent to a***@b by mail.\n")
    let message = await told(SentCode(sentTo: "***45", channel: "sms", length: nil, resendAfter: nil))
    #expect(message == "A code was sent to ***45 by message.\n")
    for kind in [AuthError.Kind.invalidCode, .deadCode, .timedOut, .unreachable, .rateLimited, .serverUnavailable] {
      let again = await told(mail, after: kind)
      #expect(again == "", "\(kind)")
    }
    for kind in [AuthError.Kind.flowExpired, .invalidContact] {
      let again = await told(mail, after: kind)
      #expect(again == first, "\(kind)")
    }
  }

  /// The codes that a descriptor has, and last what was said when one more was asked for.
  private func codes(_ text: String, wanted: Int) async throws -> [String] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    let bytes = Array(text.utf8)
    let count = write(writer, bytes, bytes.count)
    close(writer)
    try #require(count == bytes.count)
    let invocation = try stage.invocation("sign-in", "a@b", "--code-fd", "\(reader)")
    let sent = SentCode(sentTo: "a***@b", channel: "email", length: 6, resendAfter: nil)
    return await SystemThread.run(name: "codes") {
      invocation.loop.run { () async -> [String] in
        var told: [String] = []
        do {
          let answers = try AuthAnswers(invocation, dialogue: nil, username: "a@b")
          for _ in 0..<wanted {
            let input = try await answers.input(for: .codeRequired(sent))
            if case .code(let code) = input { told.append(code.revealed()) }
          }
        } catch {
          told.append((error as? InputError)?.message ?? "\(error)")
        }
        return told
      }
    }
  }

  @Test func `are one code after another of a descriptor, and a word when there is none or no more`() async throws {
    let some = try await codes("123456\n654321\n", wanted: 3)
    #expect(some == ["123456", "654321", "--code-fd has no further code, and one is needed."])
    #expect(try await codes("1\n2", wanted: 2) == ["1", "2"])
    #expect(try await codes("", wanted: 1) == ["--code-fd is empty: no code came, and one was sent."])
  }

  @Test func `are nothing for what a flow does by itself`() async throws {
    let answers = try answers("sign-in")
    for state in [FlowState.polling(seconds: 1), .completed(nil)] {
      let failure = await #expect(throws: Failure.self) { try await answers.input(for: state) }
      #expect(failure?.error.code == .internalError)
    }
  }
}

/// The keys of a team on the command line.
@Suite(.timeLimit(.minutes(1)))
struct `The keys of a command line` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(KeyPlace.options + [KeyPlace.days]) }

  @Test func `are good for the days that are said, up to ten years`() throws {
    func days(_ text: String) throws -> Int64 {
      let period = try KeyPlace.period(try stage.invocation("--days", text))
      return Int64(period.count) / 86_400
    }
    let usual = try KeyPlace.period(try stage.invocation())
    #expect(usual.count == 90 * 86_400)
    #expect(try days("1") == 1)
    #expect(try days("3650") == 3_650)
    for wrong in ["0", "3651", "x"] { #expect(throws: CommandLineError.self) { try days(wrong) } }
  }

  @Test func `are made with a passphrase of eight characters, of however many bytes`() async throws {
    func given(_ text: String) async throws -> [UInt8] {
      try await KeyPlace.newPassphrase(try stage.invocation(environment: ["ANNEX_KEY_PASSPHRASE": text]))
    }
    #expect(try await given("12345678") == Array("12345678".utf8))
    #expect(try await given("größeäöü") == Array("größeäöü".utf8))
    for short in ["1234567", "ääääääö"] {
      let failure = await #expect(throws: Failure.self) { _ = try await given(short) }
      #expect(failure?.status == .dataError)
    }
    // Of keys that are there it may be any.
    let old = try await KeyPlace.passphrase(
      try stage.invocation(environment: ["ANNEX_KEY_PASSPHRASE": "1"]), for: "a key")
    #expect(old == [0x31])
  }
}
