// swift-tools-version: 6.3
import Foundation
import PackageDescription

// A target is a folder of its name in one of the wings; what it needs is written here. See Architecture.md.

// MARK: - Settings

let common: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"), .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// For the targets that touch raw memory: every unsafe use is written `unsafe`.
let strict: [SwiftSetting] = common + [.strictMemorySafety()]
// Libraries have no unsafe flags: versions of the package manager refuse such a package as a dependency.
let commonC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

/// For C executables: SwiftPM links every executable with swiftc, which has no plainer way to say static.
let fullyStatic = LinkerSetting.unsafeFlags(names("-static-stdlib -Xclang-linker -static -Xlinker --gc-sections"))
/// For extensions: a release build has everything in it, so nothing is searched, mapped and relocated at its start.
let startsFast = LinkerSetting.unsafeFlags(["-static-executable"], .when(configuration: .release))

let strictTargets = names(
  """
  Text ConfigurationFiles ContentClient ContentRepository Cryptography DataConnectClient EventLoop Files FuzzTargets
  GraphQL HTTP2 HTTPClient HTTPServer Images JSON JSONRPC MultiLineText PostgreSQL PostgreSQLCluster PropertyListXML
  SQLite Sandbox Time TokenBroker Transfers WebSocket WebTokens YAML fuzz
  """)
func settings(_ name: String) -> [SwiftSetting] { strictTargets.contains(name) ? strict : common }

// MARK: - Folders

func names(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

/// Reads rows "NAME: WORDS", several of them on a line with semicolons; an indented line goes on with the words of the row
/// before it, and "#" begins a heading.
func table(_ text: String) -> [String: String] {
  var (rows, name): ([String: String], String) = ([:], "")
  for line in text.split(separator: "\n") where !line.hasPrefix("#") {
    for row in line.split(separator: ";") {
      let parts = row.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { name = names(String(parts[0]))[0] }
      rows[name, default: ""] += " \(parts[parts.count - 1])"
    }
  }
  return rows
}

/// The folders in a folder of the package.
func folders(in path: String) -> [String] {
  let whole = "\(Context.packageDirectory)/\(path)"
  return ((try? FileManager.default.contentsOfDirectory(atPath: whole)) ?? []).sorted().filter { name in
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: "\(whole)/\(name)", isDirectory: &isFolder) && isFolder.boolValue
  }
}
func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)") }

/// Where the rooms are: the folders of the wings, and those of the systems.
let wings: [String] =
  names("Sources/C Sources/Base Sources/Engine Sources/Features Sources/Tool Sources/Tool/Benchmarks Plugins")
  + names("Tests/Base Tests/Engine Tests/Features Tests/Tool Tests/Fixtures Tests/Fuzz Tests")
  + ["Sources", "Tests"].flatMap { root in folders(in: "\(root)/Systems").map { "\(root)/Systems/\($0)" } }
/// The folder of each room by its name.
let rooms: [String: String] = Dictionary(
  wings.flatMap { wing in folders(in: wing).map { ($0, "\(wing)/\($0)") } }, uniquingKeysWith: { first, _ in first })

/// What lies in the folder of a target and is no source of it.
func exclusions(of path: String) -> [String] {
  names("Assets Goldens README.md WKND").filter { exists("\(path)/\($0)") }
}

// MARK: - Kinds of targets

func dependencies(_ text: String) -> [Target.Dependency] { names(text).map { .byName(name: $0) } }

func library(_ name: String, _ needs: String) -> Target {
  let path = rooms[name] ?? name
  return .target(
    name: name, dependencies: dependencies(needs), path: path, exclude: exclusions(of: path),
    swiftSettings: settings(name), plugins: pluginsOfLibraries[name].map { [.plugin(name: $0)] })
}

func program(_ name: String, path: String? = nil, exclude: [String] = [], linker: [LinkerSetting] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies(libraries[name] ?? "AppExtensions"), path: path ?? rooms[name],
    exclude: exclude, swiftSettings: settings(name), linkerSettings: linker)
}

