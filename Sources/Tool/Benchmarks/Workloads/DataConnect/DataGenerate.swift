import MeasuredHost
import BenchmarkResults
import DataConnectCompiler
import DataConnectGenerator
import Glibc

extension Workload {
  /// A large service read, compiled and made into Swift, beside the Swift compiler that parses what came of it.
  static let dataGenerate = Workload(
    name: "data-generate",
    summary: "60 tables and 200 operations become a Swift package, beside the Swift compiler parsing it",
    unit: .milliseconds, count: 5
  ) { bench, count in
    let folder = try LargeService.write(in: bench.folder)
    return try Reading(
      Samples(
        (0..<count).map { _ in
          let start = ContinuousClock.now
          let made = try LargeService.generate(folder).reduce(0) { $0 + $1.text.utf8.count }
          guard made > 100_000 else { throw BenchmarkError("Only \(made) bytes were generated.") }
          return (ContinuousClock.now - start) / .milliseconds(1)
        }))
  } floor: { bench, count in
    let folder = try LargeService.write(in: bench.folder)
    var command = ["/usr/bin/env", "swiftc", "-frontend", "-parse"]
    for (number, file) in try LargeService.generate(folder).enumerated() where file.path.hasPrefix("Sources/") {
      let path = "\(folder)/\(number).swift"
      try BenchFiles.write(file.text, to: path)
      command.append(path)
    }
    return Reading(Samples(nanoseconds: try Floor.spawn(command, count: count), per: 1e6))
  }
}

/// The service that is compiled.
private enum LargeService {
  private static let tables = 60
  private static let operations = 200

  static func generate(_ folder: String) throws -> [GeneratedFile] {
    let result = CompiledProject.compile(folder)
    guard let project = result.project else { throw BenchmarkError("\(result.problems[0])") }
    return project.generators(options: GenerationOptions(dependencyPath: "../annex")).flatMap(\.files)
  }

  static func write(in parent: String) throws -> String {
    let folder = "\(parent)/data-generate"
    for path in [folder, "\(folder)/schema", "\(folder)/connector"] { try BenchFiles.makeFolder(path) }
    try BenchFiles.write(service, to: "\(folder)/dataconnect.yaml")
    try BenchFiles.write(connector, to: "\(folder)/connector/connector.yaml")
    try BenchFiles.write((0..<tables).map(table).joined(separator: "\n"), to: "\(folder)/schema/schema.gql")
    try BenchFiles.write(
      (0..<operations).map(operation).joined(separator: "\n"), to: "\(folder)/connector/operations.gql")
    return folder
  }

  private static let service = """
    specVersion: "v1"
    serviceId: large
    location: us-east4
    schema:
      source: ./schema
      datasource:
        postgresql:
          database: large
    connectorDirs: ["./connector"]
    """
  private static let connector = """
    connectorId: large
    generate:
      swiftSdk:
        outputDir: ../generated
        package: Large
    """

  private static func table(_ number: Int) -> String {
    """
    type Item\(number) @table {
      title: String!
      count: Int
      price: Float
      tags: [String!]
      created: Timestamp!
      note: String
      \(number == 0 ? "" : "parent: Item\(number - 1)")
    }
    """
  }

  private static func operation(_ number: Int) -> String {
    let table = number % tables
    let parent = table == 0 ? "" : "parent { id title count }"
    switch number % 4 {
    case 0:
      return """
        query list\(number)($title: String, $least: Int, $limit: Int) @auth(level: PUBLIC) {
          item\(table)s(where: {title: {contains: $title}, count: {ge: $least}}, limit: $limit) {
            id title count price tags created note \(parent)
          }
        }
        """
    case 1:
      return """
        query get\(number)($id: UUID!) @auth(level: USER) {
          item\(table)(id: $id) { id title price created \(parent) }
        }
        """
    case 2:
      return """
        mutation create\(number)($title: String!, $count: Int, $price: Float, $created: Timestamp!) @auth(level: USER) {
          item\(table)_insert(data: {title: $title, count: $count, price: $price, created: $created})
        }
        """
    default:
      return """
        mutation change\(number)($id: UUID!, $note: String) @auth(level: USER) {
          item\(table)_update(id: $id, data: {note: $note})
          item\(table)_deleteMany(where: {note: {eq: $note}})
        }
        """
    }
  }
}
