import CommandLineTool
import Contracts
import HostServices
import Testing

@testable import FeatureCommands

/// `host keyboard --traits`.
@Suite(.timeLimit(.minutes(1)))
struct `The traits of a field on the command line` {
  @Test func `are each what is said`() throws {
    let traits = try KeyboardTraits(
      option:
        "type=emailAddress,autocapitalization=words,autocorrection=no,spellChecking=yes,smartQuotes=no,"
        + "smartDashes=yes,smartInsertDelete=no,returnKey=continue,appearance=dark,secure")
    #expect(traits.keyboardType == .emailAddress)
    #expect(traits.autocapitalization == .words)
    #expect(traits.autocorrection == .no)
    #expect(traits.spellChecking == .yes)
    #expect(traits.smartQuotes == .no)
    #expect(traits.smartDashes == .yes)
    #expect(traits.smartInsertDelete == .no)
    #expect(traits.returnKey == .continue)
    #expect(traits.appearance == .dark)
    #expect(traits.isSecureTextEntry)
  }

  @Test func `are those of an ordinary field where nothing is said`() throws {
    #expect(try KeyboardTraits(option: "") == KeyboardTraits())
    #expect(try KeyboardTraits(option: ",") == KeyboardTraits())
    // The last of two counts.
    #expect(try KeyboardTraits(option: "type=url,type=numberPad").keyboardType == .numberPad)
  }

  static let wrong: [(option: String, message: String, help: String)] = [
    ("type=fax", "“fax” is not a type.", "default, asciiCapable, numbersAndPunctuation"),
    ("type=url=x", "“url=x” is not a type.", "webSearch"),
    ("type=", "“” is not a type.", "It is one of:"),
    ("type", "“” is not a type.", "It is one of:"),
    ("smartQuotes=maybe", "“maybe” is not a smartQuotes.", "no, yes."),
    ("returnKey=Done", "“Done” is not a returnKey.", "done, emergencyCall"),
    ("secure=true", "The trait “secure” has no value.", "Write secure alone."),
    ("secure=", "The trait “secure” has no value.", "Write secure alone."),
    ("apearance=dark", "There is no trait “apearance”.", "Did you mean appearance?"),
    ("xyzzy", "There is no trait “xyzzy”.", "The traits are: type, autocapitalization"),
    ("url,type=url", "There is no trait “url”.", ""), ("=url", "There is no trait “”.", ""),
  ]

  @Test(arguments: wrong) func `are refused with what there is`(
    option: String, message: String, help: String
  ) {
    let error = #expect(throws: CommandLineError.self) { try KeyboardTraits(option: option) }
    #expect(error?.message == message)
    #expect(help.isEmpty || error?.help.contains(help) == true, "\(error?.help ?? "")")
  }
}

/// What a terminal in raw mode sends.
@Suite(.timeLimit(.minutes(1)))
struct `The key strokes of a terminal` {
  static let whole: [(bytes: String, strokes: [KeyStroke])] = [
    ("", []), ("aé 😀", [.text("a"), .text("é"), .text(" "), .text("😀")]),
    ("\u{1}\u{3}\u{4}\u{5}\u{8}\t\n", [.start, .cancel, .cancel, .end, .delete, .tab, .enter]),
    (
      "\u{C}\r\u{E}\u{14}\u{1A}\u{7F}",
      [.listKeyboards, .enter, .nextKeyboard, .toggleSecure, .stop, .delete]
    ),
    ("\u{2}\u{1F}a", [.text("a")]),
    ("a\u{1F}b\u{7F}c", [.text("a"), .text("b"), .delete, .text("c")]),
    ("~\u{7F}\u{80}", [.text("~"), .delete, .text("\u{80}")]),
    ("\u{1B}1\u{1B}9\u{1B}0\u{1B}:", [.choice(0), .choice(8)]),
    ("\u{1B}[C\u{1B}[D\u{1B}[F\u{1B}[H", [.right, .left, .end, .start]),
    ("\u{1B}OC\u{1B}OH\u{1B}[1;5Da", [.right, .start, .left, .text("a")]),
    ("\u{1B}[3~x\u{1B}[A\u{1B}xy", [.text("x"), .text("y")]), ("\u{1B}[15@z", [.text("z")]),
    ("\u{1B}", []), ("\u{1B}[", []), ("\u{1B}[1;", []),
  ]

  @Test(arguments: whole) func `are read from bytes`(bytes: String, strokes: [KeyStroke]) {
    var reader = KeyStrokes()
    #expect(reader.feed(bytes.utf8) == strokes)
    // Nothing of them is left for the next.
    #expect(reader.feed("q".utf8) == [.text("q")])
  }

