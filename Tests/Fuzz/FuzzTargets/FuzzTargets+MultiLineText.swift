import CommandLineTool
import JSON
import MultiLineText
import TerminalText

extension FuzzTargets {
  /// What HTML gives is written and read again, and the same.
  static func textHTML(_ bytes: [UInt8]) {
    guard let text = try? MultiLineText(html: String(decoding: bytes, as: UTF8.self)) else { return }
    check(text)
    guard let again = try? MultiLineText(html: text.html) else { return }
    precondition(again.html == text.html && again == text, "\(text.html) reads otherwise")
  }

  /// The same of Markdown, by HTML. What is written as Markdown settles at its second reading.
  static func textMarkdown(_ bytes: [UInt8]) {
    guard let text = try? MultiLineText(markdown: String(decoding: bytes, as: UTF8.self)) else { return }
    check(text)
    guard let again = try? MultiLineText(html: text.html) else { return }
    precondition(again == text, "\(text.html) reads otherwise")
  }

  /// JSON as a tree, whatever stands where.
  static func textJSON(_ bytes: [UInt8]) {
    guard let value = try? JSONCoding.parse(bytes), let text = try? MultiLineText(json: value) else { return }
    check(text)
  }

  /// Every form is written; none has an element that runs, and JSON reads back.
  private static func check(_ text: MultiLineText) {
    precondition((try? MultiLineText(json: text.json)).map { $0 == text } ?? true, "\(text.json) reads otherwise")
    let html = text.html.lowercased()
    precondition(!html.contains("<script") && !html.contains("=\"javascript:"), html)
    _ = try? MultiLineText(markdown: text.markdown)
    _ = (text.plaintext, text.references)
    for line in text.terminal(width: 20, styled: false) {
      precondition(!line.description.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }
  }
}
