// swift-tools-version: 6.3
import Foundation
import PackageDescription

// MARK: - Settings

let common: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// For the targets that touch raw memory: every unsafe use is written `unsafe`.
let strict: [SwiftSetting] = common + [.strictMemorySafety()]
/// For the two targets that every message passes through: release builds rely on what the compiler proves of exclusive
/// access and on the tests, which run in debug builds (decision 0005).
let wire: [SwiftSetting] =
  strict + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]
let commonC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// For C executables: SwiftPM links every executable with swiftc, which has no plainer way to say static.
let fullyStatic = LinkerSetting.unsafeFlags([
  "-static-stdlib", "-Xclang-linker", "-static", "-Xlinker", "--gc-sections",
])

/// For extensions: a release build has everything in it, so nothing is searched, mapped and relocated at its start.
let startsFast = LinkerSetting.unsafeFlags(["-static-executable"], .when(configuration: .release))

// MARK: - Features

/// One feature is one method prefix and one folder under `Sources/Features`. Adding one: a folder and a word here.
let features = [
  "API",
  "Action",
  "Auth",
  "Container",
  "Content",
  "Data",
  "Defaults",
  "DocumentPicker",
  "FileProvider",
  "Items",
  "Keyboard",
  "Network",
  "OpenURL",
  "Permissions",
  "PhotoEditing",
  "Request",
  "Sessions",
  "Share",
  "Today",
  "TypeIdentifiers",
]
/// Each layer of the features is a target of its own; a feature need not have all of them.
let layers = ["Command", "Conformance", "Contract", "Extension", "Host"]
/// The folders that the target of a layer leaves to the others. The package manager remembers what this file came to, so
/// `make` has it read anew: a feature may have got a layer that it lacked.
func layers(except layer: String) -> [String] {
  let folders = features.flatMap { feature in layers.filter { $0 != layer }.map { "\(feature)/\($0)" } }
  return folders.filter { FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Sources/Features/\($0)") }
}

func library(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = common) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: settings)
}

/// - Parameter listing: whether the target holds a list of the features, which the plugin writes.
func featureLayer(
  _ name: String, layer: String, listing: Bool = true, _ dependencies: [Target.Dependency]
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Features", exclude: layers(except: layer),
    swiftSettings: common, plugins: listing ? ["FeatureList"] : [])
}

func sample(_ name: String, _ dependencies: [Target.Dependency] = ["AppExtensions"]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Plugins/\(name)", swiftSettings: common)
}

/// Programs that misbehave, for tests: C, and all of it canned.
let fixtures = [
  "Chatterbox",
  "Compiler",
  "Crasher",
  "Dawdler",
  "DoubleCompleter",
  "Fixtures",
  "Garbage",
  "Glutton",
  "Grandparent",
  "Hanger",
  "Lengthy",
  "Liar",
  "OldTimer",
  "Quitter",
  "Snoop",
  "Stubborn",
]
func fixture(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["FixtureWire"], path: "Tests/Fixtures/\(name)", cSettings: commonC)
}

