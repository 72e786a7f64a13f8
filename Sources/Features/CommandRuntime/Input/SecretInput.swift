package import CommandLineTool
import Files
import Glibc

extension ParsedCommand {
  private static let secretLimit = 1 << 16

  /// A secret, from the file, the descriptor or the environment variable of ``CommandOption/secret(_:_:environment:)``.
  ///
  /// - Returns: without the line end that files have; `nil` when none is given.
  /// - Throws: `InputError` when it cannot be read or is no line of text; `CommandLineError` when two are given.
  package func secret(_ name: String) throws -> String? {
    let (file, number) = (value("\(name)-file"), try integer("\(name)-fd", in: 0...Int(Int32.max)))
    guard file == nil || number == nil else {
      throw CommandLineError("--\(name)-file and --\(name)-fd are both given.", help: "Give one of them.")
    }
    if let file { return try line(InputFile.read(file, limit: Self.secretLimit), of: file) }
    guard let number = number.map(Int32.init) else { return value(name) }
    guard fcntl(number, F_GETFD) >= 0 else {
      throw InputError(message: "The descriptor \(number) of --\(name)-fd is not open.")
    }
    return try line(read(number, of: "--\(name)-fd"), of: "the descriptor \(number)")
  }

  private func read(_ descriptor: Int32, of option: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw InputError(message: "Cannot read \(option): \(SystemError.last).") }
      bytes += chunk[..<count]
      guard bytes.count <= Self.secretLimit else { throw InputError(message: "What \(option) gives is too long.") }
    }
  }

  private func line(_ bytes: [UInt8], of source: String) throws -> String {
    var line = bytes[...]
    if line.last == 0x0A {
      line.removeLast()
      if line.last == 0x0D { line.removeLast() }
    }
    let text = String(validating: line, as: UTF8.self)
    guard let text, !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw InputError(message: "There is no secret in \(source): it has to be one line of text.") }
    return text
  }
}
