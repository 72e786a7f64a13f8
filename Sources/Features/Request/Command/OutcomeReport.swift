import Activation
import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import HostServices
import JSON

/// The result of a share or an action, as text or as JSON.
struct OutcomeReport {
  let entry: RegistryEntry
  let outcome: RequestService.Outcome
  /// One sentence for each returned attachment that was dropped.
  var warnings: [String] = []

  /// Writes what was returned to the file of `-o`, or prints it; with `--json` both.
  ///
  /// - Parameter late: the values that did not travel with the items.
  func deliver(_ late: LateAttachments, types: TypeGraph, to invocation: Invocation) throws -> ExitStatus {
    guard let path = invocation.parsed.value("output"), case .completed(let items) = outcome else {
      return try print(to: invocation)
    }
    try OutputFile.write(ReturnedFile(entry: entry, items: items, late: late, types: types).bytes(), to: path)
    if !invocation.wantsJSON { for warning in warnings { invocation.console.warn("\(warning)") } }
    invocation.console.note("Wrote \(path).")
    return invocation.wantsJSON ? try print(to: invocation) : .success
  }

  private func print(to invocation: Invocation) throws -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(try document)
      return status
    }
    let console = invocation.console
    for warning in warnings { console.warn("\(warning)") }
    switch outcome {
    case .completed(let items):
      console.note("\(entry.displayName) (\(entry.identifier)) completed with \(items.count) item(s).")
      for item in items { print(item, to: console) }
    case .cancelled(let failure):
      let why = failure.localizedDescription ?? "\(failure.domain) \(failure.code)"
      console.fail("\(entry.displayName) cancelled the request: \(why)", help: "Pass something else, or try again.")
    }
    return status
  }

  private var status: ExitStatus { if case .completed = outcome { .success } else { .failure } }

  private func print(_ item: ExtensionItem, to console: Console) {
    if let title = item.attributedTitle { console.print(console.terminal.styled("\(title)", .bold)) }
    if let text = item.attributedContentText, !text.isEmpty { console.print(ShownText(lines: text)) }
    for attachment in item.attachments {
      let type = attachment.registeredTypeIdentifiers.first ?? "unknown type"
      if let arguments = attachment.propertyList?[PageResults.finalizeKey] {
        console.print(json: ShownText(json: JSONCoding.prettyText(of: arguments)))
      } else if let inline = attachment.inline, inline.encoding == nil {
        console.print(ShownText(lines: inline.value))
      } else {
        console.print("(\(type), \(attachment.estimatedSize ?? 0) bytes)")
      }
    }
  }

  private var document: JSONValue {
    get throws {
      var object = JSONObject()
      object["id"] = .string(entry.identifier)
      switch outcome {
      case .completed(let items):
        object["outcome"] = .string("completed")
        object["items"] = try JSONCoding.value(of: items)
        if let arguments = items.finalizeArguments { object["finalizeArguments"] = .object(arguments) }
      case .cancelled(let failure):
        object["outcome"] = .string("cancelled")
        object["items"] = .array([])
        object["error"] = try JSONCoding.value(of: failure)
      }
      if !warnings.isEmpty { object["warnings"] = .array(warnings.map { .string($0) }) }
      return .object(object)
    }
  }
}
