import BundleIndex
import BundleInstalling
import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSON
import Time

/// `host publish`: makes or updates the folder of an index.
enum PublishCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "publish", summary: "Publish signed bundles in a folder that any web server serves",
    discussion: """
      Makes the folder, or adds versions to it, and signs all of it anew with your team's signing key. The root key is \
      needed the first time, and after a change of the keys. What your keys have revoked is handed on. Without a bundle \
      the folder is signed again: do so before it expires. Publish to the folder that you serve, or copy it there with \
      the file metadata/timestamp.json last.
      """,
    example: "host publish index Notes.app",
    options: [
      .value("yank", "NAME@VERSION", "Take a version back: nobody installs it without naming it", isRepeatable: true),
      .value("reason", "TEXT", "Why a version is taken back", default: "It was taken back."),
      .value(
        "days", "N", "For how many days clients take the index before it has to be published again", default: "30"),
    ] + KeyPlace.options.filter { $0.name != "days" },
    arguments: [
      CommandArgument("DIR", "The folder of the index", values: .directory),
      CommandArgument("BUNDLE", "Signed bundles, folders that end in .app or .appex", .any, values: .directory),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    let days = try invocation.parsed.integer("days", in: 1...365) ?? 30
    let index = IndexFolder(invocation.parsed.argument("DIR") ?? "") { BundleVersion($0) < BundleVersion($1) }
    do {
      let team = try ring.requiredTeam()
      let certificate = try ring.certificate(of: team.signing)
      let passphrase = try await KeyPlace.passphrase(invocation, for: "the keys of \(team.name)")
      let now = UnixTime.now.seconds
      let staging = try index.stagingFolder()
      defer { BundleFolders.remove(staging) }
      var change = try yanks(invocation)
      let statements = try ring.statements()
      change.statements = statements.map(\.bytes)
      let revoked = Set(statements.compactMap { try? Revocation(document: $0.bytes).revoked })
      for bundle in invocation.parsed.arguments("BUNDLE") {
        change.additions.append(
          try await IndexAdditions.addition(bundle, of: certificate, revoked, in: staging, at: now, invocation))
      }
      let additions = change
      let published = try await KeyCommand.slowly(invocation) {
        let keys = IndexFolder.Keys(
          signing: try ring.signingKey(team.signing).open(passphrase: passphrase), certificate: certificate,
          openRoot: { fingerprint throws(SealError) in try ring.rootKey(fingerprint).open(passphrase: passphrase) },
          openFormer: { fingerprint in
            revoked.contains(fingerprint) ? nil : try? ring.signingKey(fingerprint).open(passphrase: passphrase)
          })
        return try index.publish(additions, by: keys, at: now, days: Int64(days))
      }
      report(published, index.path, invocation)
      return .success
    } catch let error as SealError {
      throw Failure(error)
    }
  }

  private static func yanks(_ invocation: Invocation) throws -> IndexFolder.Change {
    var change = IndexFolder.Change()
    for text in invocation.parsed.values("yank") {
      let (identifier, version) = try IndexAccess.named(text)
      guard let version else {
        throw CommandLineError("“\(text.escapedForTerminal)” names no version.", help: "Write NAME@VERSION.")
      }
      change.yanks.append((identifier, version, invocation.parsed.value("reason") ?? "It was taken back."))
    }
    return change
  }

  private static func report(_ published: IndexFolder.Published, _ path: String, _ invocation: Invocation) {
    let expires = UnixTime(seconds: published.expires).text()
    if invocation.wantsJSON {
      invocation.printJSON([
        "index": .string(path), "root": .string(published.root), "rootVersion": .integer(published.rootVersion),
        "version": .integer(published.version), "expires": .string(expires),
        "names": .integer(Int64(published.names)), "added": .integer(Int64(published.added)),
      ])
      return
    }
    invocation.console.print("published version \(published.version): \(published.names) names, \(published.added) new")
    invocation.console.note("Publish again before \(expires). The root has the fingerprint \(published.root).")
  }
}

/// The bundles that are published: verified copies, in archives.
private enum IndexAdditions {
  static func addition(
    _ given: String, of certificate: KeyCertificate, _ revoked: Set<String>, in staging: String, at time: Int64,
    _ invocation: Invocation
  ) async throws -> (line: IndexLine, archive: String) {
    let bundle = try await BundleStore(state: invocation.state(), points: invocation.points()).judge(given)
    var record = RegistryRecord()
    try record.add(bundle: given)
    let source = record.bundles[0].path
    guard bundle.state != .unsigned else {
      throw ExtensionError(
        .extensionInvalid, "\(Folder.name(of: source)) is unsigned, and an index takes signed bundles only.",
        recovery: "Sign it with “host sign \(source)”.")
    }
    // Whom the identifier belongs to on this machine says nothing of an index.
    if bundle.state != .anotherTeam, let refusal = bundle.refusal { throw refusal }
    guard bundle.team?.team == certificate.team, !revoked.contains(bundle.key ?? ""),
      !revoked.contains(bundle.digest ?? "")
    else {
      throw ExtensionError(
        .permissionDenied,
        "\(Folder.name(of: source)) is signed by \(bundle.team?.shown ?? "another team"), by a key that is not good, or "
          + "not by your team.", recovery: "Sign it with “host sign \(source)”.")
    }
    let verification = try BundleVerification(source, points: try invocation.points())
    guard verification.isAcceptable, let first = verification.entries.first else {
      throw ExtensionError(
        .extensionInvalid, "\(Folder.name(of: source)) has errors, and no host would install it.",
        recovery: "Run “host verify \(source)” for advice.")
    }
    let asks = verification.entries.reduce(into: Set<String>()) { $0.formUnion($1.capabilities.union($1.reaches)) }
    let points = Set(verification.entries.compactMap { $0.isApp ? nil : $0.point?.shortName })
    let title = first.manifest?.displayName ?? first.identifier
    return try await KeyCommand.slowly(invocation) {
      let copy = "\(staging)/\(Folder.name(of: source))"
      do throws(FileError) { try Folder.make(copy) } catch { throw SealError(error) }
      let check = try SealCheck(source, .init(time: time), copy: copy)
      guard check.state == .whole, let seal = check.seal else {
        throw SealError(
          .unsealable, "\(source) changed while it was published.", recovery: "Sign it again, and publish it again.")
      }
      let archive = "\(staging)/\(seal.statement.digest).tar"
      try BundleArchive.write(copy, seal, to: archive)
      let line = IndexLine(
        identifier: seal.statement.identifier, version: seal.statement.version, title: String(title.prefix(80)),
        digest: seal.statement.digest, size: 0, team: certificate.team, teamName: certificate.name,
        key: seal.certificate.signer, asks: Array(asks.sorted().prefix(256)), points: points.sorted(), published: time)
      return (line, archive)
    }
  }
}
