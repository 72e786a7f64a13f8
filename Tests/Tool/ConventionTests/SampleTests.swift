import Foundation
import Glibc
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A sample` {
  /// The folders of Plugins with the name of their program.
  static let programs: [String] = {
    let names = SourceTree.all.filter { $0.path.hasPrefix("Plugins/") }.compactMap { file in
      file.path.split(separator: "/").dropFirst().first.map(String.init)
    }
    // A package of its own has its own manifests, and so has an app of scripts; the rest is no program.
    let others = Set(names).filter { name in
      ["AdventuresAPI", "AdventuresContent", "Clients", "Templates"].contains(name)
        || SourceTree.exists("Plugins/\(name)/Package.swift")
        || SourceTree.exists("Plugins/\(name)/Manifests")
    }
    return Set(names).subtracting(others).sorted()
  }()

  static func propertyList(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: SourceTree.root.appendingPathComponent(path))
    let value = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    return try #require(value as? [String: Any])
  }

  @Test func `has a manifest of its name`() throws {
    #expect(Self.programs.count > 3)
    for program in Self.programs {
      let path = "Manifests/\(program).plist"
      #expect(SourceTree.exists(path), "\(path) is missing")
      guard SourceTree.exists(path) else { continue }
      let manifest = try Self.propertyList(path)
      let executable = try #require(manifest["CFBundleExecutable"] as? String)
      let isScript = (manifest["Annex"] as? [String: Any])?["Interpreter"] != nil
      #expect(
        isScript
          ? SourceTree.exists("Plugins/\(program)/\(executable.split(separator: "/").last ?? "")")
          : executable == program)
    }
  }

  @Test func `of the tests has a manifest below the fixtures' app`() throws {
    let manifests = SourceTree.files(below: "Tests/Fixtures/Manifests", suffix: ".plist")
    #expect(manifests.count > 10)
    for file in manifests {
      let manifest = try Self.propertyList(file.path)
      let identifier = try #require(manifest["CFBundleIdentifier"] as? String)
      #expect(identifier.hasPrefix("com.example.fixtures"), "\(file.path)")
      let executable = try #require(manifest["CFBundleExecutable"] as? String)
      #expect(SourceTree.exists("Tests/Fixtures/\(executable)"), "\(file.path) names \(executable)")
    }
  }

  /// The folder of built products: the tests run from it.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  static func built(_ program: String) -> String? {
    let path = products.appendingPathComponent(program).path
    return access(path, X_OK) == 0 ? path : nil
  }

  @Test(.enabled("Clock is not built", { built("Clock") != nil })) func `is linked without Foundation`() throws {
    for program in Self.programs {
      guard let path = Self.built(program) else { continue }
      let libraries = try Self.libraries(of: path)
      #expect(libraries.contains("libc.so"), "ldd says nothing of \(program)")
      for heavy in ["libFoundation.so", "libFoundationXML.so", "libFoundationNetworking.so", "lib_FoundationICU.so"] {
        #expect(!libraries.contains(heavy), "\(program) loads \(heavy)")
      }
    }
  }

  /// What `ldd` prints for an executable of ours.
  static func libraries(of path: String) throws -> String {
    try ShellCommand.output(of: "ldd '\(path)'").text
  }
}
