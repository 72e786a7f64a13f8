import Sandbox
import Testing

/// One thing that a hostile extension tries, by its name in the Escapee fixture.
struct Attempt: Sendable, CustomTestStringConvertible {
  let name: String
  /// What it is told, from the baits of its test.
  var arguments: @Sendable (Baits) -> [String] = { _ in [] }
  /// The tiers that promise to stop it.
  var tiers: [SandboxTier] = SandboxTier.allCases
  /// How the extension ends when it is stopped.
  var end = ExtensionExit.exited(code: 0)

  var testDescription: String { name }

  static let ownRoot: [SandboxTier] = [.full, .sharedPID, .namespacesOnly]
  static let ownProcesses: [SandboxTier] = [.full, .namespacesOnly]

  static let all: [Attempt] = files + processes + network + execution + privilege + inheritance + resources

  static let files = [
    Attempt(name: "files/secrets") { [$0.secret, $0.workshop.root + "/state"] },
    Attempt(name: "files/list") { [$0.workshop.root, "user"] },
    Attempt(name: "files/write-places") { [$0.workshop.root.lastComponent] },
    Attempt(name: "files/change-bundle") { [$0.workshop.bundle] },
    Attempt(name: "files/other-container") { [$0.otherContainer] },
    Attempt(name: "files/links") { [$0.secret] },
    Attempt(name: "files/climb") { [$0.secret, "\($0.victim.pid)"] },
    Attempt(name: "files/hard-link") { [$0.secret, $0.workshop.root + "/outside"] },
    Attempt(name: "files/special"),
    Attempt(name: "files/handle") { [$0.workshop.scratch] },
    Attempt(name: "files/attributes") { [$0.secret] },
    Attempt(name: "files/watch") { [$0.otherContainer] },
    Attempt(name: "files/controls"),
    Attempt(name: "files/use-container") { [$0.workshop.scratch] },
    Attempt(name: "files/read-only-group") { [$0.readOnlyGroup] },
    Attempt(name: "files/sizes", arguments: { [$0.secret] }, tiers: ownRoot),
  ]

  static let processes = [
    Attempt(name: "processes/trace") { ["\($0.victim.pid)"] },
    Attempt(name: "processes/memory") { ["\($0.victim.pid)", $0.victim.address] },
    Attempt(name: "processes/signals") { ["\($0.victim.pid)"] },
    Attempt(name: "processes/owner") { ["\($0.victim.pid)"] },
    Attempt(name: "processes/descriptors") { ["\($0.victim.pid)"] },
    Attempt(name: "processes/scheduling") { ["\($0.victim.pid)"] },
    Attempt(name: "processes/see", arguments: { ["\($0.victim.pid)"] }, tiers: ownProcesses),
    Attempt(name: "processes/session"),
    Attempt(name: "processes/namespaces") { ["\($0.victim.pid)"] },
  ]

  static let network = [
    Attempt(name: "network/tcp") { ["\($0.listeners.port)"] },
    Attempt(name: "network/datagrams") { ["\($0.listeners.port)"] },
    Attempt(name: "network/listen"),
    Attempt(name: "network/families"),
    Attempt(name: "network/unix") { [$0.listeners.path, $0.listeners.name] },
    Attempt(name: "network/ring"),
    Attempt(name: "network/messages"),
  ]

  static let execution = [
    Attempt(name: "execution/programs") { [$0.script] },
    Attempt(name: "execution/again") { [$0.executable] },
    Attempt(name: "execution/race") { [$0.executable] },
    Attempt(name: "execution/processes"),
    Attempt(name: "execution/code"),
    Attempt(name: "execution/downloaded", tiers: ownRoot),
  ]

  static let privilege = [
    Attempt(name: "privilege/ids"),
    Attempt(name: "privilege/namespaces"),
    Attempt(name: "privilege/mounts"),
    Attempt(name: "privilege/kernel"),
    Attempt(name: "privilege/limits"),
    Attempt(name: "privilege/foreign", end: .signalled(number: 31)),
    Attempt(name: "privilege/foreign", arguments: { _ in ["x32"] }, end: .signalled(number: 31)),
    Attempt(name: "privilege/upper"),
  ]

  static let inheritance = [
    Attempt(name: "inheritance/descriptors"),
    Attempt(name: "inheritance/environment"),
    Attempt(name: "inheritance/streams"),
    Attempt(name: "inheritance/attributes") { [$0.workshop.scratch] },
  ]

  static let resources = [
    Attempt(name: "resources/descriptors"),
    Attempt(name: "resources/file"),
    // Threads are counted per user: an ordinary user's other processes would count too.
    Attempt(name: "resources/threads", tiers: ownRoot),
    Attempt(name: "resources/memory"),
  ]
}

extension String {
  /// The part of a path after its last slash.
  var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
