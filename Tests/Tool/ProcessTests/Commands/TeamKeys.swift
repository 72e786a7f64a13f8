import BundleSeals
import Cryptography
import Foundation

/// Keys of a team as `host key new` makes them, but with a guess of the passphrase that costs next to nothing.
///
/// With the usual price each command that signs takes half a second for each key.
enum TeamKeys {
  static func make(_ name: String = "Example Inc.", in folder: String, passphrase: String) throws {
    let now = Int64(Date().timeIntervalSince1970)
    _ = try KeyRing(folder).makeTeam(
      name, passphrase: Array(passphrase.utf8), now..<now + 365 * 86_400, cost: Scrypt.Cost(logarithm: 4))
  }
}
