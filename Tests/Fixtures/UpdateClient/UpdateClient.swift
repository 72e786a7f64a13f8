import Files
import Glibc
import HTTP
import HTTPClient
import Time
import UpdateMetadata

/// A client of The Update Framework with the command line that its conformance suite starts: `init`, `refresh`, `download`.
/// Everything is done by `UpdateWorkflow`; this only fetches and keeps. `--time` is the present, in seconds since 1970: the
/// suite starts clients under `faketime`, which takes the arguments of a Swift program away, so a script passes the time on:
/// `exec env -u LD_PRELOAD UpdateClient --time "$(date +%s)" "$@"`.
@main struct UpdateClient {
  private var options: [String: [String]] = [:]
  private var words: [String] = []
  private let client = HTTPClient()

  static func main() async {
    do {
      try await UpdateClient(Array(CommandLine.arguments.dropFirst())).run()
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        words.append(word)
        continue
      }
      options[word, default: []].append(rest.popFirst() ?? "")
    }
  }

  private func option(_ name: String) -> String { options[name]?.first ?? "" }

  private func run() async throws {
    let folder = option("--metadata-dir")
    switch words.first {
    case "init":
      try File.replace("\(folder)/root.json", with: try File.read(words[1], limit: MetadataLimits.root))
    case "refresh":
      var workflow = try workflow(folder)
      _ = try await finish(&workflow)
    case "download":
      var workflow = try workflow(folder)
      for path in options["--target-name"] ?? [] {
        workflow.seek(path)
        guard case .found(let description, let place) = try await finish(&workflow) else { exit(1) }
        try await download(path, description, place)
      }
    default: exit(64)
    }
  }

  private func workflow(_ folder: String) throws -> UpdateWorkflow {
    var kept: [String: [UInt8]] = [:]
    for name in Folder.names(in: folder, endingIn: ".json") {
      kept[name] = try File.read("\(folder)/\(name)", limit: 8 << 20)
    }
    let time = Int64(option("--time")) ?? UnixTime.now.seconds
    return try UpdateWorkflow(root: kept["root.json"] ?? [], kept: kept, at: time)
  }

  private func finish(_ workflow: inout UpdateWorkflow) async throws -> UpdateWorkflow.Step {
    while true {
      let step = try workflow.step()
      guard case .fetch(let request) = step else { return step }
      let bytes = try await fetch("\(option("--metadata-url").trimmed)/\(request.name)", request.limit)
      for file in try workflow.receive(bytes) {
        try File.replace("\(option("--metadata-dir"))/\(file.name)", with: file.bytes)
      }
    }
  }

  private func download(_ path: String, _ description: FileDescription, _ place: String) async throws {
    let file = "\(option("--target-dir"))/\(PercentEncoding.encoded(path))"
    if let there = try? File.read(file, limit: 64 << 20), (try? description.require(there, file: path)) != nil {
      return
    }
    let url = "\(option("--target-base-url").trimmed)/\(place)"
    guard let bytes = try await fetch(url, description.length ?? 0) else {
      throw MetadataError(.missing, path, "There is no \(path).")
    }
    try description.require(bytes, file: path)
    try File.replace(file, with: bytes)
  }

  /// - Returns: `nil` for a file that is not there.
  private func fetch(_ url: String, _ limit: Int) async throws -> [UInt8]? {
    let response = try await client.send(HTTPRequest("GET", url, maximumBodyBytes: limit))
    switch response.status {
    case 200: return response.body
    case 403, 404: return nil
    default: throw HTTPError(.invalidResponse, "The server answers \(response.status).", url: url)
    }
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix("/") ? String(dropLast()) : self }
}