/// One target of tests for each library, and some that run real processes: those find the executables that the build
/// made beside them, since a dependency on an executable would bring its static linking into the tests.
let tests: [Target] = [
  test("Activation", ["PropertyList"]),
  test("Base64"),
  test("BenchmarkResults", ["JSONRPC"]),
  test("CEL", ["JSONRPC"]),
  test("CommandLineTool"),
  test("ConfigurationFiles", ["TestSupport"]),
  test(
    "ContentClient",
    [
      "Base64", "CCrypto", "ConfigurationFiles", "HTTPClient", "HTTPServer", "JSONRPC", "SQLite", "Spelling",
      "TestSupport",
    ]),
  test("ContentRepository", ["Files", "GraphQL", "JSONRPC"]),
  test(
    "ContentServer",
    [
      "ContentRepository",
      "EventLoop",
      "Files",
      "GraphQL",
      "HTTPClient",
      "HTTPServer",
      "Images",
      "JSONRPC",
      "TestSupport",
    ]),
  test("Cryptography"),
  .testTarget(
    name: "DataConnectCompilerTests", dependencies: ["DataConnectCompiler", "Files", "GraphQL"], exclude: ["Goldens"],
    swiftSettings: common),
  .testTarget(
    name: "DataConnectGeneratorTests",
    dependencies: ["DataConnect", "DataConnectCompiler", "DataConnectGenerator", "Files", "GraphQL", "TestPrograms"],
    exclude: ["Goldens"], swiftSettings: common),
  test("DataConnect", ["JSONRPC"]),
  test(
    "DataConnectClient",
    [
      "ConfigurationFiles", "EventLoop", "HTTPClient", "HTTPServer", "JSONRPC", "SQLite", "TestSupport", "WebSocket",
    ]),
  test(
    "DataConnectEmulator",
    [
      "CEL",
      "ConfigurationFiles",
      "Cryptography",
      "DataConnectClient",
      "DataConnectCompiler",
      "DataConnectMigration",
      "DataConnectStatements",
      "EventLoop",
      "Files",
      "GraphQL",
      "HTTPClient",
      "HTTPServer",
      "JSONRPC",
      "PostgreSQL",
      "TestPrograms",
      "TestSupport",
      "WebSocket",
    ]),
  test(
    "DataConnectMigration",
    ["DataConnectCompiler", "EventLoop", "Files", "GraphQL", "PostgreSQL", "TestPrograms", "TestSupport"]),
  test(
    "DataConnectStatements",
    [
      "DataConnectCompiler",
      "DataConnectMigration",
      "EventLoop",
      "GraphQL",
      "JSONRPC",
      "PostgreSQL",
      "TestPrograms",
      "TestSupport",
    ]),
  test("EventLoop", ["CLinux"]),
  test(
    "ExtensionHosting",
    ["Activation", "CLinux", "EventLoop", "ExtensionProtocol", "Files", "JSONRPC", "PropertyList", "Sandbox"]),
  test("ExtensionProtocol", ["PropertyList"]),
  test("Files", ["EventLoop"]),
  test("FileServer", ["HTTPClient", "HTTPServer", "JSONRPC"]),
  test("GraphQL", ["JSONRPC"]),
  test(
    "GroupStore",
    ["CLinux", "EventLoop", "PostgreSQL", "PostgreSQLGroupStore", "SQLite", "TestPrograms", "TestSupport"]),
  test("HTTPClient", ["EventLoop", "HTTPServer", "TestPrograms", "TestSupport", "WebSocket"]),
  test("HTTPServer", ["EventLoop", "HTTPClient", "TestPrograms", "TestSupport", "WebSocket"]),
  test("IdentityServer", ["Base64", "Cryptography", "HTTPClient", "HTTPServer", "JSONRPC", "TestSupport"]),
  test("Images"),
  test("JSONRPC", ["CLinux", "EventLoop"]),
  test("JSONSchema", ["ExtensionProtocol", "JSONRPC", "PropertyList"]),
  test("MultiLineText", ["JSONRPC"]),
  test("PostgreSQL", ["EventLoop", "TestPrograms"]),
  test("PostgreSQLCluster", ["EventLoop", "Files", "PostgreSQL", "TestPrograms", "TestSupport"]),
  test("PropertyList", ["JSONRPC"]),
  test("PropertyListXML", ["PropertyList"]),
  test("Spelling"),
  test("SQLite", ["TestSupport"]),
  test("Sandbox", ["CLaunchPolicy", "Files"]),
  test("TerminalText", ["CommandLineTool", "MultiLineText"]),
  test(
    "TokenBroker",
    [
      "ConfigurationFiles",
      "Cryptography",
      "Files",
      "HTTPClient",
      "HTTPServer",
      "IdentityServer",
      "JSONRPC",
      "TestSupport",
    ]),
  test(
    "Transfers",
    ["CLinux", "EventLoop", "Files", "HTTPClient", "HTTPServer", "JSONRPC", "SQLite", "TestPrograms", "TestSupport"]),
  test("WebSocket", ["Base64", "CLinux", "Cryptography", "EventLoop"]),
  test("YAML"),
  .testTarget(
    name: "ChaosTests",
    dependencies: [
      "Contracts",
      "ExtensionHosting",
      "ExtensionProtocol",
      "HostServices",
      "JSONRPC",
    ], swiftSettings: common),
  .testTarget(
    name: "FeatureTests",
    dependencies: [
      "Activation",
      "AppExtensions",
      "Base64",
      "ConfigurationFiles",
      "Cryptography",
      "DataConnect",
      "EventLoop",
      "ExtensionHosting",
      "ExtensionTesting",
      "Files",
      "HTTPClient",
      "HTTPServer",
      "HostServices",
      "IdentityServer",
      "JSONRPC",
      "JSONSchema",
      "PropertyList",
      "TestPrograms",
      "TestSupport",
      "TokenBroker",
      "WebSocket",
    ],
    exclude: ["Goldens"], swiftSettings: common),
  .testTarget(
    name: "ProcessTests",
    dependencies: [
      "Activation",
      "CLinux",
      "CPNG",
      "CTurboJPEG",
      "Conformance",
      "ConfigurationFiles",
      "ContentServer",
      "Contracts",
      "Cryptography",
      "DataConnectEmulator",
      "EventLoop",
      "ExtensionHosting",
      "ExtensionProtocol",
      "FeatureChecks",
      "HTTPClient",
      "HTTPServer",
      "HostServices",
      "IdentityServer",
      "JSONRPC",
      "PostgreSQL",
      "PropertyList",
      "Sandbox",
      "TestPrograms",
      "TestSupport",
      "TokenBroker",
    ], swiftSettings: common),
  .testTarget(
    name: "ConventionTests", dependencies: ["Contracts", "ExtensionProtocol", "TestPrograms"], swiftSettings: common),
  .testTarget(
    name: "FuzzTests", dependencies: ["FuzzTargets", "HTTPClient", "HTTPServer", "TestSupport"], swiftSettings: common),
  .testTarget(
    name: "SandboxProcessTests", dependencies: ["CLinux", "Files", "Sandbox", "SandboxTrials"],
    swiftSettings: common),
]
func test(_ library: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(library)Tests", dependencies: [.byName(name: library)] + dependencies, swiftSettings: common)
}

