import Foundation
import PackagePlugin

/// Builds the program `extension-launcher` and writes it into the library `Sandbox` as text, so that a host needs no
/// program beside it.
///
/// The package manager links every program with the Swift compiler, so this calls clang itself: a static program needs no
/// unsafe flags then. It is built for the machine that builds. In a host that is built for another processor the text is
/// empty, and such a host is given a launcher with `ANNEX_LAUNCHER`.
@main
struct EmbeddedLauncher: BuildToolPlugin {
  /// The folders of the sources.
  private static let folders = ["Sources/C/extension-launcher", "Sources/C/CLaunchPolicy"]
  private static let headers = "Sources/C/CLaunchPolicy/include"

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let files = Self.folders.flatMap { Self.files(below: package.appending(path: $0)) }
    let sources = files.filter { $0.pathExtension == "c" }.map { $0.path() }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedLauncher.swift")
    return [
      .buildCommand(
        displayName: "Building the launcher into \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: [
          "-c", Self.script, "sh", try context.tool(named: "clang").url.path(), output.path(),
          package.appending(path: Self.headers).path(),
        ] + sources,
        inputFiles: files, outputFiles: [output])
    ]
  }

  private static let script = #"""
    set -e
    clang=$1; output=$2; headers=$3; shift 3
    program=$(dirname "$output")/extension-launcher
    "$clang" -std=gnu11 -O2 -Wall -Wextra -Werror -ffunction-sections -fdata-sections -static -fuse-ld=lld \
      -Wl,--gc-sections -Wl,--strip-all -I "$headers" -o "$program" "$@"
    case $(uname -m) in
      aarch64) processor=arm64 ;;
      *) processor=x86_64 ;;
    esac
    {
      printf '/// The launcher that this library has in it.\nenum EmbeddedLauncher {\n'
      printf '  /// A program for Linux, in base64; empty in a build for another processor than that of the machine that built.\n'
      printf '  #if arch(%s)\n    static let text: StaticString = "' "$processor"
      base64 -w 0 "$program"
      printf '"\n  #else\n    static let text: StaticString = ""\n  #endif\n}\n'
    } > "$output"
    """#

  private static func files(below folder: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }.sorted().map { folder.appending(path: $0) }
  }
}
