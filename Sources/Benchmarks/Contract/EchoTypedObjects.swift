import ExtensionProtocol
package import JSONRPC

/// `echo/typed`: the objects of ``EchoObjects``, which read and write their own JSON.
package struct EchoTypedObjects: RemoteMethod, WireCodable {
  package typealias Result = EchoTypedObjects
  package static let method = "echo/typed"

  /// Both ends have to: the form on the wire is the same without it, and several times slower.
  package static func register() { JSONCoding.register(Self.self) }

  package var items: [EchoObjects.Item]
  package init(items: [EchoObjects.Item]) { self.items = items }

  package init(wire reader: inout JSONReader) throws(JSONError) {
    items = []
    var members = try reader.beginObject()
    while let name = try reader.nextName(&members) {
      guard reader.matches(name, "items") else {
        try reader.skip()
        continue
      }
      var elements = try reader.beginArray()
      while try reader.nextElement(&elements) { items.append(try EchoObjects.Item(wire: &reader)) }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.raw("{\"items\":[")
    var isFirst = true
    for item in items {
      if !isFirst { writer.raw(",") }
      isFirst = false
      item.write(to: &writer)
    }
    writer.raw("]}")
  }
}

extension EchoObjects.Item {
  init(wire reader: inout JSONReader) throws(JSONError) {
    self.init(id: 0, name: "", value: 0, ok: false, tags: [])
    var members = try reader.beginObject()
    while let member = try reader.nextName(&members) {
      if reader.matches(member, "id") {
        id = try reader.integer()
      } else if reader.matches(member, "name") {
        name = try reader.string()
      } else if reader.matches(member, "value") {
        value = try reader.double()
      } else if reader.matches(member, "ok") {
        ok = try reader.bool()
      } else if reader.matches(member, "tags") {
        tags = try reader.strings()
      } else {
        try reader.skip()
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.raw("{\"id\":")
    writer.integer(id)
    writer.raw(",\"name\":")
    writer.string(name)
    writer.raw(",\"value\":")
    writer.double(value)
    writer.raw(",\"ok\":")
    writer.bool(ok)
    writer.raw(",\"tags\":[")
    for (index, tag) in tags.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.string(tag)
    }
    writer.raw("]}")
  }
}
