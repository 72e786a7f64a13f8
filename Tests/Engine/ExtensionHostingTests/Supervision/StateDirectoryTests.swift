import ExtensionProtocol
import Files
import Glibc
import JSON
import Testing

@testable import ExtensionHosting

/// The folders in which a host keeps its state, and who passes through them.
@Suite(.timeLimit(.minutes(1)))
struct `The folders of a host` {
  private let folder: TemporaryFolder
  private var state: StateDirectory { StateDirectory(path: "\(folder.path)/state") }

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ name: String) -> mode_t {
    FileStatus("\(folder.path)/state\(name)").map { $0.mode & 0o7777 } ?? 0
  }

  @Test func `are passed through by others above the one that is given away, and nowhere else`() throws {
    let modes: [(name: String, before: mode_t, after: mode_t)] = [
      ("", 0o1700, 0o1711), ("/containers", 0o750, 0o751), ("/containers/a", 0o755, 0o755),
      ("/containers/a/inner", 0o700, 0o700), ("/containers/b", 0o700, 0o700), ("/groups", 0o700, 0o700),
    ]
    for name in ["containers/a/inner", "containers/b", "groups"] {
      #expect(try state.folder(name) == "\(folder.path)/state/\(name)")
      #expect(mode("/\(name)") == 0o700)
    }
    for (name, before, _) in modes { #expect(chmod("\(folder.path)/state\(name)", before) == 0) }
    for _ in 0..<2 {
      state.openWay(to: "containers/a/inner")
      for (name, _, after) in modes { #expect(mode(name) == after, "\(name)") }
    }
  }

  @Test func `are the state's own above a folder that lies in it`() throws {
    _ = try state.folder("containers")
    state.openWay(to: "containers")
    #expect(mode("") == 0o711 && mode("/containers") == 0o700)
  }

  @Test func `are refused where a file is in their place, or nothing names them`() throws {
    try folder.write("state/a", "x".utf8)
    let taken = #expect(throws: ExtensionError.self) { try state.folder("a") }
    #expect(taken?.code == .storeFailed && taken?.message == "\(folder.path)/state/a is not a folder.")
    #expect(taken?.recovery == "Move the file away, or use another state directory.")
    #expect(taken?.details == ["stateDirectory": .string("\(folder.path)/state")])
    for home in [nil, ""] as [String?] {
      let nowhere = #expect(throws: ExtensionError.self) { try StateDirectory(environment: [:], home: home) }
      #expect(nowhere?.message == "There is no folder to keep state in: HOME is not set.")
      #expect(nowhere?.details == ["stateDirectory": .null])
      #expect(try StateDirectory(environment: ["ANNEX_HOME": "/h"], home: home).path == "/h")
    }
    #expect(try StateDirectory(environment: ["ANNEX_HOME": "/h"], home: "/x").path == "/x")
  }
}
