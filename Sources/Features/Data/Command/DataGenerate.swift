import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectGenerator
import EventLoop
import ExtensionProtocol
import Files
import JSON
import Text

/// `host data generate`: once, or again whenever a file changes.
struct DataGenerate {
  private let invocation: Invocation
  private let annex: AnnexPlace
  private var parsed: ParsedCommand { invocation.parsed }

  /// Several files that are saved together are one change.
  private static let pause = Duration.milliseconds(40)

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    annex = try AnnexPlace(invocation)
  }

  func run() async throws -> ExitStatus {
    if parsed.flag("watch") { return try await invocation.watching { try await watch() } }
    let outcome = try generate()
    if invocation.wantsJSON {
      invocation.printJSON(.object(outcome.document))
    } else {
      outcome.tell(invocation.console)
    }
    return outcome.hasErrors ? .dataError : .success
  }

  // MARK: Once

  private func generate() throws(Failure) -> Outcome {
    let compiled = try CompiledServices(invocation)
    var outcome = Outcome(problems: compiled.problems, folders: compiled.services.flatMap(\.folders))
    if compiled.hasErrors { return outcome }
    var names: Set<String> = []
    var count = 0
    for project in compiled.projects {
      for connector in project.connectors {
        names.insert(connector.configuration.connectorID)
        guard parsed.value("connector").map({ $0 == connector.configuration.connectorID }) ?? true else { continue }
        for generation in connector.configuration.swiftPackages {
          count += 1
          outcome.packages.append(try write(project, connector, generation))
        }
      }
    }
    if let asked = parsed.value("connector"), !names.contains(asked) {
      throw Failure(
        ExtensionError(
          .invalidParams, "There is no connector “\(asked)”.",
          recovery: didYouMean(nearMisses(of: asked, in: names.sorted()))
            ?? "There are \(names.sorted().joined(separator: ", "))."),
        status: .noInput)
    }
    if count == 0 {
      throw Failure(
        ExtensionError(
          .invalidParams, "No connector.yaml asks for a Swift package.",
          recovery: "Let “host data init” add it to each connector.yaml."),
        status: .configuration)
    }
    return outcome
  }

  private func write(
    _ project: CompiledProject, _ connector: CompiledProject.Connector, _ generation: SwiftGeneration
  ) throws(Failure) -> Outcome.Package {
    let generator = annex.generator(project, connector, generation)
    do throws(FileError) {
      return Outcome.Package(
        folder: generator.folder.plainPath,
        written: try GeneratedPackage.write(generator.files, to: generator.folder))
    } catch {
      throw Failure(
        ExtensionError(.storeFailed, error.message, recovery: error.recovery ?? "Check who may write there."),
        status: .cannotCreate)
    }
  }

  // MARK: Again and again

  private func watch() async throws {
    let changed = Signal()
    guard let watch = PathWatch(on: invocation.loop, changed: { changed.send() }) else {
      throw Failure(
        ExtensionError(
          .serviceUnavailable, "The kernel offers no more file watches.",
          recovery: "Raise fs.inotify.max_user_instances, or end other programs that watch files."),
        status: .systemError)
    }
    defer { watch.stop() }
    var isFirst = true
    // Before the first round, the folder of the services is all that is known.
    var folders: Set<String> = [parsed.value("dir") ?? "."]
    while !Task.isCancelled {
      let count = changed.count
      watch.follow(folders, for: .entries)
      let now = round(isFirst: isFirst, folders)
      isFirst = false
      // Folders that came are watched, and then looked into once more: their files may have come in between.
      if now == folders { try await changed.wait(past: count) }
      folders = now
      try await changed.settle(on: invocation.loop, pause: Self.pause)
    }
  }

  /// - Returns: the folders that matter from now on.
  private func round(isFirst: Bool, _ folders: Set<String>) -> Set<String> {
    let start = invocation.loop.now
    let outcome: Outcome
    do {
      outcome = try generate()
    } catch {
      // What fails is said; the next change is waited for all the same.
      _ = error.print(to: invocation)
      return folders
    }
    let milliseconds = (invocation.loop.now - start) / 1_000_000
    if isFirst || outcome.hasErrors || outcome.hasChanged {
      if invocation.wantsJSON {
        var line: JSONObject = ["event": outcome.hasErrors ? "failed" : "generated"]
        for (name, value) in outcome.document { line[name] = value }
        line["milliseconds"] = .integer(Int64(clamping: milliseconds))
        invocation.printJSONLine(.object(line))
      } else {
        outcome.tell(invocation.console)
        invocation.console.note(
          outcome.hasErrors ? "The last good packages stay." : "Generated in \(milliseconds) ms; watching.")
      }
    }
    return folders.union(outcome.folders)
  }
}

extension CompiledServices.Service {
  /// The folders whose files make the service: those of its configuration, of the schema and of the connectors, and all
  /// below the latter two.
  fileprivate var folders: [String] {
    guard let source else { return [folder] }
    let configuration = source.configuration
    let roots = ([configuration.schemaSource] + configuration.connectorDirectories).map {
      Folder.path($0, in: folder).plainPath
    }
    var found = Set([folder] + roots.filter(Folder.isFolder))
    var open = Array(found.subtracting([folder]))
    while let next = open.popLast(), found.count < 4_000 {
      for name in Folder.names(in: next) where !name.hasPrefix(".") {
        let path = "\(next)/\(name)"
        if FileStatus(path)?.kind == .directory, found.insert(path).inserted { open.append(path) }
      }
    }
    return Array(found)
  }
}
