import CommandLineTool
import CommandRuntime
import HostServices

/// A text field as a terminal shows it: one line of text, and one below it.
struct FieldView {
  /// The name of the keyboard that has the field.
  var label: String
  var document: TextDocument
  var isSecure: Bool
  /// The line below the field: candidates, or a notice.
  var below: ShownText
  var columns: Int

  /// The bytes that draw it where the cursor is, and leave the cursor at the insertion point.
  var drawing: ShownText {
    let prompt: ShownText = "\(label)> "
    let caret = document.selection.lowerBound
    let space = max(8, columns - prompt.width - 1)
    // The insertion point stays in sight.
    let before = end(of: shown(max(0, caret - space)..<caret), fitting: space - 1)
    let after = beginning(
      of: shown(caret..<min(document.count, caret + space)), fitting: space - displayWidth(of: before))
    let notice = beginning(of: below.description, fitting: columns - 1)
    let column = prompt.width + displayWidth(of: before)
    return
      "\r\u{1B}[J\(prompt)\(ShownText(whole: before + after))\n\(ShownText(whole: notice))\u{1B}[A\r\u{1B}[\(column)C"
  }

  private func shown(_ range: Range<Int>) -> String {
    isSecure ? String(repeating: "•", count: range.count) : document.text(in: range).escapedForTerminal
  }

  /// Candidates with the keys that choose them.
  static func line(of candidates: [String]) -> ShownText {
    candidates.prefix(9).enumerated().map { index, candidate in "\(index + 1) \(candidate.prefix(40))" as ShownText }
      .joined(separator: "   ")
  }
}
