import CommandLineTool
import Glibc

/// Arguments and variables that are not UTF-8. Names of files may be anything on Linux; what this tool says and records is
/// text, and it does not guess what was meant.
enum ForeignBytes {
  /// The variables that name folders of this tool.
  private static let variables: Set = ["ANNEX_HOME", "HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"]

  /// What to say when the command line, or such a variable, is not UTF-8.
  static var refusal: CommandLineError? {
    for index in 1..<max(2, Int(CommandLine.argc)) {
      if let word = CommandLine.unsafeArgv[index], let error = refusal(ofArgument: index, word) { return error }
    }
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let entry = next.pointee {
      next += 1
      if let error = refusal(ofVariable: entry) { return error }
    }
    return nil
  }

  static func refusal(ofArgument index: Int, _ word: UnsafePointer<CChar>) -> CommandLineError? {
    guard String(validatingCString: word) == nil else { return nil }
    return CommandLineError(
      "Argument \(index) is not UTF-8: \(shown(word))",
      help: "Rename the file, or hand its contents over at standard input, as “-”, where a command takes files.")
  }

  /// - Parameter entry: the name and the value, as the environment has them.
  static func refusal(ofVariable entry: UnsafePointer<CChar>) -> CommandLineError? {
    guard String(validatingCString: entry) == nil else { return nil }
    // By bytes: the sign and an accent behind it are one Character.
    let name = String(Substring(String(cString: entry).utf8.prefix { $0 != UInt8(ascii: "=") }))
    guard variables.contains(name) else { return nil }
    return CommandLineError(
      "The variable \(name) is not UTF-8: \(shown(entry))",
      help: "Name a folder in UTF-8, for example with --home DIR.")
  }

  /// ASCII as it is and every other byte as `\xHH`.
  private static func shown(_ text: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeBufferPointer(start: text, count: min(strlen(text), 500)).map { UInt8(bitPattern: $0) }
    return bytes.map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
    }.joined()
  }
}
