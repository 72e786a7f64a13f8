import CommandLineTool
import CommandRuntime
import JSON
import PropertyList
import Text

/// The value that `host defaults write` and `cas` are given as text, by its type.
enum DefaultsInput {
  private static let hints = [
    "int": "Write a whole number of 64 bits, for example 7.", "double": "Write a number, for example 1.5.",
    "bool": "Write true or false.", "date": "Write seconds since 1970, for example 1700000000.",
    "data": "Write base64, for example aGVsbG8=.",
    "json": "Write one JSON value without null and without duplicate keys, for example {\"a\":[1,2]}.",
  ]

  /// - Throws: `CommandLineError` for a text that is no value of the type.
  static func value(_ parsed: ParsedCommand) throws(CommandLineError) -> PropertyListValue {
    let text = parsed.argument("VALUE") ?? ""
    let type = parsed.value("type") ?? "string"
    let value: PropertyListValue? =
      switch type {
      case "int": Int64(text).map { .integer($0) }
      case "double": finite(text).map { .real($0) }
      case "bool":
        ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()]
          .map { .bool($0) }
      case "date": finite(text).map { .date($0) }
      case "data": Base64.decode(text).map { .data($0) }
      case "json": try? JSONCoding.decode(PropertyListValue.self, from: Array(text.utf8))
      default: .string(text)
      }
    guard let value else {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” is not a value of type \(type).",
        help: hints[type] ?? "Write a value of type \(type).")
    }
    return value
  }

  private static func finite(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
