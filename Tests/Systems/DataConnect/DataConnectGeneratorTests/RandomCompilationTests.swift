import DataConnectCompiler
import DataConnectGenerator
import Files
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(30)), .enabled("the module is not built", { SwiftCheck.isBuilt }))
struct `Generated code of random schemas` {
  /// How many services one compiler checks.
  private static let batch = 100

  @Test func `compiles without a warning`() throws {
    let wanted = Environment.seeds ?? 12
    var (seed, found): (Int, [(seed: Int, service: RandomService)]) = (0, [])
    while found.count < wanted {
      seed += 1
      try #require(seed < wanted * 20, "Most services have errors of their own.")
      let service = RandomService(seed: seed)
      if try Project.compiles(service.operations, schema: service.schema) { found.append((seed, service)) }
    }
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      let services = found[start..<min(start + Self.batch, found.count)]
      let errors = try check(services.map { ($0.seed, $0.service) })
      #expect(errors == [])
    }
    print("compiled the packages of \(found.count) random services, seeds 1 to \(seed)")
  }

  /// Compiles packages as one module, each in a namespace of its own.
  private func check(_ services: [(Int, RandomService)]) throws -> [String] {
    let folder = try Folder.makeTemporary(beginning: "/tmp/generated-")
    defer { try? Folder.remove(folder) }
    for (seed, service) in services {
      let generator = try Project.generator(service.operations, schema: service.schema, id: "seed-\(seed)")
      try File.replace("\(folder)/Seed\(seed).swift", with: Array(namespace(generator, seed).utf8))
    }
    let (text, status) = try ShellCommand.output(
      of: "swiftc -typecheck -module-name Random \(SwiftCheck.flags) '\(folder)/'*.swift 2>&1")
    let lines = text.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("warning: ") }
    return status == 0 || !lines.isEmpty ? lines.prefix(20).map(String.init) : [text]
  }

  /// The sources of a package in an enumeration; extensions, which have to be outside of it, name what they extend in it.
  private func namespace(_ generator: PackageGenerator, _ seed: Int) -> String {
    let name = "N\(seed)"
    var (inside, outside) = ("", "")
    for file in generator.files where file.path.hasPrefix("Sources/") {
      var isExtension = false
      for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("extension DataConnect {") { isExtension = true }
        if isExtension {
          outside += "\(line.replacing("Seed\(seed)Connector", with: "N\(seed).Seed\(seed)Connector"))\n"
        } else if line.hasPrefix("extension ") {
          outside += "extension \(name).\(line.dropFirst("extension ".count))\n"
        } else if !line.hasPrefix("import ") && !line.hasPrefix("  import ") && !line.hasPrefix("#") {
          inside += "\(line)\n"
        }
        if line == "}" { isExtension = false }
      }
    }
    return "import DataConnect\nimport FoundationEssentials\npublic enum \(name) {\n\(inside)}\n\(outside)"
  }
}
