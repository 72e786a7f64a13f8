internal import Files
internal import JSON

/// A JSON file that lists the entries of one kind under one name: `{"users": [{…}, …]}`.
struct DirectoryFile {
  /// The name of the list.
  let list: String
  /// The most bytes that the file may have.
  let limit: Int
  /// The members that an entry may have.
  let keys: [String]
  /// How a file begins, for whoever writes one.
  let example: String
  /// What an entry has, one sentence.
  let advice: String

  /// Reads the entries of a file, in order.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - entry: makes an entry of its members and its place, `PATH: users[2]`.
  /// - Throws: the file and the place in it of the first fault.
  func read<Entry>(
    _ path: String, _ entry: (_ object: JSONObject, _ place: String) throws(IdentityServerError) -> Entry
  ) throws(IdentityServerError) -> [Entry] {
    let value: JSONValue
    do {
      value = try JSONCoding.parse(try File.read(path, limit: limit))
    } catch let error as JSONError {
      throw IdentityServerError("\(path): \(error)", recovery: "Correct the JSON.")
    } catch {
      throw IdentityServerError("\(path): \(error)", recovery: "Name a file that can be read.")
    }
    guard let values = value[list]?.arrayValue else {
      throw IdentityServerError("\(path): \(list) is not an array.", recovery: "Write \(example).")
    }
    var found: [Entry] = []
    for (index, value) in values.enumerated() {
      let place = "\(path): \(list)[\(index)]"
      guard let object = value.objectValue else { throw fault("\(place) is not an object.") }
      if let unknown = object.keys.first(where: { !keys.contains($0) }) {
        throw fault("\(place) has the unknown key \"\(unknown.prefix(40))\".")
      }
      found.append(try entry(object, place))
    }
    return found
  }

  /// A member that is true or false; nil when it is missing.
  func flag(_ name: String, of object: JSONObject, at place: String) throws(IdentityServerError) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let flag = value.boolValue else { throw fault("\(place).\(name) is not true or false.") }
    return flag
  }

  /// What is wrong with an entry.
  func fault(_ message: String) -> IdentityServerError { IdentityServerError(message, recovery: advice) }
}
