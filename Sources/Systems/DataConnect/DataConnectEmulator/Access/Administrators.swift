import Cryptography
import HTTPServer

/// Who may administer the emulator: whoever knows its secret. To reach the port is no proof, since other users of the
/// machine and programs in a sandbox may do that too.
struct Administrators: Sendable {
  private let secret: String
  /// Whether the fixed word of the public clients is enough.
  private let allowsOwner: Bool

  /// - Parameter secret: an empty one admits nobody.
  init(secret: String, allowsOwner: Bool) {
    self.secret = secret
    self.allowsOwner = allowsOwner
  }

  /// - Throws: `unauthenticated` for a request of anybody else.
  func admit(_ request: ServerRequest) throws(RequestFailure) {
    let fields = request.headers.filter { $0.isNamed("Authorization") }
    if fields.count == 1, let words = fields.first?.value.split(separator: " ", maxSplits: 1), words.count == 2,
      words[0].lowercased() == "bearer"
    {
      let given = String(words[1])
      if !secret.isEmpty, ConstantTime.isEqual(given, secret) { return }
      if allowsOwner, given == "owner" { return }
      if given == "owner" {
        throw RequestFailure(
          .unauthenticated,
          "unauthorized: \"Bearer owner\" is not enough here. Start the emulator with --allow-owner to let it be.")
      }
    }
    throw RequestFailure(
      .unauthenticated,
      "unauthorized: an administrator sends the emulator's secret as \"Authorization: Bearer SECRET\". The commands of host data read it from the state folder that the emulator was started with (ANNEX_HOME, --home)."
    )
  }
}
