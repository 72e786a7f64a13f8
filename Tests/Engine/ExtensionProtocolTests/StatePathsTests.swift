import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Where state lies` {
  @Test(
    arguments: [
      (["ANNEX_HOME": "/state", "HOME": "/home/a"], nil, "/state"),
      (["ANNEX_HOME": "state/x", "HOME": "/home/a"], nil, "/work/state/x"),
      (["ANNEX_HOME": "", "HOME": "/home/a"], nil, "/home/a/.local/share/annex"),
      (["ANNEX_HOME": "state"], "other", "/work/other"),
      (["ANNEX_HOME": "state"], "/other", "/other"),
      (["XDG_DATA_HOME": "data", "HOME": "/home/a"], nil, "/home/a/.local/share/annex"),
      (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], nil, "/data/annex"),
      (["HOME": "a"], nil, nil),
      (["ANNEX_HOME": "/state", "HOME": "/home/a"], "", "/home/a/.local/share/annex"), ([:], nil, nil),
      (["XDG_DATA_HOME": "/data"], nil, "/data/annex"), ([:], "/other", "/other"),
    ] as [([String: String], String?, String?)])
  func `is told by the environment`(environment: [String: String], home: String?, path: String?) {
    let paths = StatePaths(environment: environment, home: home, workingDirectory: "/work")
    #expect(paths?.home == path)
  }

  @Test(
    arguments: [
      (["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/5"], "/run/user/5/annex"),
      (["HOME": "/home/a", "XDG_RUNTIME_DIR": "run"], "/home/a/.local/share/annex/run"),
      (["HOME": "/home/a"], "/home/a/.local/share/annex/run"),
      (["ANNEX_HOME": "/state", "XDG_RUNTIME_DIR": "/run/user/5"], "/state/run"),
    ])
  func `is beside what lasts as long as the session`(environment: [String: String], path: String) {
    let paths = StatePaths(environment: environment)
    #expect(paths?.runtime == path)
    #expect(paths?.socket(ofApp: "com.example.notes") == "\(path)/com.example.notes.sock")
    #expect(paths?.questionSocket == "\(path)/questions@page.sock")
  }
}