/// The tests of a library, which may use what the library needs; or tests of many, with a name of their own.
func tests(_ name: String, _ needs: String) -> Target {
  let tested = String(name.dropLast("Tests".count))
  let own = libraries[tested].map { "\(tested) \($0)" } ?? ""
  let needs = "TestPrograms TestSupport \(needs)"
  return .testTarget(
    name: name, dependencies: dependencies(Set(names("\(own) \(needs)")).sorted().joined(separator: " ")),
    path: rooms[name], exclude: exclusions(of: rooms[name] ?? name), swiftSettings: common)
}

// MARK: - Features

/// One feature is one method prefix and one folder under `Sources/Features`. Adding one: a folder and a word here.
let features = names(
  """
  API Action Auth Bundles Container Content Data Defaults DocumentPicker FileProvider Items Keyboard Network OpenURL
  Permissions PhotoEditing Request Sessions Share Today TypeIdentifiers
  """)

/// The host layers that are products of their own, each with the library of its system; `HostServices` has the others.
let hostProducts = [
  "ContentServices": "Content", "DataServices": "Data", "IdentityServices": "Auth", "NetworkServices": "Network",
  "SessionServices": "Sessions",
]

/// The features whose commands need no server, client or database: the tool itself has them, and the second program too.
let lightCommands = names("Defaults Permissions TypeIdentifiers")

/// The folders that the target of a layer leaves to others: other features and layers, and rooms that are no feature.
func exclusions(of target: String, _ layer: String, _ own: [String]) -> [String] {
  folders(in: "Sources/Features").filter { $0 != target }.flatMap { name in
    !own.contains(name)
      ? [name] : folders(in: "Sources/Features/\(name)").filter { $0 != layer }.map { "\(name)/\($0)" }
  } + ["README.md"].filter { exists("Sources/Features/\($0)") }
}

/// One layer of some features, which is a target, with the folder of its name where there is one; a feature need not have
/// all layers. The package manager remembers what this file came to, so `make` has it read anew: a feature may have got a
/// layer that it lacked.
func featureLayer(_ name: String, _ layer: String, of own: [String] = features) -> Target {
  .target(
    name: name, dependencies: dependencies(libraries[name] ?? ""), path: "Sources/Features",
    exclude: exclusions(of: name, layer, own), swiftSettings: common, plugins: ["FeatureList"])
}

// MARK: - What each library needs

