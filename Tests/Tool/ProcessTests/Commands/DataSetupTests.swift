import Foundation
import JSON
import JSONRPC
import TestPrograms
import Testing

/// `host data init` in projects as others laid them out.
@Suite(.timeLimit(.minutes(2)))
struct `host data init` {
  private static let service = """
    specVersion: v1
    serviceId: shop
    location: us-east4
    schema: {source: ./schema, datasource: {postgresql: {database: d}}}
    connectorDirs: [./web, ./admin, ./reports]

    """
  private static let schema = "type Note @table { title: String! text: String }\n"
  private static let connector = """
    # What the page calls.
    connectorId: web # short
    generate:
        # For the page.
        javascriptSdk:
            outputDir: ../../src/generated
            package: "@shop/web"

    """

  /// Writes a service with a connector of the given texts in each of the folders.
  private func write(_ host: HostTool, _ folder: String, connectors: [String: String]) throws {
    let list = connectors.keys.sorted().map { "./\($0)" }.joined(separator: ", ")
    try host.folder.write(
      "\(folder)/dataconnect.yaml",
      Self.service.replacing("[./web, ./admin, ./reports]", with: "[\(list)]"))
    try host.folder.write("\(folder)/schema/schema.gql", Self.schema)
    for (name, text) in connectors {
      try host.folder.write("\(folder)/\(name)/connector.yaml", text)
      try host.folder.write(
        "\(folder)/\(name)/operations.gql", "query \(name)Notes @auth(level: USER) { notes { id title } }\n")
    }
  }

  private func writePackage(_ host: HostTool, _ folder: String, targets: String) throws {
    try host.folder.write(
      "\(folder)/Package.swift",
      """
      // swift-tools-version: 6.0
      import PackageDescription

      // Ours, "targets: [".
      let package = Package(
        name: "App",
        dependencies: [],  // none yet
        targets: [\(targets)]
      )

      """)
  }

  private func text(_ host: HostTool, _ path: String) throws -> String {
    try String(contentsOfFile: "\(host.folder.path)/\(path)", encoding: .utf8)
  }

  private func initialize(_ host: HostTool, _ words: String..., at folder: String = "") async throws -> Program.Output {
    let place = folder.isEmpty ? host.folder.path : "\(host.folder.path)/\(folder)"
    return try await host(["data", "init", "--dir", place] + words)
  }

  private func isSame(_ host: HostTool, _ words: String..., at folder: String = "") async throws -> Bool {
    let place = folder.isEmpty ? host.folder.path : "\(host.folder.path)/\(folder)"
    let again = try await host(["data", "init", "--json", "--dir", place] + words).json
    return again["changed"] == [] && again["written"] == [] && again["left"] == []
  }

  // MARK: Three layouts

