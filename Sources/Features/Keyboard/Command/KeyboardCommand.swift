import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices

/// `host keyboard`: types through a Custom Keyboard, at a terminal or line by line.
enum KeyboardCommand: HostSubcommand {
  static let command = Command(
    "keyboard", summary: "Type through a keyboard extension",
    discussion: """
      At a terminal each key goes through the keyboard, and its candidates are shown below the line. Otherwise the \
      command types each line of standard input into a new field and prints the resulting text.

      Keys at a terminal: Tab takes the first candidate, Alt-1 to Alt-9 one of them. Ctrl-N goes to the next \
      keyboard, Ctrl-L lists the keyboards. Ctrl-T makes the field a password field and back. Enter ends and prints \
      the text, Ctrl-C gives up, Ctrl-Z goes back to the shell.

      Traits: \
      type=default|asciiCapable|numbersAndPunctuation|url|numberPad|phonePad|namePhonePad|emailAddress|decimalPad|twitter|webSearch|asciiCapableNumberPad, \
      autocapitalization=none|words|sentences|allCharacters, autocorrection=default|no|yes (also spellChecking, \
      smartQuotes, smartDashes, smartInsertDelete), returnKey=…, appearance=…, secure.
      """,
    example: "echo \"caf'e\" | host keyboard --with com.example.adventures.keys",
    options: [
      .with, .value("text", "TEXT", "The text that the field begins with"),
      .value("traits", "NAME=VALUE,…", "What the field is for, for example type=emailAddress"),
      .flag("disallow-keyboards", "Behave as an app that allows no Custom Keyboards"), .trace,
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let traits = try KeyboardTraits(option: invocation.parsed.value("traits") ?? "")
    let stack = try HostStack(invocation)
    var field = KeyboardField(TextDocument(invocation.parsed.value("text") ?? ""), traits: traits)
    field.allowsKeyboards = !invocation.parsed.flag("disallow-keyboards")
    let keyboards = try offered(invocation, for: traits, in: stack.registry)
    guard Dialogue.isPossible(invocation) else {
      guard keyboards.count == 1 || invocation.parsed.value("with") != nil else {
        throw CommandLineError(
          "There are several keyboards: \(keyboards.map(\.identifier).joined(separator: ", ")).",
          help: "Choose one with --with ID.")
      }
      return try await TypedLines(invocation, stack, keyboards[0], field).run()
    }
    guard invocation.console.errorTerminal.movesCursor else {
      throw CommandLineError(
        "This terminal cannot be drawn over: TERM is “dumb”.",
        help: "Set TERM to the terminal's name, or write the text into standard input.")
    }
    let editor = FieldEditor(invocation, stack, keyboards, field)
    return report(try await editor.run(), to: invocation.console)
  }

  /// Prints what was typed; `nil` is a user who gave up.
  static func report(_ text: String?, to console: Console) -> ExitStatus {
    guard let text else {
      console.note("Nothing was typed.")
      return .failure
    }
    console.write(data: text + "\n")
    return .success
  }

  /// The keyboards for a field, the named one first.
  ///
  /// - Throws: `activationMismatch` when none types what the field wants, `extensionUnknown` when there is none.
  private static func offered(
    _ invocation: Invocation, for traits: KeyboardTraits, in registry: ExtensionRegistry
  ) throws -> [RegistryEntry] {
    var entries = registry.extensions(at: .keyboard)
    if let name = invocation.parsed.value("with") {
      let entry = try registry.enabledExtension(name, at: .keyboard)
      entries = [entry] + entries.filter { $0.identifier != entry.identifier }
      guard isOffered(entry, for: traits) else {
        throw ExtensionError(
          .activationMismatch, "\(entry.displayName) does not type ASCII, which the field wants.",
          recovery: "Choose another keyboard, or another type of field.")
      }
    }
    guard !entries.isEmpty else {
      throw ExtensionError(
        .extensionUnknown, "There is no keyboard.",
        recovery: "Run \"host list --point keyboard\" to see those that are there and why they are not enabled.")
    }
    let offered = entries.filter { isOffered($0, for: traits) }
    guard !offered.isEmpty else {
      throw ExtensionError(
        .activationMismatch, "No keyboard types ASCII, which the field wants.",
        recovery: "Choose another type of field.")
    }
    return offered
  }

  private static func isOffered(_ entry: RegistryEntry, for traits: KeyboardTraits) -> Bool {
    KeyboardRules.isOffered(
      isASCIICapable: entry.manifest?.attributes["IsASCIICapable"]?.boolValue ?? false, for: traits)
  }
}

extension RegistryEntry {
  /// The language that a keyboard's manifest names.
  var primaryLanguage: String {
    if case .string(let language)? = manifest?.attributes["PrimaryLanguage"] { language } else { "en-US" }
  }
}
