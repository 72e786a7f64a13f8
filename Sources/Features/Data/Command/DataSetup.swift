import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectGenerator
import ExtensionProtocol
import Files
import JSON

/// `host data init`.
struct DataSetup {
  private let invocation: Invocation
  private let annex: AnnexPlace

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    annex = try AnnexPlace(invocation)
  }

  /// The written files, by path, and the steps that are left to the developer.
  private struct Outcome {
    var written: [String] = []
    var changed: [String] = []
    var left: [String] = []
  }

  func run() throws -> ExitStatus {
    let folder = ServicePath.plain(invocation.parsed.value("dir") ?? ".")
    guard Folder.isFolder(folder) else {
      throw Failure(
        ExtensionError(.invalidParams, "There is no folder “\(folder)”.", recovery: "Check --dir."), status: .noInput)
    }
    var outcome = Outcome()
    do throws(FileError) {
      if ServiceFolders.search(folder).isEmpty { try begin(below: folder, &outcome) }
      for service in ServiceFolders.search(folder) { try writeConnectors(of: service, &outcome) }
    } catch {
      throw Failure(
        ExtensionError(.storeFailed, error.message, recovery: error.recovery ?? "Check who may write there."),
        status: .cannotCreate)
    }
    let compiled = try CompiledServices(folder, service: invocation.parsed.value("service"))
    if !invocation.wantsJSON { compiled.problems.tell(invocation.console) }
    let packages = try generate(compiled, &outcome)
    try addDependencies(packages, below: folder, &outcome)
    tell(outcome, compiled)
    return compiled.hasErrors ? .dataError : .success
  }

  // MARK: The service

  private func begin(below folder: String, _ outcome: inout Outcome) throws(FileError) {
    let service = folder == "." ? "dataconnect" : "\(folder)/dataconnect"
    for file in StarterService.files {
      guard FileStatus("\(service)/\(file.path)") == nil else { continue }
      try GeneratedPackage.put(file.text, at: file.path, in: service)
      outcome.written.append("\(service)/\(file.path)")
    }
  }

  private func writeConnectors(of folder: String, _ outcome: inout Outcome) throws(FileError) {
    guard let project = DataConnectProject.read(folder).project else { return }
    for directory in project.configuration.connectorDirectories {
      let path = ServicePath.plain(directory.hasPrefix("/") ? directory : "\(folder)/\(directory)")
      guard FileStatus("\(path)/connector.yaml") == nil else { continue }
      let text = StarterService.connector(StarterService.connectorID(Folder.name(of: path)))
      try GeneratedPackage.put(text, at: "connector.yaml", in: path)
      outcome.written.append("\(path)/connector.yaml")
    }
    let silent = project.connectors.filter(\.configuration.swiftPackages.isEmpty)
    outcome.left += silent.map {
      "Write generate: {swiftSdk: {outputDir: ../generated, package: Name}} into \($0.folder)/connector.yaml."
    }
  }

  /// - Returns: the folders of the generated packages, which have to be there before anything can depend on them.
  private func generate(_ compiled: CompiledServices, _ outcome: inout Outcome) throws -> [String] {
    if compiled.hasErrors { return [] }
    var folders: [String] = []
    for project in compiled.projects {
      for connector in project.connectors {
        for generation in connector.configuration.swiftPackages {
          let generator = annex.generator(project, connector, generation)
          let folder = ServicePath.plain(generator.folder)
          do throws(FileError) {
            let written = try GeneratedPackage.write(generator.files, to: folder)
            outcome.written += written.written.map { "\(folder)/\($0)" }
          } catch {
            throw Failure(ExtensionError(.storeFailed, error.message, recovery: error.recovery), status: .cannotCreate)
          }
          folders.append(folder)
        }
      }
    }
    return folders
  }

  // MARK: Those that use it

  private func addDependencies(_ packages: [String], below folder: String, _ outcome: inout Outcome) throws {
    let generated = Set(packages.map(ServicePath.absolute))
    let isPackage = { (path: String) in
      FileStatus("\(path)/Package.swift", followsLink: true)?.kind == .regular
        && FileStatus("\(path)/.dataconnect-generated") == nil && !generated.contains(ServicePath.absolute(path))
    }
    let found = isPackage(folder) ? [folder] : ServiceFolders.below(folder, where: isPackage)
    for user in found {
      let file = user == "." ? "Package.swift" : "\(user)/Package.swift"
      try add(packages, to: file, in: user, &outcome)
    }
    if found.isEmpty, !packages.isEmpty {
      outcome.left.append("Depend on the generated package in your own Package.swift: there is none here.")
    }
  }

  private func add(
    _ packages: [String], to file: String, in user: String, _ outcome: inout Outcome
  ) throws {
    let before = try InputFile.read(file, limit: 1 << 20)
    var manifest = SwiftManifestText(before)
    for package in packages {
      let name = Folder.name(of: package)
      let path = ServicePath.relative(ServicePath.absolute(package), to: ServicePath.absolute(user))
      let dependency = ".package(path: \(SwiftName.literal(path)))"
      let product = ".product(name: \(SwiftName.literal(name)), package: \(SwiftName.literal(name)))"
      if String(decoding: manifest.bytes, as: UTF8.self).contains(dependency) { continue }
      let added = manifest.add(dependency: dependency, product: product)
      if !added.package { outcome.left.append("Add \(dependency) to the dependencies of the package in \(file).") }
      if !added.target {
        outcome.left.append("Add \(product) to the dependencies of the targets in \(file) that use it.")
      }
    }
    if manifest.bytes == before { return }
    try OutputFile.write(manifest.bytes, to: file)
    outcome.changed.append(file)
  }

  // MARK: -

  private func tell(_ outcome: Outcome, _ compiled: CompiledServices) {
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    if invocation.wantsJSON {
      return invocation.printJSON([
        "written": list(outcome.written), "changed": list(outcome.changed), "left": list(outcome.left),
        "problems": compiled.problems.document,
      ])
    }
    for path in outcome.written { invocation.console.print("+ \(path)") }
    for path in outcome.changed { invocation.console.print("changed \(path)") }
    if outcome.written.isEmpty, outcome.changed.isEmpty { invocation.console.print("Everything was there already.") }
    for advice in outcome.left { invocation.console.note("\(advice)") }
  }
}
