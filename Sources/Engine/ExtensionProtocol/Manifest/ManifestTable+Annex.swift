import PropertyList

/// The dictionary `Annex`, and the limits in it.
extension ManifestTable {
  /// The keys of `Annex`.
  package static let annex = [
    key(
      "Auth", "array of dictionaries",
      "Access tokens of the user's that the extension wants, once the user agrees: which scopes, and which servers.",
      default: "none", [["Scopes": ["api://notes/Notes.Read"], "Servers": ["api.example.com"]]]),
    key(
      "Content", "array of strings",
      "Persisted queries that an extension with the entitlement `content` may run: `configuration/query`, or "
        + "`configuration/*` for all of a configuration.", default: "every query", ["wknd-shared/adventures-all"]),
    key(
      "DataConnect", "array of strings",
      "Connectors of Data Connect that the extension may ask through the host, once the user agrees: `service/connector`, "
        + "or `service/connector:read` for queries alone.", default: "none", ["movies/default:read"]),
    key(
      "Entitlements", "array of strings",
      "Features that need no consent but have to be named (`content`), by their method prefixes; and `jit`, to run code "
        + "that is made at run time, which the user has to allow.", default: "none", ["content"]),
    key(
      "ExtensionSafe", "array of strings",
      "Shared libraries of the bundle, or folders of them, whose makers call them safe for use in extensions. `host verify` "
        + "refuses others.", default: "none", ["Frameworks/libnotes.so"]),
    key(
      "Framing", "string", "How messages are told apart: `lines`, one a line, or `content-length`, with headers.",
      default: "`lines`", "content-length"),
    key(
      "Identity", "dictionary", "Where the users of a containing app, and of its extensions, sign in.",
      default: "what the host is configured for", ["Authority": "https://login.example.com", "ClientID": "notes"]),
    key(
      "Interpreter", "string",
      "The program that runs `CFBundleExecutable` as a script: an absolute path, or a path below the bundle "
        + "(`venv/bin/python3`), which may be a link to an installed one. The extension reads the interpreter and its "
        + "library, and its own bundle.", default: "none: the executable is a program", "/usr/bin/python3"),
    key(
      "InterpreterArguments", "array of strings",
      "What the interpreter is told before the script: `-u` for Python, `--jitless` for Node, which otherwise needs the "
        + "entitlement `jit`.", default: "none", ["-u"]),
    key(
      "Limits", "dictionary", "Ceilings that the extension sets itself.", default: "those of the point",
      ["MemoryMiB": 24]),
    key(
      "Network", "array of strings",
      "Servers that the extension may ask through the host, once the user agrees: `[scheme://]host[:port]`, where the host "
        + "may begin with `*.` and the port be `*`.", default: "none", ["api.example.com"]),
    key(
      "Products", "string",
      "For a loose manifest: the folder of built products in which `CFBundleExecutable` is, below the manifest's folder, "
        + "or `../.build/…` for a program of the Swift package that the manifest is in, or one that the user names in "
        + "`ANNEX_PRODUCTS`. Nothing else of the folder can be read but libraries that the program is linked with.",
      default: "beside the manifest, `../Plugins`, and the host's own folder", "../.build/debug"),
  ]

  /// `Annex.Limits`. Each lowers a ceiling and raises none.
  package static let limits = limitPlaces.map(\.key)

  static let limitPlaces: [(key: ManifestKey, place: any WritableKeyPath<Manifest.Limits, Int?> & Sendable)] = [
    (limit("CPUSeconds", "Processor time of one request, in seconds.", 5), \.cpuSeconds),
    (limit("ContainerFiles", "Files and folders in the container.", 100), \.containerFiles),
    (limit("ContainerMiB", "The size of the container, in MiB.", 8), \.containerMiB),
    (limit("Descriptors", "Open file descriptors.", 32), \.descriptors),
    (limit("FileMiB", "The size of one file, in MiB.", 1), \.fileMiB),
    (limit("MemoryMiB", "Memory, in MiB.", 24), \.memoryMiB),
    (limit("Threads", "Threads at one time.", 4), \.threads),
  ]

  private static func key(
    _ name: String, _ form: String, _ summary: String, default standard: String, _ example: PropertyListValue
  ) -> ManifestKey {
    ManifestKey(name, .any, in: .elsewhere).described(summary, as: form, default: standard, example: example)
  }

  private static func limit(_ name: String, _ summary: String, _ example: Int64) -> ManifestKey {
    key(name, "integer", summary, default: "that of the point", .integer(example))
  }
}
