import CommandLineTool
import HostCLI
import HostServices

/// A text field as a terminal shows it: one line of text, and one below it.
struct FieldView {
  /// Who has the field.
  var label: String
  var document: TextDocument
  var isSecure: Bool
  /// What stands below: candidates, or a notice. Foreign text in it is not escaped yet.
  var below: String
  var columns: Int
  /// Code points that are looked at for each column.
  private static let scalarsOfColumn = 8

  /// The bytes that draw it where the cursor is, and leave the cursor at the insertion point.
  var drawing: String {
    let prompt = "\(label.escapedForTerminal)> "
    let caret = document.selection.lowerBound
    let space = max(8, columns - displayWidth(of: prompt) - 1)
    // The insertion point stays in sight.
    let before = end(of: shown(max(0, caret - space)..<caret), fitting: space - 1)
    let after = beginning(
      of: shown(caret..<min(document.count, caret + space)), fitting: space - displayWidth(of: before))
    // What cannot be seen is not even looked at: a notice may have the megabytes of an extension's error.
    let seen = String(below.unicodeScalars.prefix(Self.scalarsOfColumn * columns))
    let notice = beginning(of: seen.escapedForTerminal, fitting: columns - 1)
    let column = displayWidth(of: prompt) + displayWidth(of: before)
    return "\r\u{1B}[J\(prompt)\(before)\(after)\n\(notice)\u{1B}[A\r\u{1B}[\(column)C"
  }

  private func shown(_ range: Range<Int>) -> String {
    isSecure ? String(repeating: "•", count: range.count) : document.text(in: range).escapedForTerminal
  }

  /// Candidates with the keys that choose them.
  static func line(of candidates: [String]) -> String {
    candidates.prefix(9).enumerated().map { index, candidate in "\(index + 1) \(candidate.prefix(40))" }
      .joined(separator: "   ")
  }
}
