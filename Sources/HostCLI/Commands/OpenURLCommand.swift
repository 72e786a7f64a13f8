import CommandLineTool
import Contracts
import JSONRPC

/// `host open-url`: hands a URL to the containing app that declares its scheme.
enum OpenURLCommand: HostSubcommand {
  static let command = Command(
    "open-url", summary: "Open a URL in the containing app that declares its scheme",
    example: "host open-url adventures://adventure/lantern-caves-of-orsk", options: [.config],
    arguments: [CommandArgument("URL", "The URL to open")])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let url = invocation.parsed.argument("URL") ?? ""
    let opened = try await HostStack(invocation).open(url)
    if invocation.wantsJSON {
      var object = JSONObject()
      object["id"] = .string(opened.app)
      object["url"] = .string(url)
      object["handled"] = .bool(opened.result.handled)
      if let text = opened.result.presentation { object["presentation"] = .string(text) }
      invocation.printJSON(.object(object))
    } else if let text = opened.result.presentation {
      invocation.console.print(text.escapedForTerminalKeepingLines)
    }
    guard opened.result.handled else {
      if !invocation.wantsJSON {
        invocation.console.fail("\(opened.app) does not know the URL \(url).", help: "Check the part after the scheme.")
      }
      return .failure
    }
    return .success
  }
}
