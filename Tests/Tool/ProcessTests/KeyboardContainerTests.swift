import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import PropertyList
import Testing

/// Asks the keyboard below to try what it may and may not do.
private struct Try: RemoteMethod {
  typealias Result = [String: String]
  static let method = "keyboard/input"
}

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `The app group of a keyboard` {
  private static let group = "group.com.example.typing"
  private static let refused = "-32022"
  private static let groups = """
    <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
    <array><string>\(group)</string></array></dict>
    """

  /// Every way to change the folder and the values of a group, and what came of each.
  private static let attempts = """
    folder = directories["groups"]["\(group)"]
    words = folder["path"] + "/words"
    other = folder["path"] + "/other"
    suite = {"suite": "\(group)"}
    def code(name, more):
        send({"id": 7, "method": name, "params": {**suite, **more}})
        # Between the question and the answer the host may tell of changes.
        while True:
            reply = json.loads(sys.stdin.readline())
            if reply.get("id") == 7 and "method" not in reply:
                return str(reply.get("error", {}).get("code", "done"))
    def done(action):
        return attempt(lambda: action() and "done" or "done")
    answer({
        "mode": folder["mode"],
        "read": attempt(lambda: open(words).read()),
        "create": done(lambda: open(other, "w").close()),
        "append": done(lambda: open(words, "a").close()),
        "truncate": done(lambda: open(words, "r+").truncate(5)),
        "link": done(lambda: os.symlink("/etc", folder["path"] + "/link")),
        "folder": done(lambda: os.mkdir(folder["path"] + "/sub")),
        "rename": done(lambda: os.rename(words, words)),
        "mode of file": done(lambda: os.chmod(words, 0o666)),
        "get": code("defaults/get", {"key": "word"}),
        "all": code("defaults/all", {}),
        "follow": code("defaults/follow", {}),
        "set": code("defaults/set", {"key": "word", "value": "stolen"}),
        "setMany": code("defaults/setMany", {"values": {"word": "stolen"}}),
        "remove": code("defaults/remove", {"key": "none"}),
        "removeAll": code("defaults/removeAll", {}),
        "compareAndSet": code("defaults/compareAndSet", {"key": "new", "value": "x", "expectedRevision": 0}),
    })
    """

  private func stage() async throws -> (stage: Stage, id: String, words: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("keys", point: "com.apple.keyboard-service", in: folder, Self.attempts)
    let manifest = try #require(folder.contents("manifests/keys.plist"))
    try folder.write(
      "manifests/keys.plist",
      manifest.replacing(
        "<key>NSExtension</key><dict>",
        with: Self.groups + "<key>NSExtension</key><dict>" + """
          <key>NSExtensionAttributes</key><dict><key>IsASCIICapable</key><true/><key>PrimaryLanguage</key>
          <string>en-US</string><key>RequestsOpenAccess</key><true/></dict>
          """
      ).replacing("com.example.fixtures.keys</string>", with: "com.example.typing.keys</string>"))
    try folder.write(
      "manifests/app.plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.typing</string>
      <key>CFBundleExecutable</key><string>Typing</string><key>CFBundlePackageType</key><string>APPL</string>
      <key>CFBundleName</key><string>Typing</string><key>CFBundleVersion</key><string>1</string>\(Self.groups)</dict></plist>
      """)
    let stage = try Stage(folder)
    try await stage.store.apply(setting: ["word": .string("kept")], in: Self.group)
    return (stage, id.replacing("fixtures", with: "typing"), "home/groups/\(Self.group)/words")
  }

  @Test func `can be read and not written without open access`() async throws {
    let (stage, id, words) = try await stage()
    let folder = stage.folder
    try folder.write(words, "hello world", mode: 0o666)
    let found = try await stage.host.withExtension(id) { try await $0.call(Try(), deadline: .seconds(20)) }
    #expect(found["mode"] == "ro")
    #expect(found["read"] == "hello world")
    for way in ["create", "append", "truncate", "folder", "rename"] {
      #expect(found[way] == String(cString: strerror(EROFS)), "\(way): \(found)")
    }
    // These the filter of system calls refuses before the file system is asked.
    for way in ["link", "mode of file"] { #expect(found[way] == String(cString: strerror(EPERM)), "\(way): \(found)") }
    for way in ["get", "all", "follow"] { #expect(found[way] == "done", "\(way): \(found)") }
    for way in ["set", "setMany", "remove", "removeAll", "compareAndSet"] {
      #expect(found[way] == Self.refused, "\(way): \(found)")
    }
    #expect(folder.names(in: "home/groups/\(Self.group)") == ["words"])
    #expect(folder.contents(words) == "hello world")
    let state = try await stage.store.all(in: Self.group)
    #expect(state.revision == 1 && state.values == ["word": .string("kept")])
  }

  @Test func `can be written when the user has given open access, until it is taken back`() async throws {
    let (stage, id, words) = try await stage()
    try stage.folder.write(words, "hello world", mode: 0o666)
    let permissions = PermissionAuthority(state: StateDirectory(path: stage.home))
    let openAccess = AskedPermission(PermissionKind.openAccess.name)
    try await permissions.decide(openAccess, .granted, for: id)
    let open = try await stage.host.withExtension(id) { try await $0.call(Try(), deadline: .seconds(20)) }
    #expect(open["mode"] == "rw")
    for way in ["create", "append", "truncate", "folder", "set", "setMany", "removeAll", "compareAndSet"] {
      #expect(open[way] == "done", "\(way): \(open)")
    }
    #expect(stage.folder.contents(words) == "hello")
    #expect(try await stage.store.all(in: Self.group).values == ["new": .string("x")])
    try await permissions.decide(openAccess, .denied, for: id)
    let closed = try await stage.host.withExtension(id) { try await $0.call(Try(), deadline: .seconds(20)) }
    #expect(closed["mode"] == "ro" && closed["set"] == Self.refused, "\(closed)")
    #expect(closed["append"] == String(cString: strerror(EROFS)))
  }
}