let libraries = table(
  """
  # C
  CAuthFloor: CCurl; CContentFloor: CFloor CMicroHTTPD; CDataFloor: CFloor CMicroHTTPD CPostgreSQL
  CImageFloor: CTurboJPEG; CPostgreSQLFloor: CPostgreSQL; CStoreFloor: CSQLite; CTransferFloor: CCurl CFloor CSQLite
  # Base
  JSON: CLinux; Pattern:; Text:; Time: CLinux; CommandLineTool: CLinux Text; ConfigurationFiles: Files Text
  Cryptography: CCrypto; EventLoop: CLinux; Files: CLinux; GraphQL: JSON Text; HTTP:; GRPC: HTTP; HTML:
  HTTP2: CNGHTTP2 EventLoop HTTP; ProtocolBuffers: JSON; HTTPClient: CCurl EventLoop HTTP Text Time
  HTTPServer: CLinux CMicroHTTPD Cryptography EventLoop Files HTTP Text; ImageFile:; JSONSchema: JSON
  PostgreSQL: CPostgreSQL EventLoop Text; PropertyList:; PropertyListXML: CExpat PropertyList Text Time
  SharedFiles: EventLoop Files; SQLite: CLinux CSQLite EventLoop Files Text Time
  WebSocket: Cryptography EventLoop HTTP Text; WebTokens: Cryptography Text; YAML: CYAML Text
  # Engine
  Activation: Pattern PropertyList Text; Conformance: EventLoop ExtensionHosting ExtensionProtocol JSON JSONRPC JSONSchema
  ExtensionHosting: Activation CLinux CommandLineTool EventLoop ExtensionProtocol Files JSON JSONRPC JSONSchema
    PropertyList PropertyListXML Sandbox SharedFiles Text Time
  ExtensionProtocol: JSON JSONRPC JSONSchema PropertyList Text; Sandbox: CLaunchPolicy CLinux Files Text
  ExtensionRuntime: CLinux EventLoop ExtensionProtocol Files JSON JSONRPC Text; JSONRPC: CLinux EventLoop JSON Text
  # Systems: content
  ContentClient: CLinux ConfigurationFiles Cryptography EventLoop Files HTTP HTTPClient ImageFile JSON SQLite Text Time
  ContentRepository: Files GraphQL HTTP ImageFile JSON MultiLineText Pattern Text Time
  ContentServer: ContentRepository Cryptography EventLoop Files GraphQL HTTP HTTPServer ImageFile Images JSON Text
  Images: CGIF CPNG CTurboJPEG CWebP ImageFile; MultiLineText: CMarkdown CXML JSON Text
  TerminalText: CommandLineTool MultiLineText
  # Systems: Data Connect
  CEL: JSON Pattern Text Time; DataConnect: DataConnectWire JSON Time
  DataConnectClient: ConfigurationFiles Cryptography DataConnectWire EventLoop Files HTTPClient JSON SQLite Text Time
    WebSocket; DataConnectCompiler: Files GraphQL JSON Text Time YAML
  DataConnectEmulator: CEL Cryptography DataConnectCompiler DataConnectMessages DataConnectMigration
    DataConnectStatements EventLoop Files GRPC GraphQL HTTP HTTP2 HTTPServer JSON PostgreSQL ProtocolBuffers Text Time
    WebSocket WebTokens
  DataConnectGenerator: DataConnectCompiler Files GraphQL Text; DataConnectMessages: GRPC JSON ProtocolBuffers
  DataConnectMigration: DataConnectCompiler EventLoop Files GraphQL PostgreSQL Text
  DataConnectStatements: DataConnectCompiler GraphQL JSON PostgreSQL Text Time; DataConnectWire: JSON
  # Systems: documents, identity, sessions, store
  FileServer: CLinux Files HTTP HTTPServer JSON Text; PostgreSQLCluster: CLinux EventLoop Files HTTP PostgreSQL Text Time
  GroupStore: EventLoop Files SQLite Text Time; PostgreSQLGroupStore: EventLoop GroupStore PostgreSQL Text
  IdentityServer: CLinux Cryptography EventLoop Files HTTP HTTPServer JSON Text Time WebTokens
  TokenBroker: ConfigurationFiles Cryptography EventLoop Files HTTP HTTPClient JSON SharedFiles Text Time WebTokens
  Transfers: CLinux Cryptography EventLoop Files HTTPClient JSON SQLite Text Time
  # Systems: signing
  BundleIndex: BundleSeals Cryptography Files HTTPServer JSON Text UpdateMetadata
  BundleSeals: Cryptography Files JSON PropertyList PropertyListXML Text; UpdateMetadata: Cryptography HTTP JSON Time
  # Features: the layers
  Contracts: ExtensionProtocol JSON JSONRPC JSONSchema PropertyList Text
  AppExtensions: CLinux Contracts DataConnectWire EventLoop ExtensionProtocol ExtensionRuntime Files JSON JSONRPC
    JSONSchema PropertyList Text
  HostServices: Activation CLinux Contracts EventLoop ExtensionHosting ExtensionProtocol Files GroupStore ImageFile JSON
    JSONRPC PropertyList SQLite Text Time
  Fetching: Contracts ExtensionHosting ExtensionProtocol HTTP HTTPClient JSON PropertyList Text
  BundleInstalling: BundleIndex BundleSeals Cryptography EventLoop ExtensionHosting ExtensionProtocol Files HTTPClient
    HostServices JSON Sandbox SharedFiles Text Time UpdateMetadata
  ContentServices: ConfigurationFiles ContentClient Contracts ExtensionHosting ExtensionProtocol JSON
  DataServices: ConfigurationFiles Contracts Cryptography DataConnectClient EventLoop ExtensionHosting ExtensionProtocol
    HTTPClient IdentityServices JSON JSONRPC Text TokenBroker
  IdentityServices: ConfigurationFiles Contracts Cryptography ExtensionHosting ExtensionProtocol Fetching HTTPClient
    JSON JSONRPC Text Time TokenBroker
  NetworkServices: Contracts ExtensionHosting ExtensionProtocol Fetching HTTPClient
  SessionServices: CLinux Contracts EventLoop ExtensionHosting ExtensionProtocol Fetching Files GroupStore HTTPClient
    HostServices JSON JSONRPC Sandbox Text Time Transfers
  HostPage: Activation Contracts Cryptography EventLoop ExtensionHosting ExtensionProtocol Files HTML HTTP HTTPServer
    HostServices JSON PropertyList Text Time
  FeatureChecks: Activation Conformance ContentServices Contracts DataServices ExtensionHosting ExtensionProtocol
    HostServices IdentityServices JSON JSONRPC NetworkServices SessionServices
  CommandRuntime: Activation CLinux CommandLineTool ConfigurationFiles Conformance Contracts EventLoop ExtensionHosting
    ExtensionProtocol Files GroupStore HostServices JSON JSONRPC Text Time
  LightCommands: Activation CommandLineTool CommandRuntime Contracts ExtensionHosting ExtensionProtocol Files
    HostServices JSON JSONRPC PropertyList PropertyListXML Text
  FeatureCommands: Activation BundleIndex BundleInstalling BundleSeals CLinux CommandLineTool CommandRuntime
    ConfigurationFiles ContentClient ContentRepository ContentServer ContentServices Contracts Cryptography
    DataConnectCompiler DataConnectEmulator DataConnectGenerator DataConnectMigration DataServices EventLoop
    ExtensionHosting ExtensionProtocol FileServer Files GraphQL HTTP HTTPClient HTTPServer HostServices IdentityServer
    IdentityServices ImageFile JSON JSONRPC MultiLineText NetworkServices PostgreSQL PostgreSQLCluster PropertyList
    SessionServices TerminalText Text Time TokenBroker Transfers
  # Tool
  Authoring: CommandRuntime ExtensionHosting ExtensionProtocol Files PropertyList PropertyListXML Text
  ExtensionTesting: AppExtensions ContentServices Contracts DataServices EventLoop ExtensionHosting ExtensionProtocol
    ExtensionRuntime Files HostServices IdentityServices JSON JSONRPC NetworkServices SessionServices
  HostCLI: Authoring CLinux CommandLineTool CommandRuntime Conformance Contracts EventLoop ExtensionHosting
    ExtensionProtocol Files GroupStore HTML HostServices JSON JSONRPC JSONSchema PropertyList SQLite Sandbox
    SandboxTrials Text
  PageCommand: BundleInstalling CLinux CommandLineTool CommandRuntime Cryptography EventLoop ExtensionHosting
    ExtensionProtocol FeatureCommands Files HTML HostPage HostServices IdentityServices JSON SessionServices Text Time
    TokenBroker Transfers
  LinkedLibraries: BundleInstalling CommandLineTool CommandRuntime ExtensionHosting ExtensionProtocol GroupStore
    HTTPClient HTTPServer PostgreSQL PostgreSQLGroupStore TokenBroker
  benchmarks: BenchmarkResults BundleIndex BundleInstalling BundleSeals CAuthFloor CContentFloor CDataFloor CFloor
    CImageFloor CPostgreSQLFloor CStoreFloor CTransferFloor CommandLineTool ConfigurationFiles ContentClient
    ContentServer ContentServices Contracts Cryptography DataConnectClient DataConnectCompiler DataConnectEmulator
    DataConnectGenerator DataConnectMessages DataConnectStatements DataServices EchoContract EventLoop ExtensionHosting
    ExtensionProtocol Files GRPC GraphQL GroupStore HTTPClient HTTPServer HostServices IdentityServer IdentityServices
    Images JSON JSONRPC MeasuredHost PostgreSQL PostgreSQLCluster PostgreSQLGroupStore Sandbox SessionServices TestPrograms
    Text TokenBroker Transfers WebSocket
  MeasuredHost: BenchmarkResults CFloor CLinux EchoContract EventLoop ExtensionHosting ExtensionProtocol Files JSON
    JSONRPC Sandbox
  # Samples, and what tests share
  Adventures: AdventuresAPI AdventuresContent AppExtensions; AdventuresAPI: AppExtensions
  AdventuresAccount: AdventuresAPI AppExtensions; AdventuresContent: AppExtensions
  AdventuresToday: AdventuresContent AppExtensions; BenchmarkResults: HTML JSON
  DataEcho: AppExtensions DataConnect EchoContract MoviesSDK; Echo: AppExtensions EchoContract
  EchoContract: ExtensionProtocol JSON; benchmark-host: MeasuredHost; Movies: AppExtensions DataConnect MoviesSDK
  MoviesToday: AppExtensions DataConnect MoviesSDK; PhotoTones: AppExtensions CPNG CTurboJPEG
  host: Conformance Contracts ExtensionHosting HostCLI LightCommands
  host-services: Contracts FeatureChecks FeatureCommands HostCLI LightCommands LinkedLibraries PageCommand
  FuzzTargets: Activation BundleIndex BundleSeals CEL CommandLineTool ConfigurationFiles ContentClient
    ContentRepository ContentServer Contracts Cryptography DataConnectCompiler DataConnectMessages ExtensionHosting
    ExtensionProtocol Fetching GRPC GraphQL HTTP HTTP2 HTTPClient HTTPServer HostServices IdentityServer ImageFile
    Images JSON JSONRPC JSONSchema MultiLineText PropertyList ProtocolBuffers Sandbox TerminalText Text TokenBroker
    UpdateMetadata WebSocket WebTokens YAML
  Greeter: Greeting; Greeting:; StandInHost: Sandbox; StaticGreeter: Greeting; SandboxTrials: CLinux Files Sandbox
  StoreWriter: GroupStore PostgreSQL PostgreSQLGroupStore; TokenWorker: ConfigurationFiles HTTPClient TokenBroker
  TransferWorker: EventLoop HTTPClient Transfers; UpdateClient: Files HTTP HTTPClient Time UpdateMetadata
  fuzz: FuzzTargets; TestPrograms: EventLoop Files; TestSupport: CLinux EventLoop HTTPClient HTTPServer TestPrograms
  TestUsers: Cryptography IdentityServer
  """)
