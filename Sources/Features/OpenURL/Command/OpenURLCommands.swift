import CommandLineTool
package import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// Opening URLs in the tool.
package enum OpenURLCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [OpenURLCommand.self]
}

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
      invocation.console.print(ShownText(lines: text))
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

extension HostStack {
  /// Opens a URL in the app that declares its scheme.
  ///
  /// - Parameter entry: the extension that opens the URL, which may open those of its own app; `nil` for the user.
  func open(
    _ url: String, from entry: RegistryEntry? = nil
  ) async throws -> (app: String, result: OpenURL.Deliver.Result) {
    guard let scheme = URLScheme.of(url) else {
      throw ExtensionError(
        .invalidParams, "“\(url)” is not a URL.", recovery: "Write it with its scheme, for example adventures://….")
    }
    guard let app = registry.app(forScheme: scheme) else {
      let known = registry.apps.flatMap { $0.manifest?.urlSchemes ?? [] }
      let list = known.isEmpty ? "No app declares one." : "Known schemes: \(known.joined(separator: ", "))."
      throw ExtensionError(.schemeUnregistered, "No containing app declares the scheme “\(scheme)”.", recovery: list)
    }
    var source = OpenURL.Deliver.Source()
    if let entry {
      guard app.identifier == entry.containingApp else {
        throw ExtensionError(
          .permissionDenied, "\(entry.displayName) may not open “\(scheme)” URLs, which belong to \(app.displayName).",
          recovery: "An extension opens URLs of its own containing app only; open this one with \"host open-url\".")
      }
      source = OpenURL.Deliver.Source(bundleID: entry.identifier, point: entry.point)
    }
    return (app.identifier, try await host.deliver(url, to: app.identifier, source: source))
  }
}