  @Test func `adds the Swift package to a connector for JavaScript, where firebase.json points elsewhere`() async throws
  {
    let host = try HostTool()
    try host.folder.write("repo/firebase.json", #"{"dataconnect": {"source": "./backend/dc"}, "hosting": {}}"#)
    try write(host, "repo/backend/dc", connectors: ["web": Self.connector])
    try writePackage(host, "repo/apple", targets: "\n    .executableTarget(name: \"App\")  // the app\n  ")
    let output = try await initialize(host, at: "repo")
    #expect(output.status == 0 && !output.stdout.contains("Everything"), "\(output)")
    #expect(
      try text(host, "repo/backend/dc/web/connector.yaml") == """
        # What the page calls.
        connectorId: web # short
        generate:
            # For the page.
            swiftSdk:
                outputDir: "../generated"
                package: "WebSDK"
            javascriptSdk:
                outputDir: ../../src/generated
                package: "@shop/web"

        """)
    #expect(
      try text(host, "repo/backend/dc/generated/WebSDK/Sources/WebOperations.swift").contains("class WebNotesQuery"))
    #expect(
      try text(host, "repo/apple/Package.swift") == """
        // swift-tools-version: 6.0
        import PackageDescription

        // Ours, "targets: [".
        let package = Package(
          name: "App",
          dependencies: [
            .package(path: "../backend/dc/generated/WebSDK")
          ],  // none yet
          targets: [
            .executableTarget(name: "App", dependencies: [.product(name: "WebSDK", package: "WebSDK")])  // the app
          ]
        )

        """)
    #expect(try await isSame(host, at: "repo"))
    let (dump, status) = try ShellCommand.output(
      of: "swift package --manifest-cache none --package-path '\(host.folder.path)/repo/apple' dump-package 2>&1")
    #expect(status == 0 && dump.contains("\"WebSDK\""), "\(dump)")
  }

  @Test func `finds the Swift package beside the service, from the service's own folder`() async throws {
    let host = try HostTool()
    try host.folder.write("mono/.git/HEAD", "ref: refs/heads/main\n")
    try write(
      host, "mono/services/shop", connectors: ["web": "connectorId: web\ngenerate: {adminNodeSdk: {outputDir: x}}\n"])
    try writePackage(
      host, "mono/clients/linux", targets: "\n    .target(name: \"App\"),\n    .testTarget(name: \"Tests\"),\n  ")
    let output = try await initialize(host, at: "mono/services/shop")
    #expect(output.status == 0, "\(output)")
    #expect(
      try text(host, "mono/services/shop/web/connector.yaml")
        == "connectorId: web\ngenerate: {swiftSdk: {outputDir: \"../generated\", package: \"WebSDK\"}, adminNodeSdk: {outputDir: x}}\n"
    )
    let manifest = try text(host, "mono/clients/linux/Package.swift")
    #expect(manifest.contains(".package(path: \"../../services/shop/generated/WebSDK\")"), "\(manifest)")
    #expect(manifest.contains(".target(name: \"App\", dependencies: [.product("), "\(manifest)")
    #expect(try await isSame(host, at: "mono/services/shop"))
  }

  @Test func `adds a package for each of several connectors, however their files are written`() async throws {
    let host = try HostTool()
    try host.folder.write("site/firebase.json", #"{"dataconnect": [{"source": "dataconnect"}]}"#)
    try write(
      host, "site/dataconnect",
      connectors: [
        "web": Self.connector, "admin": "connectorId: admin-tools\r\ngenerate:\r\n",
        "reports": "connectorId: reports\ngenerate: null # later\nauthMode: x",
      ])
    try writePackage(host, "site", targets: ".target(name: \"A\"), .target(name: \"B\")")
    let output = try await initialize(host, "--target", "B", at: "site")
    #expect(output.status == 0, "\(output)")
    let manifest = try text(host, "site/Package.swift")
    for name in ["WebSDK", "AdminToolsSDK", "ReportsSDK"] {
      #expect(manifest.contains(".package(path: \"dataconnect/generated/\(name)\")"), "\(manifest)")
      #expect(manifest.contains(".product(name: \"\(name)\", package: \"\(name)\")"), "\(manifest)")
    }
    #expect(manifest.contains(".target(name: \"A\"), .target(name: \"B\", dependencies:"), "\(manifest)")
    #expect(
      try text(host, "site/dataconnect/admin/connector.yaml")
        == "connectorId: admin-tools\r\ngenerate:\r\n  swiftSdk:\r\n    outputDir: \"../generated\"\r\n    package: \"AdminToolsSDK\"\r\n"
    )
    #expect(
      try text(host, "site/dataconnect/reports/connector.yaml")
        == "connectorId: reports\ngenerate: # later\n  swiftSdk:\n    outputDir: \"../generated\"\n    package: \"ReportsSDK\"\nauthMode: x"
    )
    #expect(try await isSame(host, "--target", "B", at: "site"))
  }

  // MARK: What it cannot know

  @Test func `asks which of several Swift packages it is`() async throws {
    let host = try HostTool()
    try write(host, "dataconnect", connectors: ["web": "connectorId: web\n"])
    try writePackage(host, "one", targets: ".target(name: \"App\")")
    try writePackage(host, "two", targets: ".target(name: \"App\")")
    let output = try await initialize(host)
    #expect(output.status == 64 && output.stderr.contains("--package"), "\(output)")
    #expect(try !text(host, "one/Package.swift").contains("WebSDK"))
    let chosen = try await initialize(host, "--package", "\(host.folder.path)/two")
    #expect(chosen.status == 0, "\(chosen)")
    #expect(try text(host, "two/Package.swift").contains("WebSDK"))
    #expect(try !text(host, "one/Package.swift").contains("WebSDK"))
    // One of them has it: nobody has to be asked again.
    #expect(try await isSame(host))
    let none = try await initialize(host, "--package", "\(host.folder.path)/three")
    #expect(none.status == 66 && none.stderr.contains("Package.swift"), "\(none)")
  }

  @Test func `says which target is left to name, each time`() async throws {
    let host = try HostTool()
    try write(host, "dataconnect", connectors: ["web": "connectorId: web\n"])
    try writePackage(host, "app", targets: ".target(name: \"A\"), .target(name: \"B\")")
    for _ in 0..<2 {
      let output = try await initialize(host)
      #expect(output.stderr.contains("--target") && !output.stdout.contains("Everything"), "\(output)")
    }
    #expect(try await initialize(host, "--target", "A").status == 0)
    let manifest = try text(host, "app/Package.swift")
    #expect(manifest.components(separatedBy: ".package(path:").count == 2, "\(manifest)")
    #expect(try await isSame(host))
  }

  @Test func `keeps two connectors of one name apart`() async throws {
    let host = try HostTool()
    for service in ["shop", "till"] {
      try write(host, service, connectors: ["web": "connectorId: default\n"])
      let path = "\(service)/dataconnect.yaml"
      try host.folder.write(path, try text(host, path).replacing("serviceId: shop", with: "serviceId: \(service)"))
    }
    #expect(try await initialize(host).status == 0)
    #expect(try text(host, "shop/web/connector.yaml").contains("\"DefaultSDK\""))
    #expect(try text(host, "till/web/connector.yaml").contains("\"TillDefaultSDK\""))
  }

  // MARK: What is not there

  @Test func `sets up the packages below a folder`() async throws {
    let host = try HostTool()
    try write(host, "service", connectors: ["web": ""])
    try FileManager.default.removeItem(atPath: "\(host.folder.path)/service/web/connector.yaml")
    try host.folder.write(
      "App/Package.swift",
      """
      // swift-tools-version: 6.0
      import PackageDescription

      /* Package( "targets: [" */
      let package = Package(
        name: "App",  // (
        targets: [
          .executableTarget(name: "App", path: "Sources"),
          .testTarget(name: "AppTests", dependencies: ["App"]),
        ]
      )

      """)
    let outcome = try await initialize(host, "--json").json
    #expect(outcome["changed"] == [.string("\(host.folder.path)/App/Package.swift")], "\(outcome)")
    #expect(try text(host, "service/web/connector.yaml").contains("package: \"WebSDK\""))
    let manifest = try text(host, "App/Package.swift")
    #expect(
      manifest.contains(
        """
          dependencies: [
            .package(path: "../service/generated/WebSDK")
          ],
          targets: [
            .executableTarget(name: "App", dependencies: [.product(name: "WebSDK", package: "WebSDK")], path: "Sources"),
        """), "\(manifest)")
    #expect(try await isSame(host))
  }

  @Test func `begins a service where there is none`() async throws {
    let host = try HostTool()
    let outcome = try await initialize(host, "--json").json
    #expect(outcome["problems"] == [] && outcome["left"]?.arrayValue?.count == 1, "\(outcome)")
    let compiled = try await host("data", "compile", "--dir", host.folder.path)
    #expect(compiled.status == 0 && compiled.stdout.contains("1 table, 1 connector, 2 operations"), "\(compiled)")
  }

  @Test func `begins a service where firebase.json says`() async throws {
    let host = try HostTool()
    try host.folder.write("firebase.json", #"{"dataconnect": {"source": "server/data"}}"#)
    #expect(try await initialize(host).status == 0)
    #expect(try text(host, "server/data/dataconnect.yaml").contains("connectorDirs"))
  }
}
