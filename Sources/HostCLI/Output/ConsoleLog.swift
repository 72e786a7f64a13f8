package import CommandLineTool
package import ExtensionProtocol
package import JSONRPC

/// The host's log on standard error: warnings always, the rest for `--verbose`.
package struct ConsoleLog: LogSink {
  private let console: Console

  package init(_ console: Console) { self.console = console }

  package func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    let id = metadata["extension.id"].flatMap { if case .string(let id) = $0 { id } else { nil } }
    let facts = metadata.keys.sorted().filter { $0 != "extension.id" }.map { key in
      if case .string(let text) = metadata[key] {
        "\(key)=\(text)"
      } else {
        "\(key)=\(metadata[key]?.description ?? "")"
      }
    }
    let line = ([id.map { "[\($0)]" }, message] + facts).compactMap(\.self).joined(separator: " ").escapedForTerminal
    if level >= .warning {
      console.warn(line)
    } else {
      console.detail("\(level.rawValue): \(line)")
    }
  }
}
