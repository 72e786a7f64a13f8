package import CommandLineTool
package import ExtensionProtocol
package import JSON

/// The host's log on standard error: warnings always, the rest for `--verbose`.
package struct ConsoleLog: LogSink {
  private let console: Console

  package init(_ console: Console) { self.console = console }

  package func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    let id = metadata["extension.id"].flatMap { if case .string(let id) = $0 { id } else { nil } }
    let facts = metadata.keys.sorted().filter { $0 != "extension.id" }.map { key -> ShownText in
      if case .string(let text) = metadata[key] {
        "\(key)=\(Secrets.redacted(text))"
      } else {
        "\(key)=\(metadata[key]?.description ?? "")"
      }
    }
    let name: [ShownText] = id.map { ["[\($0)]"] } ?? []
    let line = (name + ["\(Secrets.redacted(message))"] + facts).joined(separator: " ")
    if level >= .warning {
      console.warn(line)
    } else {
      console.detail("\(level.rawValue): \(line)")
    }
  }
}