/// Libraries that have files or a program in them: see the plugins.
let pluginsOfLibraries = table(
  "Authoring: EmbeddedFiles; ContentRepository: EmbeddedFiles; HostPage: EmbeddedFiles; Sandbox: EmbeddedLauncher"
).mapValues { names($0)[0] }

// MARK: - What the tests need beside the library that they test

let testNeeds = table(
  """
  FilesTests: Time; BenchmarkResultsTests: BenchmarkResults JSON JSONRPC
  ChaosTests: Contracts ExtensionHosting ExtensionProtocol FeatureChecks HostServices JSON JSONRPC
  ContentClientTests: CCrypto HTTPServer; ContentServerTests: HTTPClient; ConventionTests: Contracts ExtensionProtocol
  DataConnectClientTests: DataConnect DataConnectEmulator HTTPServer MoviesSDK PostgreSQL
  DataConnectEmulatorTests: ConfigurationFiles DataConnectClient HTTPClient; DataConnectGeneratorTests: DataConnect
  DataConnectStatementsTests: DataConnectMigration EventLoop; FeatureCommandsTests: Conformance LightCommands TestUsers
  FeatureTests: Activation AppExtensions ConfigurationFiles Conformance ContentServices Contracts Cryptography DataConnect
    DataConnectEmulator DataServices EventLoop ExtensionHosting ExtensionProtocol ExtensionRuntime ExtensionTesting
    FeatureChecks Fetching Files GroupStore HTTPClient HTTPServer HostServices IdentityServer IdentityServices ImageFile
    JSON JSONRPC JSONSchema NetworkServices PropertyList Sandbox SessionServices TestUsers Text Time TokenBroker
    Transfers WebSocket; FileServerTests: HTTPClient; FuzzTests: FuzzTargets HTTPClient HTTPServer
  GroupStoreTests: CLinux PostgreSQL PostgreSQLGroupStore; HTTPClientTests: HTTP HTTPServer; HTTP2Tests: CLinux
  HTTPServerTests: HTTP HTTPClient; HostPageTests: JSONRPC; IdentityServerTests: HTTP HTTPClient
  JSONSchemaTests: ExtensionProtocol PropertyList; PageCommandTests: BundleIndex
  ProcessTests: Activation BundleSeals CLinux CPNG CTurboJPEG ConfigurationFiles Conformance ContentServer
    ContentServices Contracts Cryptography DataConnectEmulator DataServices EventLoop ExtensionHosting ExtensionProtocol
    FeatureChecks HTTPClient HTTPServer HostServices IdentityServer IdentityServices JSON JSONRPC PostgreSQL
    PropertyList Sandbox TestUsers Time TokenBroker
  SQLiteTests: Files; SandboxProcessTests: CLinux Files Sandbox SandboxTrials; BundleInstallingTests: HTTPServer
  TokenBrokerTests: HTTPServer IdentityServer TestUsers; TransfersTests: HTTPServer; WebSocketTests: CLinux
  """)

