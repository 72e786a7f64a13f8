import BundleSeals
import CommandLineTool
import CommandRuntime
import EventLoop
import JSON
import Time

/// `host key`: makes, shows, rotates and revokes the keys of a team.
enum KeyCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "key", summary: "Make and manage the keys that sign your bundles",
    discussion: """
      A team is known by the fingerprint of its root key. The root key certifies signing keys for a limited time, and \
      signs nothing else: keep its file on a disk that you put away. The passphrase is typed at the terminal, or read \
      from a descriptor or a file, never from the command line.
      """,
    example: "host key new --name \"Example Inc.\"", options: KeyPlace.options,
    subcommands: [new.alsoTried(as: "generate", "create", "make"), show.alsoTried(as: "list", "ls"), rotate, revoke])

  private static let new = Command(
    "new", summary: "Make a team with a root key and a signing key, or another signing key",
    example: "host key new --name \"Example Inc.\" --passphrase-fd 3 3<passphrase.txt",
    options: [
      .value("name", "NAME", "What the team calls itself"),
      .flag("signing", "Make another signing key of the team that is there"), KeyPlace.days,
    ])
  private static let show = Command("show", summary: "Show the team, its keys and their ends", example: "host key show")
  private static let rotate = Command(
    "rotate", summary: "Replace the root key, and write the statement that hosts need to follow",
    example: "host key rotate", options: [KeyPlace.days])
  private static let revoke = Command(
    "revoke", summary: "Revoke a signing key, or one signed bundle, and write the statement for hosts",
    example: "host key revoke 3f2a90c177de04b6 --reason \"The laptop was stolen.\"",
    options: [.value("reason", "TEXT", "The reason, which users read", default: "The key is not used any more.")],
    arguments: [
      CommandArgument("KEY", "The fingerprint of a signing key or its beginning, or the digest of a signed bundle")
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    do {
      switch invocation.parsed.path[1] {
      case "new": return try await make(invocation)
      case "rotate": return try await rotate(invocation)
      case "revoke": return try await revoke(invocation)
      default: return try show(invocation)
      }
    } catch let error as SealError {
      throw Failure(error)
    }
  }

  private static func make(_ invocation: Invocation) async throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    let period = try KeyPlace.period(invocation)
    let certificate: KeyCertificate
    if invocation.parsed.flag("signing") {
      let team = try ring.requiredTeam()
      let passphrase = try await KeyPlace.passphrase(invocation, for: "the root key of \(team.name)")
      certificate = try await slowly(invocation) { try ring.makeSigningKey(passphrase: passphrase, period) }
    } else {
      guard let name = invocation.parsed.value("name"), !name.isEmpty else {
        throw CommandLineError("A team needs a name.", help: "Give --name NAME, or --signing for another key.")
      }
      let passphrase = try await KeyPlace.newPassphrase(invocation)
      certificate = try await slowly(invocation) { try ring.makeTeam(name, passphrase: passphrase, period) }
    }
    if invocation.wantsJSON {
      invocation.printJSON(document(certificate, ring))
    } else {
      print(certificate, to: invocation.console)
      if !invocation.parsed.flag("signing") {
        let root = ring.file("root", certificate.team, "key")
        invocation.console.note("Move \(root) to a disk that you put away; signing does not need it.")
      }
    }
    return .success
  }

  private static func rotate(_ invocation: Invocation) async throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    let team = try ring.requiredTeam()
    let period = try KeyPlace.period(invocation)
    let passphrase = try await KeyPlace.passphrase(invocation, for: "the root key of \(team.name)")
    let now = UnixTime.now.seconds
    let made = try await slowly(invocation) { try ring.rotate(passphrase: passphrase, period, at: now) }
    if invocation.wantsJSON {
      var object = document(made.certificate, ring).objectValue ?? [:]
      object["statement"] = .string(made.path)
      object["before"] = .string(made.statement.team)
      invocation.printJSON(.object(object))
    } else {
      print(made.certificate, to: invocation.console)
      invocation.console.note("Hosts follow with: host trust add \(made.path)")
    }
    return .success
  }

  private static func revoke(_ invocation: Invocation) async throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    let team = try ring.requiredTeam()
    let named = (invocation.parsed.argument("KEY") ?? "").lowercased().filter { $0 != " " }
    let matching = ring.certificates().map(\.signer).filter { named.count >= 8 && $0.hasPrefix(named) }
    guard let revoked = matching.count == 1 ? matching.first : KeyFingerprint.isOne(named) ? named : nil else {
      throw CommandLineError(
        "“\(named)” is no signing key of \(team.name).", help: "Run “host key show” to see the fingerprints.")
    }
    let reason = invocation.parsed.value("reason") ?? ""
    let passphrase = try await KeyPlace.passphrase(invocation, for: "the root key of \(team.name)")
    let now = UnixTime.now.seconds
    let path = try await slowly(invocation) {
      try ring.revoke(revoked, passphrase: passphrase, because: reason, at: now)
    }
    if invocation.wantsJSON {
      invocation.printJSON(["revoked": .string(revoked), "statement": .string(path)])
    } else {
      invocation.console.print("revoked \(KeyFingerprint.short(revoked))")
      invocation.console.note("Hosts learn of it with: host trust add \(path)")
    }
    return .success
  }

  private static func show(_ invocation: Invocation) throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    let team = try ring.requiredTeam()
    let revoked = try ring.statements().compactMap { try? Revocation(document: $0.bytes).revoked }
    let certificates = ring.certificates()
    if invocation.wantsJSON {
      invocation.printJSON([
        "team": .string(team.root), "name": .string(team.name), "signing": .string(team.signing),
        "keys": .array(certificates.map { document($0, revoked) }),
      ])
      return .success
    }
    invocation.console.print("\(team.name)  team \(KeyFingerprint.short(team.root))")
    var table = TextTable([.init("KEY"), .init("UNTIL"), .init("STATE")])
    for certificate in certificates {
      table.add([
        .init(KeyFingerprint.short(certificate.signer)), .init(UnixTime(seconds: certificate.until).text()),
        .init(state(of: certificate, team, revoked)),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  private static func state(of certificate: KeyCertificate, _ team: KeyRing.Team, _ revoked: [String]) -> String {
    if revoked.contains(certificate.signer) { return "revoked" }
    if certificate.until <= UnixTime.now.seconds { return "expired" }
    if certificate.team != team.root { return "of the root key of before" }
    return certificate.signer == team.signing ? "in use" : "good"
  }

  private static func print(_ certificate: KeyCertificate, to console: Console) {
    console.print("\(certificate.name)  team \(KeyFingerprint.short(certificate.team))")
    console.print(
      "signing key \(KeyFingerprint.short(certificate.signer)), good until \(UnixTime(seconds: certificate.until).text())"
    )
  }

  private static func document(_ certificate: KeyCertificate, _ ring: KeyRing) -> JSONValue {
    var object = document(certificate, []).objectValue ?? [:]
    object["keys"] = .string(ring.path)
    return .object(object)
  }

  private static func document(_ certificate: KeyCertificate, _ revoked: [String]) -> JSONValue {
    [
      "team": .string(certificate.team), "name": .string(certificate.name), "key": .string(certificate.signer),
      "from": .integer(certificate.from), "until": .integer(certificate.until),
      "revoked": .bool(revoked.contains(certificate.signer)),
    ]
  }

  /// Runs what derives keys on a thread of its own: half a second each.
  static func slowly<Value: Sendable>(
    _ invocation: Invocation, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await SystemThread.run(name: "annex-key", within: .seconds(120), on: invocation.loop) { _ in try body() }
  }
}
