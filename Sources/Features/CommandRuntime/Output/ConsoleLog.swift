package import CommandLineTool
package import ExtensionProtocol
package import JSON

/// The host's log on standard error: warnings always, the rest for `--verbose`. What extensions print is shown as it is.
package struct ConsoleLog: LogSink {
  private let console: Console

  package init(_ console: Console) { self.console = console }

  package func log(_ entry: LogEntry) {
    guard let (id, line) = entry.printed else { return log(entry.level, entry.message, metadata: entry.metadata) }
    console.printed(line, by: id)
  }

  package func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    let entry = LogEntry(level, message, metadata: metadata)
    let name: [String] = entry.subject.map { ["[\($0)]"] } ?? []
    let line: ShownText = "\((name + [entry.text]).joined(separator: " "))"
    if level >= .warning {
      console.warn(line)
    } else {
      console.detail("\(level.rawValue): \(line)")
    }
  }
}

extension LogEntry {
  /// The extension that the line is about.
  var subject: String? {
    if case .string(let id)? = metadata["extension.id"] { id } else { nil }
  }

  /// A line that an extension wrote to standard error, and which.
  var printed: (id: String, line: String)? {
    guard label == .extension, message == "stderr", let subject, case .string(let line)? = metadata["line"] else {
      return nil
    }
    return (subject, line)
  }

  /// The message and the facts, on one line and without secrets.
  var text: String {
    let facts = metadata.keys.sorted().filter { $0 != "extension.id" }.map { key in
      if case .string(let text)? = metadata[key] {
        "\(key)=\(Secrets.redacted(text))"
      } else {
        "\(key)=\(metadata[key]?.description ?? "")"
      }
    }
    return ([Secrets.redacted(message)] + facts).joined(separator: " ")
  }
}
