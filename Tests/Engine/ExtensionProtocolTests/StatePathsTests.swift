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
    ] as [([String: String], String?, String?)])
  func `is told by the environment`(environment: [String: String], home: String?, path: String?) {
    let paths = StatePaths(environment: environment, home: home, workingDirectory: "/work")
    #expect(paths?.home == path)
  }
}
