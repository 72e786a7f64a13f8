import CommandLineTool
import DataConnectCompiler
import DataConnectGenerator
import JSON

extension DataGenerate {
  /// The result of one generation.
  struct Outcome: Sendable {
    struct Package: Sendable {
      let folder: String
      let written: GeneratedPackage.Outcome
    }

    var problems: [CompilerProblem]
    /// The folders of the services that were generated from.
    var folders: [String]
    var packages: [Package] = []

    var hasErrors: Bool { problems.contains { $0.severity == .error } }
    var hasChanged: Bool { packages.contains { !$0.written.written.isEmpty || !$0.written.removed.isEmpty } }

    func tell(_ console: Console) {
      problems.tell(console)
      for package in packages {
        for file in package.written.written { console.detail("+ \(package.folder)/\(file)") }
        for file in package.written.removed { console.detail("- \(package.folder)/\(file)") }
        let count = package.written.written.count
        console.print(
          count == 0 && package.written.removed.isEmpty
            ? "\(package.folder): unchanged" : "\(package.folder): \(count) \(count == 1 ? "file" : "files") written")
      }
    }

    var document: JSONObject {
      func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
      let packages = packages.map { package -> JSONValue in
        [
          "folder": .string(package.folder), "written": list(package.written.written),
          "unchanged": list(package.written.unchanged), "removed": list(package.written.removed),
        ]
      }
      return ["packages": .array(packages), "problems": problems.document]
    }
  }
}
