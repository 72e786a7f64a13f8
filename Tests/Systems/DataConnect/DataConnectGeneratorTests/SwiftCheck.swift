import DataConnectGenerator
import Files
import TestPrograms
import Testing

/// Has the toolchain's compiler check generated code against the built `DataConnect`, and run it.
struct SwiftCheck {
  /// The package's root.
  static let root = (0..<5).reduce(File.resolved(#filePath) ?? #filePath) { path, _ in Folder.parent(of: path) }
  /// Where the build puts its products; the tests run beside them.
  static let products = Folder.parent(of: File.linkTarget(of: "/proc/self/exe") ?? ".")
  static let isBuilt = FileStatus("\(products)/Modules/DataConnect.swiftmodule") != nil

  static var flags: String {
    let maps = ["\(products)/CLinux.build", "\(root)/Sources/C/CLinux/include"].filter {
      FileStatus("\($0)/module.modulemap") != nil
    }
    let includes = (["\(products)/Modules"] + maps.prefix(1)).map { "-I '\($0)'" }
    let options = "-swift-version 6 -warnings-as-errors -parse-as-library -diagnostic-style=llvm"
    return "\(options) -module-cache-path '\(products)/ModuleCache' \(includes.joined(separator: " "))"
  }

  /// What the compiler says of the sources of a package, together with a file that uses them: nothing when all is well.
  static func errors(_ generator: PackageGenerator, use: String = "") throws -> [String] {
    let folder = try Folder.makeTemporary(beginning: "/tmp/generated-")
    defer { try? Folder.remove(folder) }
    _ = try GeneratedPackage.write(generator.files, to: folder)
    try File.replace("\(folder)/Sources/Use.swift", with: Array(use.utf8))
    let (text, status) = try ShellCommand.output(
      of: "swiftc -typecheck -module-name Movies \(flags) '\(folder)/Sources/'*.swift 2>&1")
    let lines = text.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("warning: ") }
    return status == 0 || !lines.isEmpty ? lines.map(String.init) : [text]
  }

  /// What a program made of a package and a file with `@main` writes.
  static func output(_ generator: PackageGenerator, main: String) throws -> String {
    let folder = try Folder.makeTemporary(beginning: "/tmp/generated-")
    defer { try? Folder.remove(folder) }
    _ = try GeneratedPackage.write(generator.files, to: folder)
    try File.replace("\(folder)/Sources/Main.swift", with: Array(main.utf8))
    let modules = ["CLinux", "DataConnect", "DataConnectWire", "JSON", "Time"]
    let objects = modules.map { "$(find '\(products)/\($0).build' -name '*.o')" }.joined(separator: " ")
    let (text, _) = try ShellCommand.output(
      of: """
        swiftc -module-name Movies \(flags) -o '\(folder)/program' '\(folder)/Sources/'*.swift \(objects) 2>&1 \
        && '\(folder)/program' 2>&1
        """)
    return text
  }
}
