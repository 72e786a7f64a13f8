import CommandLineTool
import Contracts
import ExtensionProtocol
import HostCLI
import JSONRPC

/// `host content`: AEM content from the shell, through the same client and cache as extensions use.
enum ContentCommand: HostSubcommand {
  static let section = CommandSection.data

  private static let refresh = CommandOption.flag("refresh", "Ask AEM again, whatever the cache holds")

  static let command = Command(
    "content", summary: "List, show and query AEM content", example: "host content list --limit 3",
    options: [.config, refresh],
    subcommands: [
      Command(
        "list", summary: "List adventures", example: "host content list --limit 3 --sort \"price DESC\"",
        options: [
          .value("limit", "N", "At most this many"), .value("offset", "N", "Leave out this many at the beginning"),
          .value("sort", "ORDER", "For example “price DESC, title ASC”"),
        ]),
      Command(
        "show", summary: "Show one adventure as AEM has it", example: "host content show lantern-caves-of-orsk",
        arguments: [CommandArgument("SLUG", "The adventure's slug")]),
      Command(
        "query", summary: "Run a persisted query and print its data",
        example: "host content query wknd-shared/adventures-all -v limit=2",
        options: [.value("variable", short: "v", "NAME=VALUE", "A variable of the query", isRepeatable: true)],
        arguments: [CommandArgument("QUERY", "configuration/name")]),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    guard invocation.namesSubcommand() else { return .usage }
    let fetcher = try ContentFetcher(invocation)
    switch parsed.path[1] {
    case "list": return try await list(fetcher, invocation)
    case "show":
      let slug = parsed.argument("SLUG") ?? ""
      let answer = try await fetcher.fetch("wknd-shared/adventure-by-slug", ["slug": .string(slug)])
      guard let adventure = items(of: answer.data).first else {
        throw ExtensionError(
          .contentFailed, "There is no adventure with the slug “\(slug)”.", recovery: "Run \"host content list\".")
      }
      invocation.printJSON(adventure)
    default:
      let answer = try await fetcher.fetch(parsed.argument("QUERY") ?? "", try variables(parsed))
      invocation.printJSON(answer.data)
    }
    return .success
  }

  private static func list(_ fetcher: ContentFetcher, _ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    var variables = JSONObject()
    if let offset = try parsed.integer("offset", in: 0...1_000_000) { variables["offset"] = .integer(Int64(offset)) }
    if let limit = try parsed.integer("limit", in: 1...10_000) { variables["limit"] = .integer(Int64(limit)) }
    if let sort = parsed.value("sort") { variables["sort"] = .string(sort) }
    let answer = try await fetcher.fetch("wknd-shared/adventures-all", variables)
    let adventures = items(of: answer.data)
    if invocation.wantsJSON {
      invocation.printJSON(.array(adventures))
      return .success
    }
    var table = TextTable([
      .init("SLUG"), .init("TITLE"), .init("ACTIVITY"), .init("TRIP LENGTH"), .init("PRICE", .right),
    ])
    for adventure in adventures {
      let cells = ["slug", "title", "activity", "tripLength"].map { name in
        TextTable.Cell(adventure[name]?.stringValue ?? "-")
      }
      table.add(cells + [.init(adventure["price"].flatMap { $0.isNull ? nil : $0.description } ?? "-")])
    }
    invocation.console.print(table)
    return .success
  }

  /// The items of the one list in an answer, whatever its model is called.
  private static func items(of data: JSONValue) -> [JSONValue] {
    data.objectValue?.first { $0.key.hasSuffix("List") }?.value["items"]?.arrayValue ?? []
  }

  private static func variables(_ parsed: ParsedCommand) throws(CommandLineError) -> JSONObject {
    var variables = JSONObject()
    for text in parsed.values("variable") {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw CommandLineError("“\(text.escapedForTerminal)” is not a variable.", help: "Write it as -v NAME=VALUE.")
      }
      let value = String(text[text.index(after: equals)...])
      variables[String(text[..<equals])] = (try? JSONValue(parsing: value)) ?? .string(value)
    }
    return variables
  }
}
