import ImageFile
import ConfigurationFiles
import ContentClient
import HTTPClient
import JSON

extension FuzzTargets {
  /// What a server of content says: an answer, a path of a picture, a variable that somebody typed, and an account.
  static func content(_ bytes: [UInt8]) {
    answer(bytes)
    _ = ImageFormat(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    picture(text)
    variable(text)
  }

  private static func answer(_ bytes: [UInt8]) {
    guard let value = try? JSONCoding.parse(bytes) else { return }
    let error = QueryError(value)
    precondition(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    let result = ContentResult(data: value, errors: [error], httpStatus: 200, source: .network, ageSeconds: 0)
    for root in ContentRoot.all(in: result) {
      guard let fragments = try? root.fragments() else { continue }
      for fragment in fragments { if let path = ImageAddress.path(in: fragment) { picture(path) } }
    }
  }

  /// Whatever it is, it leads to the one server, and is the same when it is read again.
  private static func picture(_ text: String) {
    let origin = "https://publish.example.com"
    let rendition = ImageRendition(width: 10, format: "webp")
    guard let address = try? ImageAddress(text, origin: origin, rendition: rendition) else { return }
    precondition(HTTPOrigin(url: address.url) == HTTPOrigin(url: origin), "\(text) leads to \(address.url)")
    precondition(address.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    let again = try? ImageAddress(address.url, origin: origin, rendition: rendition)
    precondition(again?.url == address.url, "\(address.url) is read as \(again?.url ?? "nothing")")
  }

  /// A value in a URL is never another variable.
  private static func variable(_ text: String) {
    guard let argument = try? QueryArgument(text), argument.name == "v",
      let query = try? PersistedQuery("a/b", variables: ["v": argument.value])
    else { return }
    let target = query.target
    guard query.obstacle(to: target) == nil else { return }
    precondition(target.utf8.count(where: { $0 == UInt8(ascii: ";") }) == 1 && target.hasSuffix(";"))
    precondition(!target.contains("%3Bv%3D%3B") && target.hasPrefix("/graphql/execute.json/a/b%3Bv%3D"))
  }
}
