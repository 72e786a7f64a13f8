import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON
import Time

/// `host sign`: seals a bundle, and each extension in it.
enum SignCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "sign", summary: "Sign a bundle and the extensions in it",
    discussion: """
      Writes _CodeSignature into the bundle and into each extension: the list of all files with their digests, and the \
      signature of your team over identifier, version, entitlements and list. Nothing else in the bundle is changed. \
      minisign and openssl verify the file Statement there.
      """,
    example: "host sign Notes.app", options: KeyPlace.options,
    arguments: [CommandArgument("BUNDLE", "A folder that ends in .app or .appex", values: .directory)]
  ).alsoTried(as: "codesign", "seal")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let ring = try KeyPlace.ring(invocation)
    var record = RegistryRecord()
    try record.add(bundle: invocation.parsed.argument("BUNDLE") ?? "")
    let bundle = record.bundles[0].path
    do {
      let team = try ring.requiredTeam()
      let certificate = try ring.certificate(of: team.signing)
      let passphrase = try await KeyPlace.passphrase(invocation, for: "the signing key of \(team.name)")
      let now = UnixTime.now.seconds
      let seals = try await KeyCommand.slowly(invocation) {
        let key = try ring.signingKey(team.signing).open(passphrase: passphrase)
        return try BundleSeal.sign(bundle, with: key, certificate, at: now)
      }
      if invocation.wantsJSON {
        var object = JSONObject()
        object["bundle"] = .string(bundle)
        object["team"] = .string(certificate.team)
        object["name"] = .string(certificate.name)
        object["sealed"] = .array(seals.map(document))
        invocation.printJSON(.object(object))
      } else {
        for seal in seals {
          invocation.console.print("sealed \(seal.statement.identifier) \(seal.statement.version)")
        }
        invocation.console.note(
          "Signed by \(certificate.name), team \(KeyFingerprint.short(certificate.team)). “host verify \(bundle)” checks it."
        )
      }
      return .success
    } catch let error as SealError {
      throw Failure(error)
    }
  }

  private static func document(_ seal: BundleSeal) -> JSONValue {
    [
      "id": .string(seal.statement.identifier), "version": .string(seal.statement.version),
      "digest": .string(seal.statement.digest), "files": .integer(Int64(seal.resources.entries.count)),
    ]
  }
}
