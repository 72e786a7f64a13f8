package import ProtocolBuffers

/// `StreamRequest`: what a client sends on a stream.
package struct StreamRequestMessage: Sendable, Hashable {
  /// What a message asks for.
  package enum Action: Sendable, Hashable {
    case subscribe(OperationMessage)
    case execute(OperationMessage)
    case resume
    case cancel
  }

  /// The most header fields of a message.
  private static let mostHeaders = 100

  /// `projects/P/locations/L/services/S/connectors/C`; nil but in the first message.
  package var connector: String?
  /// The client's name for the request; nil for a message that is about none.
  package var request: String?
  /// The tag of the data that the client has.
  package var etag: String?
  /// Header fields, such as a new token.
  package var headers: [String: String] = [:]
  /// Nil for a message that asks for nothing.
  package var action: Action?

  /// Creates a message that asks for something.
  package init(_ action: Action?, request: String? = nil, connector: String? = nil) {
    self.action = action
    self.request = request
    self.connector = connector
  }

  /// - Throws: for bytes that are no such message.
  package init(_ bytes: ArraySlice<UInt8>) throws(ProtobufError) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: connector = Self.present(try field.text())
      case 2: request = Self.present(try field.text())
      case 3: action = .subscribe(try OperationMessage(try field.bytes()))
      case 4: action = .execute(try OperationMessage(try field.bytes()))
      case 5: action = .resume
      case 6: action = .cancel
      case 8: etag = Self.present(try field.text())
      case 10: try addHeader(try field.bytes())
      default: break
      }
    }
  }

  /// A text that is not there is empty on the wire.
  private static func present(_ text: String) -> String? { text.isEmpty ? nil : text }

  private mutating func addHeader(_ bytes: ArraySlice<UInt8>) throws(ProtobufError) {
    var (name, value) = ("", "")
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 2: value = try field.text()
      default: break
      }
    }
    headers[name.lowercased()] = value
    guard headers.count <= Self.mostHeaders else { throw ProtobufError("The message has too many header fields.") }
  }

  /// The message on the wire.
  package var bytes: [UInt8] {
    var writer = ProtobufWriter()
    for (name, value) in headers.sorted(by: { $0.key > $1.key }) {
      writer.message(field: 10) { entry in
        entry.text(value, field: 2)
        entry.text(name, field: 1)
      }
    }
    if let etag { writer.text(etag, field: 8) }
    switch action {
    case .subscribe(let call): writer.message(field: 3) { call.write(to: &$0) }
    case .execute(let call): writer.message(field: 4) { call.write(to: &$0) }
    case .resume: writer.message(field: 5) { _ in }
    case .cancel: writer.message(field: 6) { _ in }
    case nil: break
    }
    if let request { writer.text(request, field: 2) }
    if let connector { writer.text(connector, field: 1) }
    return writer.bytes
  }
}
