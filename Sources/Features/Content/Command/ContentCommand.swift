import CommandLineTool
import CommandRuntime
import ContentClient
import ContentServices
import Contracts
import ExtensionProtocol
import JSON

/// `host content`: AEM content from the shell, through the same client and cache as extensions use.
enum ContentCommand: HostSubcommand {
  static let section = CommandSection.data

  private static let form = ContentForm.adventures
  private static let refresh = CommandOption.flag("refresh", "Ask AEM even when the cache has an answer")

  static let command = Command(
    "content", summary: "List, show and query AEM content", example: "host content list --limit 3",
    options: [.config, refresh],
    subcommands: [
      Command(
        "list", summary: "List \(form.plural)", example: "host content list --limit 3 --sort \"price DESC\"",
        options: [
          .value("limit", "N", "At most this many"), .value("offset", "N", "Skip this many at the beginning"),
          .value("sort", "ORDER", "For example “price DESC, title ASC”"),
        ]),
      Command(
        "show", summary: "Show one \(form.model): its fields and texts; with --json, AEM's own answer",
        example: "host content show lantern-caves-of-orsk",
        arguments: [CommandArgument("SLUG", "The \(form.model)'s slug")]),
      Command(
        "image", summary: "Fetch the picture of one \(form.model)",
        discussion: """
          Without -o, a terminal that can show pictures shows it. Any other writes it to a file with the \
          \(form.model)'s name.
          """,
        example: "host content image lantern-caves-of-orsk --width 600 -o caves.jpg",
        options: [
          .value("width", "N", "The most pixels"), .value("height", "N", "The most pixels"),
          .value("quality", "N", "From 1 to 100"),
          .value("format", "FORMAT", "One of AEM's formats, for example PNG or WEBP"),
          .value("output", short: "o", "FILE", "The file to write", values: .file),
        ],
        arguments: [CommandArgument("SLUG", "The \(form.model)'s slug")]),
      Command(
        "query", summary: "Run a persisted query and print its data; with --json, errors and status too",
        example: "host content query wknd-shared/adventures-all -v limit=2",
        options: [
          .value(
            "variable", short: "v", "NAME=VALUE", "A variable of the query; NAME:=JSON for what is not text",
            isRepeatable: true)
        ],
        arguments: [CommandArgument("QUERY", "configuration/name")]),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    guard invocation.namesSubcommand() else { return .usage }
    let fetcher = try ContentFetcher(invocation)
    switch parsed.path[1] {
    case "list": return try await list(fetcher, invocation)
    case "show": return try await page(fetcher, parsed).show(invocation)
    case "image": return try await FragmentPicture(page: page(fetcher, parsed)).show(invocation)
    default:
      let result = try await fetcher.result(parsed.argument("QUERY") ?? "", try variables(parsed))
      invocation.printJSON(invocation.wantsJSON ? result.document(["data": result.data]) : result.data)
      return .success
    }
  }

  private static func page(_ fetcher: ContentFetcher, _ parsed: ParsedCommand) -> FragmentPage {
    FragmentPage(parsed.argument("SLUG") ?? "", as: form, fetcher)
  }

  private static func list(_ fetcher: ContentFetcher, _ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    var variables = JSONObject()
    if let offset = try parsed.integer("offset", in: 0...1_000_000) { variables["offset"] = .integer(Int64(offset)) }
    if let limit = try parsed.integer("limit", in: 1...10_000) { variables["limit"] = .integer(Int64(limit)) }
    if let sort = parsed.value("sort") { variables["sort"] = .string(sort) }
    let result = try await fetcher.result(form.listQuery, variables)
    let fragments = try result.fragments(of: form.model)
    if invocation.wantsJSON {
      invocation.printJSON(result.document(["items": .array(fragments)]))
      return .success
    }
    var table = TextTable(form.columns.map(\.column))
    for fragment in fragments where !fragment.isNull {
      table.add(form.columns.map { TextTable.Cell(fragment[$0.member]?.plainText ?? "-") })
    }
    let missing = fragments.count { $0.isNull }
    if missing > 0 { invocation.console.warn("AEM gave nothing in \(missing) place(s) of the list.") }
    invocation.console.print(table)
    return .success
  }

  private static func variables(_ parsed: ParsedCommand) throws(CommandLineError) -> JSONObject {
    var variables = JSONObject()
    for text in parsed.values("variable") {
      let argument: QueryArgument
      do throws(ContentError) { argument = try QueryArgument(text) } catch {
        throw CommandLineError(
          "“\(text.escapedForTerminal)” is not a variable.",
          help: "Write it as -v NAME=VALUE, or -v NAME:=JSON for lists and objects.")
      }
      variables[argument.name] = argument.value
    }
    return variables
  }
}

extension ContentResult {
  /// The fragments of the one field of the answer, all of the same model.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`, for an answer without a list, and for another model.
  func fragments(of model: String) throws(ExtensionError) -> [JSONValue] {
    do throws(ContentError) {
      let root = try root()
      try root.require(model: model)
      return try root.fragments()
    } catch {
      throw ExtensionError(error)
    }
  }

  /// A document with what is known of the answer beside its members.
  func document(_ members: JSONObject) -> JSONValue {
    var members = members
    if let errorsValue { members["errors"] = errorsValue }
    members["httpStatus"] = .integer(Int64(httpStatus))
    members["source"] = .string(source.rawValue)
    members["ageSeconds"] = .integer(Int64(ageSeconds))
    if let staleReason { members["staleReason"] = .string(staleReason) }
    return .object(members)
  }
}

extension JSONValue {
  /// A text or a number for people; `nil` for null, and for what is neither.
  var plainText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .null, .array, .object: nil
    default: description
    }
  }
}
