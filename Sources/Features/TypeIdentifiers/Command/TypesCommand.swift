import Activation
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import Files
import Glibc
import JSON

/// `host types`: the types of files, what they conform to, and every type that is known.
enum TypesCommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "types", summary: "Show the types of files, or the types that are known",
    discussion: """
      Without FILE the command lists every type; with --conforms-to, only those that conform to UTI. With FILE and \
      --conforms-to, the exit status is 1 when the type of a file does not conform.
      """,
    example: "host types photo.jpg --conforms-to public.image",
    options: [.value("conforms-to", "UTI", "Check whether the types conform to this one")],
    arguments: [CommandArgument("FILE", "Files, folders or type identifiers", .any, values: .file)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let types = try invocation.registry().types
    let wanted = invocation.parsed.value("conforms-to")
    if let wanted, !types.knows(wanted) {
      throw CommandLineError(
        "No type is called “\(wanted.escapedForTerminal)”.",
        help: didYouMean(nearMisses(of: wanted, in: types.identifiers)) ?? "Run “host types” to see all.")
    }
    let names = invocation.parsed.arguments("FILE")
    if names.isEmpty { return list(wanted.map(types.types(conformingTo:)) ?? types.identifiers, types, invocation) }
    let found = try names.map { ($0, try type(of: $0, types)) }
    let verdicts = found.map { _, type in wanted.map { types.conforms(type, to: $0) } }
    if invocation.wantsJSON {
      invocation.printJSON(
        .array(
          zip(found, verdicts).map { pair, conforms in
            var object = JSONObject()
            object["file"] = .string(pair.0)
            for (key, value) in document(pair.1, types) { object[key] = value }
            if let conforms { object["conforms"] = .bool(conforms) }
            return .object(object)
          }))
    } else {
      for ((name, type), conforms) in zip(found, verdicts) {
        let mark = conforms.map { $0 ? "+ " : "- " } ?? ""
        let chain = types.ancestors(of: type).joined(separator: " < ")
        invocation.console.print("\(mark)\(name): \(chain)")
      }
    }
    return verdicts.contains(false) ? .failure : .success
  }

  /// The type of a file by its name and content; what is no file may be a type's identifier.
  private static func type(of name: String, _ types: TypeGraph) throws -> String {
    var status = stat()
    if stat(name, &status) != 0 {
      if let type = types.spelling(of: name) { return type }
      throw InputError(message: "Cannot read \(name): \(SystemError.last).")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return try InputFile.types(ofFileAt: name, types)[0] }
    let byName = types.type(forFileNamed: name)
    return types.conforms(byName, to: "public.directory") ? byName : "public.folder"
  }

  private static func list(_ identifiers: [String], _ types: TypeGraph, _ invocation: Invocation) -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(.array(identifiers.map { .object(document($0, types)) }))
      return .success
    }
    var table = TextTable([.init("TYPE"), .init("CONFORMS TO"), .init("EXTENSIONS"), .init("MIME TYPES")])
    for identifier in identifiers {
      table.add([
        .init(identifier), .init(types.parents(of: identifier).joined(separator: ", ")),
        .init(types.filenameExtensions(of: identifier).joined(separator: ", ")),
        .init(types.mimeTypes(of: identifier).joined(separator: ", ")),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  private static func document(_ type: String, _ types: TypeGraph) -> JSONObject {
    var object = JSONObject()
    object["type"] = .string(type)
    object["conformsTo"] = .array(types.ancestors(of: type).dropFirst().map { .string($0) })
    object["filenameExtensions"] = .array(types.filenameExtensions(of: type).map { .string($0) })
    object["mimeTypes"] = .array(types.mimeTypes(of: type).map { .string($0) })
    return object
  }
}
