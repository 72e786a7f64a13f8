import BundleInstalling
import ContentServices
import ExtensionHosting
import Glibc
import NetworkServices
import SitePlugins

/// Renders the pages of a folder, each by the renderers that are for it: the first that can wins, and what the others could
/// not is told.
@main
struct Site {
  static let usage = """
    usage: site PAGES OUTPUT --manifests DIR --programs DIR --scripts DIR --state DIR [--content XCCONFIG]
                [--install NAME --index URL --root FINGERPRINT]
           site --announce FILE
    """
  /// Larger pages are passed as files, and come back as streams.
  static let largePage = 1 << 10
  static let largestPage = 1 << 20

  static func main() async {
    var folders: [String] = []
    var options: [String: String] = [:]
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      if argument.hasPrefix("--"), let value = arguments.popFirst() {
        options[String(argument.dropFirst(2))] = value
      } else {
        folders.append(argument)
      }
    }
    if let file = options["announce"] { return announce(in: file) }
    guard folders.count == 2, let manifests = options["manifests"], let programs = options["programs"],
      let scripts = options["scripts"], let state = options["state"]
    else { return end(64, usage) }
    do {
      let store = BundleStore(state: StateDirectory(path: state), points: ExtensionPointTable([Renderer.self]))
      if let name = options["install"] {
        try await install(name, from: options["index"] ?? "", root: options["root"] ?? "", into: store)
      }
      let configuration = ExtensionHost.Configuration(
        registry: ExtensionRegistry(
          RegistrySources(
            record: try RegistryRecord.load(from: store.recordPath),
            manifestFolders: [.init(path: manifests, products: programs, scripts: scripts)]),
          points: [Renderer.self]),
        state: store.state, peer: Peer(name: "site"))
      let content = try options["content"].map { try ContentService.Configuration(contentsOf: $0) }
      try await build(folders[0], into: folders[1], configuration, content ?? ContentService.Configuration())
    } catch let error as ExtensionError {
      end(70, "error: \(printable(error.message)) \(error.recovery ?? "")")
    } catch {
      end(70, "error: \(printable("\(error)"))")
    }
  }

  /// Tells other tools of the extension point, so that they can check and publish renderers.
  static func announce(in file: String) {
    do {
      var definition = Renderer.definition
      // A service that this host alone has is no other tool's.
      definition.services = definition.services?.filter { $0.name != Pages.name }
      let announced = try AnnouncedPoint(compiled: definition, contracts: definition.services ?? [])
      try Page.write(announced.propertyListText(), to: file)
    } catch {
      end(70, "error: \(printable("\(error)"))")
    }
  }

  /// Installs a renderer from an index whose root has the fingerprint that the user knows. What a renderer asks for is
  /// agreed to: the sandbox of this host gives it little.
  static func install(
    _ name: String, from url: String, root fingerprint: String, into store: BundleStore
  ) async throws {
    let index = try ExtensionIndex(url, store: store)
    try await index.trust { $0.fingerprint == fingerprint }
    let installed = try await index.install(name) { _ in true }
    print("\(printable(installed.identifier)) \(printable(installed.version)) of \(printable(installed.team.shown))")
  }

  static func build(
    _ folder: String, into output: String, _ configuration: ExtensionHost.Configuration,
    _ content: ContentService.Configuration
  ) async throws {
    let pages = try Page.all(in: folder)
    let titles = Dictionary(pages.map { ($0.outputName, $0.title) }, uniquingKeysWith: { first, _ in first })
    let host = try ExtensionHost(
      configuration: configuration,
      services: [
        PagesService(titles: titles), NetworkService(),
        ContentService(state: configuration.state, configuration: content),
      ])
    for entry in configuration.registry.entries where !entry.isEnabled {
      for reason in entry.reasons { print("\(printable(entry.identifier)): \(printable(reason))") }
    }
    if mkdir(output, 0o755) != 0, errno != EEXIST {
      throw ExtensionError(.storeFailed, "Cannot make \(output): \(String(cString: strerror(errno))).")
    }
    for page in pages {
      let (html, renderer) = await render(page, on: host)
      try Page.write(
        "<!doctype html>\n<title>\(escaped(page.title))</title>\n\(html)\n", to: "\(output)/\(page.outputName)")
      print("\(page.outputName): \(renderer)")
    }
  }

  /// The HTML of a page, and who made it. A page that no renderer can is shown as it is.
  static func render(_ page: Page, on host: ExtensionHost) async -> (html: String, renderer: String) {
    for entry in host.registry.extensions(at: Renderer.point) where takes(page, entry) {
      do {
        let html = try await host.withExtension(entry.identifier) { try await Self.html(of: page, by: $0) }
        return (html, printable(entry.displayName))
      } catch let error as ExtensionError {
        print("\(page.name): \(printable(entry.displayName)) failed (\(error.code.name)): \(printable(error.message))")
      } catch {
        print("\(page.name): \(printable(entry.displayName)) failed: \(printable("\(error)"))")
      }
    }
    return ("<pre>\(escaped(page.text))</pre>", "as it is")
  }

  static func html(of page: Page, by renderer: ExtensionProcess) async throws -> String {
    guard page.text.utf8.count > largePage, renderer.pointVersion >= PointVersion(1, 1) else {
      return try await renderer.call(Renderer.Render(name: page.name, text: page.text)).html
    }
    let path = try renderer.grant(Array(page.text.utf8), name: "page")
    let answer = try await renderer.call(Renderer.RenderLarge(name: page.name, path: path))
    return String(decoding: try await renderer.stream(answer.stream).bytes(atMost: largestPage), as: UTF8.self)
  }

  static func takes(_ page: Page, _ entry: RegistryEntry) -> Bool {
    let values = entry.manifest?.attributes[Renderer.fileExtensions]?.arrayValue ?? []
    return values.contains { $0.stringValue == page.fileExtension }
  }

  static func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"][$0] ?? String($0) }.joined()
  }

  /// What a renderer says, fit for a terminal.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(400).map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  static func end(_ status: Int32, _ message: String) {
    var line = "\(message)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
  }
}