// MARK: - C

/// System libraries: NAME/NAME FOR PKG-CONFIG/DEBIAN PACKAGES.
let systemLibraries = names(
  """
  CCrypto/libcrypto/libssl-dev CCurl/libcurl/libcurl4-openssl-dev CExpat/expat/libexpat1-dev CGIF/libgif/libgif-dev
  CMarkdown/libcmark-gfm/libcmark-gfm-dev+libcmark-gfm-extensions-dev CMicroHTTPD/libmicrohttpd/libmicrohttpd-dev
  CNGHTTP2/libnghttp2/libnghttp2-dev CPNG/libpng16/libpng-dev CPostgreSQL/libpq/libpq-dev CSQLite/sqlite3/libsqlite3-dev
  CTurboJPEG/libturbojpeg/libturbojpeg0-dev CWebP/libwebp/libwebp-dev CXML/libxml-2.0/libxml2-dev
  CYAML/yaml-0.1/libyaml-dev
  """
).map { $0.split(separator: "/").map(String.init) }
/// Our own C, with the libraries that it is linked with.
let cTargets = table(
  """
  CAuthFloor: curl; CContentFloor: microhttpd; CDataFloor: microhttpd pq; CImageFloor: turbojpeg; CPostgreSQLFloor: pq
  CStoreFloor: sqlite3; CTransferFloor: curl sqlite3; CFloor:; CLaunchPolicy:; CLinux:; FixtureWire:; SwiftRuntimeStubs:
  """)
