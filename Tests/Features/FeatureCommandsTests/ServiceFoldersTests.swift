import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Foundation
import JSON
import TestSupport
import Testing

@testable import FeatureCommands

/// Where `host data` finds services, and the paths that it writes.
@Suite(.timeLimit(.minutes(1)))
struct `The folders of services` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ path: String, _ text: String = "") throws {
    let file = folder.file(path)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    _ = try folder.write(text, to: path)
  }

  private func found(_ path: String = "") -> [String] {
    ServiceFolders.search(folder.path + path).map { String($0.dropFirst(folder.path.count)) }
  }

  @Test func `are the folder itself, else what firebase json names, else those below it`() throws {
    for service in ["b", "a/inner", "c"] { try write("\(service)/dataconnect.yaml") }
    #expect(found() == ["/a/inner", "/b", "/c"])
    try write(
      "firebase.json",
      #"{"dataconnect": [{"source": "./c"}, {"source": "b"}, {"source": "gone"}, {}]}"#)
    #expect(found() == ["/c", "/b"])
    // What is named and is no service does not hide those that are there.
    try write("firebase.json", #"{"dataconnect": {"source": "gone"}}"#)
    #expect(found() == ["/a/inner", "/b", "/c"])
    try write("dataconnect.yaml")
    #expect(found() == [""])
    #expect(found("/a") == ["/a/inner"])
  }

  @Test func `are named by one text or by a list, relative to the file`() throws {
    func named(_ json: String) throws -> [String] {
      try write("firebase.json", json)
      return ServiceFolders.named(in: folder.path)
    }
    #expect(try named(#"{"dataconnect": {"source": "a/b"}}"#) == ["\(folder.path)/a/b"])
    #expect(
      try named(
        #"{"dataconnect": [{"source": "."}, {"source": "./"}, {"source": ""}, {"source": "/x"}]}"#)
        == [folder.path, folder.path, folder.path, "/x"])
    for other in ["{", "{}", #"{"dataconnect": 5}"#, #"{"dataconnect": [{"source": 1}]}"#] {
      #expect(try named(other) == [], "\(other)")
    }
  }

  @Test func `are looked for five folders deep, and not in what others have made`() throws {
    try write("1/2/3/4/5/dataconnect.yaml")
    try write("a/b/c/d/e/f/dataconnect.yaml")
    for name in [".hidden", "node_modules", "Pods", "build", "Carthage", "DerivedData"] {
      try write("\(name)/dataconnect.yaml")
    }
    // A service in a service is a part of it.
    try write("s/dataconnect.yaml")
    try write("s/inner/dataconnect.yaml")
    // A folder of the file's name is none, and no link is followed; a link to the file is one.
    try write("n/dataconnect.yaml/x")
    try write("l/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("s"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("l/dataconnect.yaml"),
      withDestinationPath: folder.file("s/dataconnect.yaml"))
    #expect(found() == ["/1/2/3/4/5", "/l", "/s"])
  }

  @Test func `are at most sixty-four`() throws {
    for number in 100...164 { try write("\(number)/dataconnect.yaml") }
    #expect(found() == (100...163).map { "/\($0)" })
  }

  @Test func `are missed with advice that says where to look`() throws {
    let gone = #expect(throws: Failure.self) { try ServiceFolders.find(folder.file("gone")) }
    #expect(gone?.status == .noInput && gone?.error.code == .invalidParams)
    #expect(gone?.error.message.hasPrefix("There is no folder “\(folder.path)/gone”.") == true)
    #expect(gone?.error.details["path"] == .string(folder.file("gone")))
    let empty = #expect(throws: Failure.self) { try ServiceFolders.find(folder.path) }
    #expect(empty?.status == .noInput)
    #expect(
      empty?.error.message == "There is no dataconnect.yaml in “\(folder.path)” and below it.")
    #expect(empty?.error.recovery?.contains("host data init") == true)
    try write("a/dataconnect.yaml")
    #expect(try ServiceFolders.find(folder.path) == ["\(folder.path)/a"])
  }

  // MARK: Paths

  @Test func `are found from the root, also where they are still to be made`() throws {
    try write("real/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("real"))
    let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    #expect(ServicePath.absolute(folder.file("link")) == "\(root)/real")
    #expect(ServicePath.absolute(folder.file("link/new/./sub/")) == "\(root)/real/new/sub")
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .resolvingSymlinksInPath().path
    #expect(ServicePath.absolute("not there") == "\(current)/not there")
    #expect(ServicePath.absolute("not there/at all") == "\(current)/not there/at all")
    #expect(ServicePath.absolute("/not there") == "/not there")
  }

  static let ways: [(path: String, folder: String, way: String)] = [
    ("/a/b/c", "/a/d", "../b/c"), ("/a", "/a", "."), ("/a", "/a/b/c", "../.."), ("/a/b", "/a", "b"),
    ("/ab/c", "/a/c", "../../ab/c"), ("/x", "/", "x"), ("/", "/x", ".."),
  ]

  @Test(arguments: ways) func `are reached from one another`(
    path: String, folder: String, way: String
  ) {
    #expect(ServicePath.relative(path, to: folder) == way)
  }

  // MARK: What is written

  @Test func `are named after, and a generated package is depended on by its path`() {
    let dependency = GeneratedDependency("/nowhere/gen/MySDK", for: "/nowhere/app")
    #expect(dependency.dependency == #".package(path: "../gen/MySDK")"#)
    #expect(dependency.product == #".product(name: "MySDK", package: "MySDK")"#)
    func isIn(_ text: String) -> [Bool] {
      let found = dependency.isIn(Array(text.utf8))
      return [found.package, found.target]
    }
    #expect(isIn(#".package(name: "x", path: "../gen/MySDK")"#) == [true, false])
    #expect(isIn(#".product(name: "MySDK", package: "other")"#) == [false, true])
    #expect(
      isIn(#".package(path: "gen/MySDK") .product(name: "MySDK2", package: "MySDK")"#) == [
        false, false,
      ])
  }

  @Test func `give names to connectors and packages`() {
    #expect(StarterService.package("friendly-flix") == "FriendlyFlixSDK")
    #expect(StarterService.package("a_b.2c") == "AB2cSDK")
    #expect(StarterService.package("") == "SDK")
    for (name, id) in [
      ("My Conn.2", "my-conn-2"), ("1a", "default"), ("", "default"), ("é", "default"),
      ("aé", "a-"), ("-", "default"),
    ] {
      #expect(StarterService.connectorID(name) == id, "\(name)")
    }
    #expect(
      StarterService.connectorID(String(repeating: "a", count: 64))
        == String(repeating: "a", count: 63))
    #expect(
      StarterService.connector("c", "../out", "CSDK")
        == "connectorId: \"c\"\ngenerate:\n  swiftSdk:\n    outputDir: \"../out\"\n    package: \"CSDK\"\n"
    )
  }
}
