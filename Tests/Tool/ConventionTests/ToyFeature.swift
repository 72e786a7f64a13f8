/// The smallest feature with all layers: two methods, an extension point with a sandbox of its own, a check, a command.
enum ToyFeature {
  static let name = "Spelling"

  /// Its folder, by layer.
  static let files: [SourceTree.File] = [
    file("Contract/Spelling.swift", contract), file("Extension/SpellingExtension.swift", sdk),
    file("Host/SpellingHost.swift", host), file("Conformance/SpellingConformance.swift", conformance),
    file("Command/SpellingCommands.swift", commands),
  ]

  private static func file(_ path: String, _ text: String) -> SourceTree.File {
    SourceTree.File(path: "Sources/Features/\(name)/\(path)", text: text)
  }

  private static let contract = """
    public import ExtensionProtocol

    public enum Spelling: ServiceContract {
      public static let name = "spelling"
      public static let methods: [any RemoteMethod.Type] = [Learn.self]
      public static let access = [
        Allowlist.Row("spelling/*", [.spelling], nil, "Spelling calls belong to spelling checkers.")
      ]
      public static let points = [
        ExtensionPointDefinition(
          .spelling, shortName: "spelling", role: "a spelling checker", plural: "the spelling checkers",
          calls: [.request(Check.self)], limits: ExtensionLimits(memoryMiB: 24), reuse: .reuse)
      ]

      public struct Check: RemoteMethod {
        public static let method = "spelling/check"
        public static let deadline = RequestDeadline(hard: .seconds(2))
        public struct Result: Codable, Sendable {
          public var isRight: Bool
          public init(isRight: Bool) { self.isRight = isRight }
        }
        public var word: String
        public init(word: String) { self.word = word }
      }

      public struct Learn: RemoteMethod {
        public static let method = "spelling/learn"
        public struct Result: Codable, Sendable { public init() {} }
        public var word: String
        public init(word: String) { self.word = word }
      }
    }

    extension ExtensionPoint {
      public static let spelling = ExtensionPoint(rawValue: "com.example.spelling")
    }
    """

  private static let sdk = """
    import Contracts
    public import ExtensionProtocol
    public import ExtensionRuntime

    public protocol SpellingExtension: AppExtension {
      func isRight(_ word: String) async throws -> Bool
    }

    extension SpellingExtension {
      public static var points: [ExtensionPointDefinition] { Spelling.points }

      public var handlers: [SessionHandler] {
        [
          SessionHandler(Spelling.Check.self) { check, _ in
            Spelling.Check.Result(isRight: try await isRight(check.word))
          }
        ]
      }
    }
    """

  private static let host = """
    public import Contracts
    public import ExtensionHosting

    package enum SpellingHost: HostFeature {
      package static func makeService(in environment: HostEnvironment) -> SpellingService { SpellingService() }
    }

    public struct SpellingService: HostService {
      public typealias Contract = Spelling
      @HandlerBuilder public var handlers: [Handler] {
        Handler(Spelling.Learn.self) { _, _ in Spelling.Learn.Result() }
      }
    }
    """

  private static let conformance = """
    package import Conformance
    import Contracts
    import ExtensionHosting
    package import ExtensionProtocol

    package enum SpellingConformance: ConformanceFeature {
      package static let points: [ExtensionPoint] = [.spelling]

      package static func mainScenario(_ context: CheckContext) async throws {
        _ = try await context.withExtension { try await $0.call(Spelling.Check(word: CheckContext.text)) }
      }

      package static let checks = [
        ConformanceCheck(
          "spelling-check", "spelling/check is answered.", advice: "Answer {\\"isRight\\":true} or false.",
          points: points
        ) { context in
          try await mainScenario(context)
          return nil
        }
      ]
    }
    """

  private static let commands = """
    import CommandLineTool
    package import CommandRuntime
    import Contracts
    import ExtensionHosting
    import ExtensionProtocol

    package enum SpellingCommands: CommandFeature {
      package static let commands: [any HostSubcommand.Type] = [SpellingCommand.self]

      package static let traced: TracedRun? = TracedRun(.spelling) { entry, stack, _ in
        _ = try await stack.withExtension(entry) { try await $0.call(Spelling.Check(word: "trace")) }
        return .success
      }
    }

    enum SpellingCommand: HostSubcommand {
      static let command = Command(
        "spell", summary: "Check the spelling of a word", example: "host spell speling --with com.example.speller",
        options: [.with], arguments: [CommandArgument("WORD", "The word")])

      static func run(_ invocation: Invocation) async throws -> ExitStatus {
        let stack = try HostStack(invocation)
        let entry = try stack.registry.enabledExtension(invocation.parsed.value("with") ?? "", at: .spelling)
        let word = invocation.parsed.argument("WORD") ?? ""
        let result = try await stack.withExtension(entry) { try await $0.call(Spelling.Check(word: word)) }
        invocation.console.print(result.isRight ? "right" : "wrong")
        return result.isRight ? .success : .failure
      }
    }
    """
}
