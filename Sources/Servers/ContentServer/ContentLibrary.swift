internal import Glibc
internal import HTTPServer
internal import JSONRPC

/// Why a directory of content cannot be served.
package struct ContentRootError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence with the file's name.
  package let message: String
  /// What the reader can do about it.
  package var recovery: String {
    "Give a directory with a file adventures.json: an array of objects, each with at least a slug and a title."
  }
  package var description: String { message }
}

/// The adventures and images of a server.
struct ContentLibrary: Sendable {
  /// In the order of their paths, as AEM lists them.
  let adventures: [Adventure]
  /// The directory of image files; nil draws them.
  private let root: String?

  static let embedded = ContentLibrary(adventures: Adventure.coast + Adventure.highlands, root: nil)

  private init(adventures: [Adventure], root: String?) {
    self.adventures = adventures.sorted {
      ($0.fields["_path"]?.stringValue ?? "") < ($1.fields["_path"]?.stringValue ?? "")
    }
    self.root = root
  }

  init(root: String) throws(ContentRootError) {
    let path = root + "/adventures.json"
    guard let data = Self.contents(of: path) else {
      throw ContentRootError(message: "There is no file \(path) that can be read.")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONCoding.parse(data) } catch {
      let place = error.position(in: data)
      throw ContentRootError(message: "\(path), line \(place.line), column \(place.column): \(error.message)")
    }
    guard let items = value.arrayValue else { throw ContentRootError(message: "\(path) holds \(value.kind).") }
    var adventures: [Adventure] = []
    for (index, item) in items.enumerated() {
      guard let fields = item.objectValue, let slug = fields["slug"]?.stringValue, fields["title"]?.stringValue != nil
      else { throw ContentRootError(message: "Item \(index) of \(path) has no slug or no title.") }
      var whole = fields
      if whole["_path"] == nil { whole["_path"] = .string("/content/dam/wknd-shared/en/adventures/\(slug)/\(slug)") }
      adventures.append(Adventure(fields: whole))
    }
    self.init(adventures: adventures, root: root)
  }

  /// The image at a path, or at the path of a `_dynamicUrl`.
  func image(path: String, query: String?) -> ContentImage? {
    for adventure in adventures {
      guard let own = adventure.fields["primaryImage"]?["_path"]?.stringValue else { continue }
      if path == own { return image(own, adventure, width: nil) }
      if path.hasPrefix("\(ImageRendition.prefix)\(ImageRendition.identifier(of: own))/") {
        return image(own, adventure, width: Self.width(in: query))
      }
    }
    return nil
  }

  private func image(_ path: String, _ adventure: Adventure, width: Int?) -> ContentImage? {
    guard let root else {
      let width = min(2000, max(1, width ?? Adventure.imageWidth))
      let height = max(1, width * Adventure.imageHeight / Adventure.imageWidth)
      let slug = adventure.fields["slug"]?.stringValue ?? ""
      return ContentImage(bytes: Landscape(name: slug).png(width: width, height: height), type: "image/png")
    }
    guard !path.split(separator: "/").contains(".."),
      let data = Self.contents(of: "\(root)/\(path)")
    else { return nil }
    return ContentImage(bytes: data, type: ContentImage.type(ofFile: path))
  }

  /// The bytes of a file that whoever runs the server put there; `nil` when it cannot be read.
  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return ferror(file) == 0 ? bytes : nil }
      bytes += chunk[..<count]
    }
  }

  private static func width(in query: String?) -> Int? {
    query?.split(separator: "&").lazy.compactMap { part -> Int? in
      part.hasPrefix("width=") ? Int(part.dropFirst(6)) : nil
    }.first
  }
}