/// Only `make fuzz` builds this: everything it needs is then built with libFuzzer's instrumentation.
let fuzzing: [Target] =
  Context.environment["ANNEX_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver", swiftSettings: strict)
  ]

let package = Package(
  name: "annex",
  products: [
    .library(name: "AppExtensions", targets: ["AppExtensions"]),
    .library(name: "Contracts", targets: ["Contracts"]),
    .library(name: "DataConnect", targets: ["DataConnect"]),
    .library(name: "ExtensionHosting", targets: ["ExtensionHosting"]),
    .library(name: "ExtensionProtocol", targets: ["ExtensionProtocol", "JSONRPC", "PropertyList"]),
    .library(name: "HostServices", targets: ["HostServices"]),
    // Of its own, so that only who shares a group store between machines links libpq.
    .library(name: "PostgreSQL", targets: ["PostgreSQL", "PostgreSQLGroupStore"]),
    .library(name: "ExtensionTesting", targets: ["ExtensionTesting"]),
    .executable(name: "host", targets: ["host"]),
    // What a host app ships beside its program: it confines every extension.
    .executable(name: "extension-launcher", targets: ["extension-launcher"]),
  ],
  targets: [
    // MARK: C
    .target(
      name: "CAuthFloor", dependencies: ["CCurl"], path: "Sources/C/CAuthFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "CContentFloor", dependencies: ["CMicroHTTPD"], path: "Sources/C/CContentFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("microhttpd")]),
    .target(
      name: "CDataFloor", dependencies: ["CMicroHTTPD", "CPostgreSQL"], path: "Sources/C/CDataFloor",
      cSettings: commonC, linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("pq")]),
    .target(name: "CFloor", path: "Sources/C/CFloor", cSettings: commonC),
    .target(
      name: "CImageFloor", dependencies: ["CTurboJPEG"], path: "Sources/C/CImageFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("turbojpeg")]),
    .target(name: "CLaunchPolicy", path: "Sources/C/CLaunchPolicy", cSettings: commonC),
    .target(name: "CLinux", path: "Sources/C/CLinux", cSettings: commonC),
    .target(
      name: "CStoreFloor", dependencies: ["CSQLite"], path: "Sources/C/CStoreFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CPostgreSQLFloor", dependencies: ["CPostgreSQL"], path: "Sources/C/CPostgreSQLFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("pq")]),
    .target(
      name: "CTransferFloor", dependencies: ["CCurl", "CSQLite"], path: "Sources/C/CTransferFloor", cSettings: commonC,
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("sqlite3")]),
    .target(name: "SwiftRuntimeStubs", path: "Sources/C/SwiftRuntimeStubs", cSettings: commonC),
    .systemLibrary(
      name: "CCrypto", path: "Sources/C/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/C/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CGIF", path: "Sources/C/CGIF", pkgConfig: "libgif", providers: [.apt(["libgif-dev"])]),
    .systemLibrary(
      name: "CMarkdown", path: "Sources/C/CMarkdown", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CPostgreSQL", path: "Sources/C/CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", path: "Sources/C/CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CXML", path: "Sources/C/CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CYAML", path: "Sources/C/CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .executableTarget(
      name: "extension-launcher", dependencies: ["CLaunchPolicy", "SwiftRuntimeStubs"],
      path: "Sources/C/extension-launcher",
      cSettings: commonC,
      linkerSettings: [fullyStatic]),
    .executableTarget(
      name: "floor-plugin", dependencies: ["SwiftRuntimeStubs"], path: "Sources/C/floor-plugin", cSettings: commonC,
      linkerSettings: [fullyStatic]),
    .executableTarget(
      name: "sandbox-attempts", dependencies: ["SwiftRuntimeStubs"], path: "Sources/C/sandbox-attempts",
      cSettings: commonC,
      // Pages between code and data: one of the attempts has the code reach into them.
      linkerSettings: [fullyStatic, .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "max-page-size=65536"])]),

    // MARK: 0 · pure and close to the kernel
    library("Base64", settings: strict),
    library("CEL", ["Base64", "JSONRPC", "Spelling"]),
    library("CommandLineTool", ["CLinux", "Spelling"]),
    library("ConfigurationFiles", ["Files"], settings: strict),
    library("Cryptography", ["Base64", "CCrypto"], settings: strict),
    library("EventLoop", ["CLinux"], settings: wire),
    library("Files", ["CLinux", "EventLoop"], settings: strict),
    library("GraphQL", ["JSONRPC", "Spelling"], settings: strict),
    library("Images", ["CGIF", "CPNG", "CTurboJPEG", "CWebP"], settings: strict),
    library("JSONRPC", ["Base64", "CLinux", "EventLoop"], settings: wire),
    library("JSONSchema", ["JSONRPC"]),
    library("MultiLineText", ["CMarkdown", "CXML", "JSONRPC"], settings: strict),
    library("PostgreSQL", ["CPostgreSQL", "EventLoop"], settings: strict),
    library("PropertyList", ["Base64"]),
    library("PropertyListXML", ["Base64", "CXML", "PropertyList"], settings: strict),
    library("SQLite", ["CLinux", "CSQLite", "EventLoop", "Files"], settings: strict),
    library("Activation", ["PropertyList"]),
    library("Sandbox", ["CLaunchPolicy", "CLinux", "Files"], settings: strict),
    library("Spelling"),
    library("WebSocket", ["Base64", "Cryptography", "EventLoop", "Spelling"], settings: strict),
    library("YAML", ["CYAML", "Spelling"], settings: strict),

    // MARK: 1
    library("DataConnect", ["JSONRPC"]),
    library("DataConnectCompiler", ["Files", "GraphQL", "JSONRPC", "Spelling", "YAML"]),
    library("ExtensionProtocol", ["JSONRPC", "JSONSchema", "PropertyList", "Spelling"]),
    .target(
      name: "ContentRepository",
      dependencies: ["Base64", "Files", "GraphQL", "JSONRPC", "MultiLineText", "Spelling"],
      path: "Sources/ContentRepository", exclude: ["WKND"], swiftSettings: strict, plugins: ["EmbeddedFiles"]),
    library("GroupStore", ["EventLoop", "Files", "SQLite"]),
    library("HTTPClient", ["CCurl", "EventLoop", "WebSocket"], settings: strict),
    library(
      "HTTPServer", ["CMicroHTTPD", "CLinux", "Cryptography", "EventLoop", "Files", "WebSocket"],
      settings: strict),
    library("PostgreSQLCluster", ["CLinux", "EventLoop", "Files", "PostgreSQL"], settings: strict),
    library("SandboxTrials", ["CLinux", "Files", "Sandbox"]),
    library("TerminalText", ["CommandLineTool", "MultiLineText"]),

    // MARK: 2
    library(
      "DataConnectClient",
      [
        "ConfigurationFiles", "Cryptography", "EventLoop", "Files", "HTTPClient", "JSONRPC", "SQLite", "Spelling",
        "WebSocket",
      ],
      settings: strict),
    library("DataConnectGenerator", ["DataConnectCompiler", "Files", "GraphQL"]),
    library("DataConnectMigration", ["DataConnectCompiler", "EventLoop", "Files", "GraphQL", "PostgreSQL"]),
    library("DataConnectStatements", ["DataConnectCompiler", "GraphQL", "JSONRPC", "PostgreSQL", "Spelling"]),
    library("PostgreSQLGroupStore", ["EventLoop", "GroupStore", "PostgreSQL"]),
    .plugin(name: "FeatureList", capability: .buildTool(), path: "Sources/FeatureList"),
    library(
      "ContentClient",
      [
        "Base64", "CLinux", "ConfigurationFiles", "Cryptography", "Files", "HTTPClient", "JSONRPC", "SQLite",
        "Spelling",
      ],
      settings: strict),
    featureLayer(
      "Contracts", layer: "Contract", ["Base64", "ExtensionProtocol", "JSONRPC", "JSONSchema", "PropertyList"]),
    library(
      "ExtensionHosting",
      [
        "Activation",
        "Base64",
        "CLinux",
        "CommandLineTool",
        "EventLoop",
        "ExtensionProtocol",
        "Files",
        "JSONRPC",
        "JSONSchema",
        "PropertyList",
        "PropertyListXML",
        "Sandbox",
      ]),
    library("ExtensionRuntime", ["CLinux", "EventLoop", "ExtensionProtocol", "Files", "JSONRPC", "Spelling"]),

    library(
      "TokenBroker",
      ["ConfigurationFiles", "Cryptography", "EventLoop", "Files", "HTTPClient", "HTTPServer", "JSONRPC", "Spelling"],
      settings: strict),
    library(
      "Transfers", ["CLinux", "Cryptography", "EventLoop", "Files", "HTTPClient", "JSONRPC", "SQLite"],
      settings: strict),

    // MARK: 3
    featureLayer(
      "AppExtensions", layer: "Extension", listing: false,
      [
        "Base64",
        "CLinux",
        "Contracts",
        "EventLoop",
        "ExtensionProtocol",
        "ExtensionRuntime",
        "Files",
        "JSONRPC",
        "JSONSchema",
        "PropertyList",
      ]),
    featureLayer(
      "HostServices", layer: "Host",
      [
        "Activation",
        "Base64",
        "CLinux",
        "ConfigurationFiles",
        "Contracts",
        "Cryptography",
        "DataConnectClient",
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "Files",
        "GroupStore",
        "HTTPClient",
        "JSONRPC",
        "JSONSchema",
        "PropertyList",
        "SQLite",
        "TokenBroker",
        "Transfers",
      ]),

    // MARK: 4
    .target(
      name: "ContentServer",
      dependencies: [
        "Base64",
        "ContentRepository",
        "Cryptography",
        "EventLoop",
        "Files",
        "GraphQL",
        "HTTPServer",
        "Images",
        "JSONRPC",
        "Spelling",
      ],
      path: "Sources/Servers/ContentServer", swiftSettings: common),
    .target(
      name: "DataConnectEmulator",
      dependencies: [
        "CEL",
        "Cryptography",
        "DataConnectCompiler",
        "DataConnectMigration",
        "DataConnectStatements",
        "EventLoop",
        "Files",
        "GraphQL",
        "HTTPServer",
        "JSONRPC",
        "PostgreSQL",
        "Spelling",
        "WebSocket",
      ],
      path: "Sources/Servers/DataConnectEmulator", swiftSettings: common),
    .target(
      name: "FileServer", dependencies: ["CLinux", "Files", "HTTPServer", "JSONRPC"],
      path: "Sources/Servers/FileServer",
      swiftSettings: common),
    .target(
      name: "IdentityServer",
      dependencies: ["Base64", "CLinux", "Cryptography", "EventLoop", "Files", "HTTPServer", "JSONRPC"],
      path: "Sources/Servers/IdentityServer", swiftSettings: common),
    library(
      "Conformance",
      [
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "HostServices",
        "JSONRPC",
        "JSONSchema",
      ]),
    .plugin(name: "EmbeddedFiles", capability: .buildTool(), path: "Sources/EmbeddedFiles"),
    .target(
      name: "Authoring",
      dependencies: ["ExtensionHosting", "ExtensionProtocol", "Files", "PropertyList"],
      path: "Sources/Authoring", swiftSettings: common, plugins: ["EmbeddedFiles"]),
    library(
      "ExtensionTesting",
      [
        "AppExtensions",
        "Contracts",
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "ExtensionRuntime",
        "Files",
        "HostServices",
        "JSONRPC",
      ]),

    // MARK: 5
    featureLayer(
      "FeatureChecks", layer: "Conformance",
      [
        "Activation",
        "Conformance",
        "Contracts",
        "ExtensionHosting",
        "ExtensionProtocol",
        "HostServices",
        "JSONRPC",
      ]),
    library(
      "HostCLI",
      [
        "Activation",
        "Authoring",
        "Base64",
        "CLinux",
        "CommandLineTool",
        "Conformance",
        "ConfigurationFiles",
        "Contracts",
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "Files",
        "GroupStore",
        "HTTPClient",
        "HTTPServer",
        "HostServices",
        "JSONRPC",
        "JSONSchema",
        "PostgreSQL",
        "PostgreSQLGroupStore",
        "PropertyList",
        "SQLite",
        "Sandbox",
        "SandboxTrials",
        "TokenBroker",
      ]),

    // MARK: 6
    featureLayer(
      "FeatureCommands", layer: "Command",
      [
        "Activation",
        "Authoring",
        "Base64",
        "CLinux",
        "CommandLineTool",
        "ConfigurationFiles",
        "ContentClient",
        "ContentRepository",
        "ContentServer",
        "Contracts",
        "DataConnectCompiler",
        "DataConnectEmulator",
        "DataConnectGenerator",
        "DataConnectMigration",
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "FileServer",
        "Files",
        "GraphQL",
        "HTTPClient",
        "HTTPServer",
        "HostCLI",
        "HostServices",
        "IdentityServer",
        "JSONRPC",
        "MultiLineText",
        "PostgreSQL",
        "PostgreSQLCluster",
        "PropertyList",
        "Spelling",
        "TerminalText",
        "TokenBroker",
        "Transfers",
      ]),

    // MARK: 7
    .executableTarget(
      name: "host", dependencies: ["Contracts", "FeatureChecks", "FeatureCommands", "HostCLI"], path: "Sources/host",
      swiftSettings: common),

    // MARK: Benchmark
    .target(
      name: "BenchmarkResults", dependencies: ["JSONRPC"], path: "Sources/Benchmarks/Results", swiftSettings: common),
    .target(
      name: "EchoContract", dependencies: ["ExtensionProtocol"], path: "Sources/Benchmarks/Contract",
      swiftSettings: common),
    .executableTarget(
      name: "Echo", dependencies: ["AppExtensions", "EchoContract"], path: "Sources/Benchmarks/Echo",
      swiftSettings: common, linkerSettings: [startsFast]),
    .executableTarget(
      name: "DataEcho", dependencies: ["AppExtensions", "DataConnect", "EchoContract", "MoviesSDK"],
      path: "Sources/Benchmarks/DataEcho", swiftSettings: common, linkerSettings: [startsFast]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "BenchmarkResults",
        "CAuthFloor",
        "CContentFloor",
        "CDataFloor",
        "CFloor",
        "CImageFloor",
        "CLinux",
        "CPostgreSQLFloor",
        "CStoreFloor",
        "CTransferFloor",
        "CommandLineTool",
        "ConfigurationFiles",
        "ContentClient",
        "ContentServer",
        "Contracts",
        "Cryptography",
        "DataConnectCompiler",
        "DataConnectEmulator",
        "DataConnectGenerator",
        "DataConnectStatements",
        "EchoContract",
        "EventLoop",
        "ExtensionHosting",
        "ExtensionProtocol",
        "Files",
        "GraphQL",
        "GroupStore",
        "HTTPClient",
        "HTTPServer",
        "HostServices",
        "IdentityServer",
        "Images",
        "JSONRPC",
        "PostgreSQL",
        "PostgreSQLCluster",
        "PostgreSQLGroupStore",
        "Sandbox",
        "TestPrograms",
        "TokenBroker",
        "Transfers",
        "WebSocket",
      ],
      path: "Sources/Benchmarks", exclude: ["Baseline.json", "Contract", "DataEcho", "Echo", "Results"],
      swiftSettings: common),

    // MARK: Samples
    sample("Adventures", ["AdventuresAPI", "AdventuresContent", "AppExtensions"]),
    .target(
      name: "AdventuresAPI", dependencies: ["AppExtensions"], path: "Plugins/AdventuresAPI", swiftSettings: common),
    sample("AdventuresAccount", ["AdventuresAPI", "AppExtensions"]),
    .target(
      name: "AdventuresContent", dependencies: ["AppExtensions"], path: "Plugins/AdventuresContent",
      swiftSettings: common),
    sample("AdventuresDigest"),
    sample("AdventuresItinerary"),
    sample("AdventuresShare"),
    sample("AdventuresToday", ["AdventuresContent", "AppExtensions"]),
    sample("Clock"),
    sample("Headlines"),
    sample("LatinKeys"),
    .executableTarget(
      name: "Movies", dependencies: ["AppExtensions", "DataConnect", "MoviesSDK"], path: "Plugins/Movies",
      exclude: ["dataconnect", "generated"], swiftSettings: common),
    // As “host data generate” makes it, and so with the settings of a package of its own.
    .target(
      name: "MoviesSDK", dependencies: ["DataConnect"], path: "Plugins/Movies/generated/MoviesSDK/Sources",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    sample("MoviesToday", ["AppExtensions", "DataConnect", "MoviesSDK"]),
    sample("PhotoTones", ["AppExtensions", "CPNG", "CTurboJPEG"]),
    sample("RemoteFiles"),

    // MARK: Test fixtures
    .target(
      name: "TestPrograms", dependencies: ["EventLoop", "Files"], path: "Tests/Programs", swiftSettings: common),
    .target(
      name: "TestSupport", dependencies: ["HTTPClient"], path: "Tests/Support", swiftSettings: common),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Activation",
        "Base64",
        "CEL",
        "CommandLineTool",
        "ConfigurationFiles",
        "ContentClient",
        "ContentRepository",
        "ContentServer",
        "Contracts",
        "Cryptography",
        "DataConnectCompiler",
        "ExtensionHosting",
        "ExtensionProtocol",
        "GraphQL",
        "HTTPClient",
        "HTTPServer",
        "HostServices",
        "IdentityServer",
        "Images",
        "JSONRPC",
        "JSONSchema",
        "MultiLineText",
        "PropertyList",
        "Sandbox",
        "TerminalText",
        "TokenBroker",
        "WebSocket",
        "YAML",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .target(name: "FixtureWire", path: "Tests/Fixtures/FixtureWire", cSettings: commonC),
    .executableTarget(
      name: "FeatureDenier", dependencies: ["SwiftRuntimeStubs"], path: "Tests/Fixtures/FeatureDenier",
      cSettings: commonC, linkerSettings: [fullyStatic]),
    .target(name: "Greeting", path: "Tests/Fixtures/Greeting", swiftSettings: common),
    .executableTarget(
      name: "Greeter", dependencies: ["Greeting"], path: "Tests/Fixtures/Greeter", swiftSettings: common),
    .executableTarget(
      name: "MutantLauncher", dependencies: ["CLaunchPolicy", "SwiftRuntimeStubs"],
      path: "Tests/Fixtures/MutantLauncher", cSettings: commonC, linkerSettings: [fullyStatic]),
    .executableTarget(
      name: "OnMain", dependencies: ["AppExtensions"], path: "Tests/Fixtures/OnMain", swiftSettings: common),
    .executableTarget(
      name: "StandInHost", dependencies: ["Sandbox"], path: "Tests/Fixtures/StandInHost", swiftSettings: common),
    .executableTarget(
      name: "StoreWriter", dependencies: ["GroupStore", "PostgreSQL", "PostgreSQLGroupStore"],
      path: "Tests/Fixtures/StoreWriter", swiftSettings: common),
    .executableTarget(
      name: "TokenWorker", dependencies: ["ConfigurationFiles", "HTTPClient", "TokenBroker"],
      path: "Tests/Fixtures/TokenWorker", swiftSettings: common),
    .executableTarget(
      name: "TransferWorker", dependencies: ["EventLoop", "HTTPClient", "Transfers"],
      path: "Tests/Fixtures/TransferWorker", swiftSettings: common),
    .executableTarget(
      name: "StaticGreeter", dependencies: ["Greeting"], path: "Tests/Fixtures/StaticGreeter", swiftSettings: common,
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
  ] + fixtures.map(fixture) + tests + fuzzing,
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)