func cProgram(_ name: String, _ needs: String, _ linker: [LinkerSetting] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies(needs), path: rooms[name], cSettings: commonC, linkerSettings: linker)
}
let cPrograms: [Target] =
  [
    // Pages between code and data: one of the attempts has the code reach into them.
    cProgram(
      "sandbox-attempts", "SwiftRuntimeStubs",
      [fullyStatic, .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "max-page-size=65536"])])
  ]
  + names("FeatureDenier floor-plugin").map { cProgram($0, "SwiftRuntimeStubs", [fullyStatic]) }
  + names("MutantLauncher extension-launcher").map {
    cProgram($0, "CLaunchPolicy SwiftRuntimeStubs", [fullyStatic])
  }
  // Programs that misbehave, for tests: all of it canned.
  + names(
    """
    Chatterbox Compiler Crasher Dawdler DoubleCompleter Fixtures Garbage Glutton Grandparent Hanger Lengthy Liar OldTimer
    Quitter Snoop Stubborn
    """
  ).map { cProgram($0, "FixtureWire") }

// MARK: - Programs

/// Programs of Swift; those that are not named need nothing but the SDK.
let programs: [Target] =
  [
    program(
      "benchmarks", path: "Sources/Tool/Benchmarks",
      exclude: names("Baseline.json BenchmarkResults DataEcho Echo EchoContract MeasuredHost benchmark-host")),
    program("Movies", exclude: names("dataconnect generated seed.gql")),
    program("StaticGreeter", linker: [.unsafeFlags(["-static-stdlib"])]),
    // As “host data generate” makes it, and so with the settings of a package of its own.
    .target(
      name: "MoviesSDK", dependencies: ["DataConnect"], path: "Plugins/Movies/generated/MoviesSDK/Sources",
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
  + names("DataEcho Echo").map { program($0, linker: [startsFast]) }
  + names(
    """
    Adventures AdventuresAccount AdventuresDigest AdventuresItinerary AdventuresShare AdventuresToday Clock Greeter Headlines
    LatinKeys Mistaken MoviesToday OnMain PhotoTones RemoteFiles StandInHost StoreWriter TokenWorker TransferWorker
    UpdateClient benchmark-host host host-services
    """
  ).map { program($0) }

/// Only `make fuzz` builds this: everything it needs is then built with libFuzzer's instrumentation.
let fuzzing: [Target] =
  Context.environment["ANNEX_FUZZ"] == nil ? [] : [program("fuzz", path: "Tests/Fuzz/Driver")]

let layers =
  [
    featureLayer("Contracts", "Contract"), featureLayer("AppExtensions", "Extension"),
    featureLayer("HostServices", "Host", of: features.filter { !hostProducts.values.contains($0) }),
    featureLayer("FeatureChecks", "Conformance"),
    featureLayer("FeatureCommands", "Command", of: features.filter { !lightCommands.contains($0) }),
    featureLayer("LightCommands", "Command", of: lightCommands),
  ] + hostProducts.sorted { $0.key < $1.key }.map { featureLayer($0.key, "Host", of: [$0.value]) }

/// The targets of the table that are no plain libraries.
let others = Set((layers + programs + fuzzing).map(\.name) + cTargets.keys + ["fuzz"])

// MARK: - The package

let package = Package(
  name: "annex",
  products: [
    .library(name: "ExtensionProtocol", targets: ["ExtensionProtocol", "JSON", "JSONRPC", "PropertyList"]),
    // Of its own, so that only an embedder who shares a group store between machines links libpq.
    .library(name: "PostgreSQL", targets: ["PostgreSQL", "PostgreSQLGroupStore"]),
    .executable(name: "host", targets: ["host"]),
    .executable(name: "host-services", targets: ["host-services"]),
  ]
    + (names(
      """
      AppExtensions BundleInstalling Contracts DataConnect DataConnectClient ExtensionHosting ExtensionTesting HostPage
      HostServices
      """) + hostProducts.keys.sorted())
    .map { .library(name: $0, targets: [$0]) },
  targets: systemLibraries.map { row in
    .systemLibrary(
      name: row[0], path: rooms[row[0]], pkgConfig: row[1],
      providers: [.apt(row[2].split(separator: "+").map(String.init))])
  }
    + cTargets.sorted { $0.key < $1.key }.map { name, linked in
      .target(
        name: name, dependencies: dependencies(libraries[name] ?? ""), path: rooms[name], cSettings: commonC,
        linkerSettings: names(linked).map { .linkedLibrary($0) })
    } + cPrograms + layers + programs + fuzzing
    + libraries.filter { row in rooms[row.key] != nil && !others.contains(row.key) }.sorted { $0.key < $1.key }
    .map { library($0, $1) }
    + names("EmbeddedFiles EmbeddedLauncher FeatureList").map {
      .plugin(name: $0, capability: .buildTool(), path: rooms[$0])
    }
    + rooms.keys.filter { $0.hasSuffix("Tests") }.sorted().map { tests($0, testNeeds[$0] ?? "") },
  swiftLanguageModes: [.v6], cLanguageStandard: .gnu11
)