  @Test(arguments: ["é", "߿", "ࠀ", "€", "\u{10000}", "😀"] as [Character])
  func `wait for the bytes of a character that are still to come`(character: Character) {
    var reader = KeyStrokes()
    let bytes = Array(String(character).utf8)
    for byte in bytes.dropLast() { #expect(reader.feed([byte]) == []) }
    #expect(reader.feed(bytes.suffix(1)) == [.text(character)])
    // What came before is not held up.
    #expect(reader.feed([0x61] + bytes.dropLast()) == [.text("a")])
    #expect(reader.feed(bytes.suffix(1) + [0x62]) == [.text(character), .text("b")])
  }

  @Test func `are marked where bytes can become no character`() {
    var reader = KeyStrokes()
    #expect(reader.feed([0x80]) == [.text("\u{FFFD}")])
    #expect(reader.feed([0xC0]) == [])
    #expect(reader.feed([0x61, 0x0D]) == [.text("\u{FFFD}"), .text("a"), .enter])
  }

  @Test(arguments: [[0xE9], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3]] as [[UInt8]])
  func `are not held up by a character that another key has cut short`(bytes: [UInt8]) {
    for (control, stroke) in [(0x0D, .enter), (0x03, .cancel), (0x7F, .delete)] as [(UInt8, KeyStroke)] {
      var reader = KeyStrokes()
      #expect(reader.feed(bytes) == [])
      #expect(reader.feed([control]) == [.text("\u{FFFD}"), stroke])
      #expect(reader.feed([0x61]) == [.text("a")])
    }
    var reader = KeyStrokes()
    #expect(reader.feed(bytes + Array("\u{1B}[C".utf8)) == [.text("\u{FFFD}"), .right])
  }
}

/// A field at a terminal.
@Suite(.timeLimit(.minutes(1)))
struct `The drawing of a field` {
  private static func drawing(
    _ text: String, caret: Int? = nil, secure: Bool = false, below: ShownText = "",
    columns: Int = 80
  ) -> String {
    var document = TextDocument(text)
    if let caret { document.select(caret..<caret) }
    return FieldView(
      label: "K", document: document, isSecure: secure, below: below, columns: columns
    ).drawing
      .description
  }

  private static func drawn(_ line: String, _ below: String = "", at column: Int) -> String {
    "\r\u{1B}[J\(line)\n\(below)\u{1B}[A\r\u{1B}[\(column)C"
  }

  @Test func `shows the text, and leaves the cursor at the insertion point`() {
    #expect(Self.drawing("abc") == Self.drawn("K> abc", at: 6))
    #expect(Self.drawing("abc", caret: 1, below: "1 x") == Self.drawn("K> abc", "1 x", at: 4))
    #expect(Self.drawing("", caret: 0) == Self.drawn("K> ", at: 3))
    #expect(Self.drawing("日本", caret: 1) == Self.drawn("K> 日本", at: 5))
    #expect(Self.drawing("a日", secure: true) == Self.drawn("K> ••", at: 5))
    #expect(Self.drawing("a\u{1B}b", secure: false).contains("a\u{1B}b") == false)
  }

  @Test func `keeps the insertion point in sight`() {
    let long = (0..<40).map { String($0 % 10) }.joined()
    // 20 columns: three for the name, one for the cursor, and 16 for the text.
    #expect(Self.drawing(long, columns: 20) == Self.drawn("K> 567890123456789", at: 18))
    #expect(Self.drawing(long, caret: 0, columns: 20) == Self.drawn("K> 0123456789012345", at: 3))
    #expect(Self.drawing(long, caret: 20, columns: 20) == Self.drawn("K> 5678901234567890", at: 18))
    #expect(Self.drawing("abcd日", caret: 4, columns: 12) == Self.drawn("K> abcd日", at: 7))
    // Never less than eight.
    #expect(Self.drawing("0123456789", columns: 3) == Self.drawn("K> 3456789", at: 10))
    #expect(Self.drawing("", below: "12345", columns: 5) == Self.drawn("K> ", "1234", at: 3))
  }

  @Test func `has nine candidates below it, each cut`() {
    #expect(FieldView.line(of: []).description == "")
    #expect(FieldView.line(of: ["a", "b"]).description == "1 a   2 b")
    let many = FieldView.line(of: (1...10).map { "w\($0)" }).description
    #expect(many.hasSuffix("9 w9") && many.hasPrefix("1 w1   2 w2   "))
    #expect(
      FieldView.line(of: [String(repeating: "é", count: 41)]).description == "1 "
        + String(repeating: "é", count: 40))
  }
}

/// What a typed character means to a keyboard.
@Suite(.timeLimit(.minutes(1)))
struct `A character that is typed` {
  static let keys: [(character: Character, key: String)] = [
    (" ", "space"), ("\t", "tab"), ("\u{8}", "delete"), ("\u{7F}", "delete"), ("a", "a"),
    ("é", "é"), ("\n", "\n"),
  ]

  @Test(arguments: keys) func `is the event of its key`(character: Character, key: String) {
    #expect(TypedLines.event(for: character) == Keyboard.Input.Event(key))
  }
}
