import HTTP
import HTTPServer

/// A request of a browser that has opened the page.
package struct PageRequest: Sendable {
  /// The values of the address, by name.
  package let query: [String: String]
  /// The values of the form that was sent, by name.
  package let form: [String: String]
  /// The files of the form.
  let files: [MultipartForm.File]
  /// What the page's forms send along, so that it can be told from forms of others.
  package let formKey: String
  /// Whether the script asks, for the changing part of the page only.
  package let isPart: Bool

  /// The most bytes of a form.
  static let longestForm = 256 << 10
  /// The most fields of a form or an address.
  private static let mostFields = 64

  init(_ request: ServerRequest, session: PageKeys.Session) {
    query = Self.fields(request.query ?? "")
    let type = request.header("Content-Type") ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      (form, files) = (Self.fields(String(decoding: request.body, as: UTF8.self)), [])
    } else if let multipart = MultipartForm(contentType: type, body: request.body) {
      (form, files) = (multipart.fields, multipart.files)
    } else {
      (form, files) = ([:], [])
    }
    formKey = session.form
    isPart = request.header("X-Annex-Page") != nil
  }

  /// The fields of a form in the encoding `application/x-www-form-urlencoded`; of two with one name the first.
  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in FormPairs.split(text).prefix(mostFields) {
      guard let name = PercentEncoding.decodedForm(pair.name),
        let value = PercentEncoding.decodedForm(pair.value ?? "")
      else { continue }
      if fields[name] == nil { fields[name] = value }
    }
    return fields
  }
}

/// Values in the addresses of the page's own links.
package enum PageAddress {
  /// Returns a text as the value of a field in an address.
  package static func encoded(_ text: String) -> String { PercentEncoding.component(text) }
}
