import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Files
import JSON
import Text

/// Finds the services of Data Connect that a command line means.
enum ServiceFolders {
  private static let depth = 5
  private static let limit = 64
  private static let mostFolders = 20_000
  /// Folders with what others have made, which may be large.
  private static let passedOver: Set<String> = ["node_modules", "Pods", "build", "Carthage", "DerivedData"]

  /// The folders with `dataconnect.yaml`: the folder itself, else what `firebase.json` names, else those below it.
  ///
  /// - Throws: `Failure` with the status 66 when there is none.
  static func find(_ folder: String) throws(Failure) -> [String] {
    let found = search(folder)
    if !found.isEmpty { return found }
    guard Folder.isFolder(folder) else {
      throw Failure(
        ExtensionError(
          .invalidParams, "There is no folder “\(folder)”.", recovery: "Check --dir.",
          details: ["path": .string(folder)]), status: .noInput)
    }
    throw Failure(
      ExtensionError(
        .invalidParams, "There is no dataconnect.yaml in “\(folder)” and below it.",
        recovery: "Name the folder of the service with --dir, or begin one: “host data init”.",
        details: ["path": .string(folder)]), status: .noInput)
  }

  /// Returns the folders of services below a folder; empty when there is none.
  static func search(_ folder: String) -> [String] {
    if isService(folder) { return [folder] }
    let named = named(in: folder).filter(isService)
    if !named.isEmpty { return named }
    return below(folder) { isService($0) }
  }

  /// The folders below one that pass, those in them left out; sorted.
  static func below(_ folder: String, where passes: (String) -> Bool) -> [String] {
    var found: [String] = []
    var count = 0
    func look(_ folder: String, _ depth: Int) {
      for name in Folder.names(in: folder).sorted() where !name.hasPrefix(".") && !passedOver.contains(name) {
        count += 1
        if count > mostFolders || found.count >= limit { return }
        let path = folder == "." ? name : "\(folder)/\(name)"
        // Links are not followed, as they may lead back.
        guard FileStatus(path)?.kind == .directory else { continue }
        if passes(path) { found.append(path) } else if depth > 1 { look(path, depth - 1) }
      }
    }
    look(folder, depth)
    return found
  }

  private static func isService(_ folder: String) -> Bool {
    FileStatus("\(folder)/dataconnect.yaml", followsLink: true)?.kind == .regular
  }

  /// Returns the folders in `dataconnect.source` of a `firebase.json`, which is one text or a list.
  static func named(in folder: String) -> [String] {
    guard let bytes = try? File.read("\(folder)/firebase.json", limit: 1 << 20),
      let file = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)), let entry = file["dataconnect"]
    else { return [] }
    return (entry.arrayValue ?? [entry]).compactMap { $0["source"]?.stringValue }.map { source in
      let path = source.hasPrefix("./") ? String(source.dropFirst(2)) : source
      if path.isEmpty || path == "." { return folder }
      return Folder.path(path, in: folder)
    }
  }
}
