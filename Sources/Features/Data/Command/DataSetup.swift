import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectGenerator
import ExtensionProtocol
import Files
import JSON
import Text

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

  func run() async throws -> ExitStatus {
    let folder = (invocation.parsed.value("dir") ?? ".").plainPath
    guard Folder.isFolder(folder) else {
      throw Failure(
        ExtensionError(.invalidParams, "There is no folder “\(folder)”.", recovery: "Check --dir."), status: .noInput)
    }
    var outcome = Outcome()
    do throws(FileError) {
      if ServiceFolders.search(folder).isEmpty { try begin(below: folder, &outcome) }
      let services = ServiceFolders.search(folder)
      var names = Set(services.flatMap(Self.packages))
      for service in services { try writeConnectors(of: service, &names, &outcome) }
    } catch {
      throw Failure(
        ExtensionError(.storeFailed, error.message, recovery: error.recovery ?? "Check who may write there."),
        status: .cannotCreate)
    }
    let compiled = try CompiledServices(folder, service: invocation.parsed.value("service"))
    if !invocation.wantsJSON { compiled.problems.tell(invocation.console) }
    let packages = try generate(compiled, &outcome)
    let isChosen = try await addDependencies(packages, below: folder, &outcome)
    tell(outcome, compiled)
    return compiled.hasErrors ? .dataError : isChosen ? .success : .usage
  }

  // MARK: The service

  private func begin(below folder: String, _ outcome: inout Outcome) throws(FileError) {
    let named = ServiceFolders.named(in: folder).first
    let service = named ?? (folder == "." ? "dataconnect" : "\(folder)/dataconnect")
    for file in StarterService.files {
      guard FileStatus("\(service)/\(file.path)") == nil else { continue }
      try GeneratedPackage.put(file.text, at: file.path, in: service)
      outcome.written.append("\(service)/\(file.path)")
    }
  }

  /// The names of the Swift packages that a service asks for.
  private static func packages(of folder: String) -> [String] {
    DataConnectProject.read(folder).project?.connectors.flatMap { $0.configuration.swiftPackages.map(\.package) } ?? []
  }

  /// Has every connector of a service ask for a Swift package, where it does not.
  private func writeConnectors(
    of folder: String, _ names: inout Set<String>, _ outcome: inout Outcome
  ) throws(FileError) {
    guard let project = DataConnectProject.read(folder).project else { return }
    let service = project.configuration.serviceID
    for directory in project.configuration.connectorDirectories {
      let path = Folder.path(directory, in: folder).plainPath
      let file = "\(path)/connector.yaml"
      // Beside the folders of the connectors, and below that of the service.
      let output = ServicePath.absolute(path) == ServicePath.absolute(folder) ? "./generated" : "../generated"
      let known = project.connectors.first { ServicePath.absolute($0.folder) == ServicePath.absolute(path) }
      if FileStatus(file) == nil {
        let id = StarterService.connectorID(Folder.name(of: path))
        let package = Self.take(id, service, &names)
        try GeneratedPackage.put(StarterService.connector(id, output, package), at: "connector.yaml", in: path)
        outcome.written.append(file)
      } else if let known, known.configuration.swiftPackages.isEmpty {
        let package = Self.take(known.configuration.connectorID, service, &names)
        let before = try File.read(file, limit: 1 << 20)
        if let text = ConnectorText.adding(outputDirectory: output, package: package, to: before) {
          try GeneratedPackage.put(String(decoding: text, as: UTF8.self), at: "connector.yaml", in: path)
          outcome.changed.append(file)
        } else {
          outcome.left.append(
            "Write generate: {swiftSdk: {outputDir: \(output), package: \(package)}} into \(file).")
        }
      }
    }
  }

  /// A name for a package that no other of the project has.
  private static func take(_ connector: String, _ service: String, _ names: inout Set<String>) -> String {
    let short = StarterService.package(connector)
    var name = names.contains(short) ? StarterService.package("\(service)-\(connector)") : short
    var number = 2
    while names.contains(name) {
      name = StarterService.package("\(service)-\(connector)-\(number)")
      number += 1
    }
    names.insert(name)
    return name
  }

  /// - Returns: the folders of the generated packages, which have to be there before anything can depend on them.
  private func generate(_ compiled: CompiledServices, _ outcome: inout Outcome) throws -> [String] {
    if compiled.hasErrors { return [] }
    var folders: [String] = []
    for project in compiled.projects {
      for connector in project.connectors {
        for generation in connector.configuration.swiftPackages {
          let generator = annex.generator(project, connector, generation)
          let folder = generator.folder.plainPath
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

  /// - Returns: whether the package that uses what is generated is known, or there is none.
  private func addDependencies(
    _ packages: [String], below folder: String, _ outcome: inout Outcome
  ) async throws -> Bool {
    if packages.isEmpty { return true }
    let excluded = Set(packages.map(ServicePath.absolute) + [annex.folder].compactMap(\.self))
    let users = try SwiftPackages(invocation, at: folder, excluding: excluded).folders
    if users.isEmpty {
      outcome.left.append(
        "Depend on the generated package in your own Package.swift, or name its folder with --package.")
      return true
    }
    guard let user = try await choose(users, packages) else {
      let names = users.joined(separator: ", ")
      outcome.left.append("Choose the Swift package that uses the service with --package: there are \(names).")
      return false
    }
    try add(packages, to: user == "." ? "Package.swift" : "\(user)/Package.swift", in: user, &outcome)
    return true
  }

  /// The only package; else one that uses what is generated already; else the one that the user chooses.
  private func choose(_ users: [String], _ packages: [String]) async throws -> String? {
    if users.count == 1 { return users[0] }
    let known = users.first { user in
      guard let text = try? File.read("\(user)/Package.swift", limit: 1 << 20) else { return false }
      return packages.contains { GeneratedDependency($0, for: user).isIn(text).package }
    }
    if let known { return known }
    guard Dialogue.isPossible(invocation) else { return nil }
    for (index, user) in users.enumerated() { invocation.console.note("\(index + 1)  \(user)") }
    return try await Dialogue.with(invocation) { dialogue in
      try await dialogue.choose("Which Swift package uses the service?", among: users.count).map { users[$0] }
    }
  }

  private func add(
    _ packages: [String], to file: String, in user: String, _ outcome: inout Outcome
  ) throws {
    let before = try InputFile.read(file, limit: 1 << 20)
    var manifest = SwiftManifestText(before)
    let target = invocation.parsed.value("target")
    for package in packages {
      let wanted = GeneratedDependency(package, for: user)
      let has = wanted.isIn(manifest.bytes)
      let added = manifest.add(
        dependency: has.package ? nil : wanted.dependency, product: has.target ? nil : wanted.product, target: target)
      if !added.package {
        outcome.left.append("Add \(wanted.dependency) to the dependencies of the package in \(file).")
      }
      if !added.target {
        outcome.left.append(
          "Name the target that uses it with --target, or add \(wanted.product) to its dependencies in \(file).")
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
    if outcome.written.isEmpty, outcome.changed.isEmpty, outcome.left.isEmpty {
      invocation.console.print("Everything was there already.")
    }
    for advice in outcome.left { invocation.console.note("\(advice)") }
  }
}
