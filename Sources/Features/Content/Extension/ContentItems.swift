import JSON

/// The fragments of a list, each decoded for itself: one that is null, or not as expected, is left out and told, and the
/// others are there.
///
/// ```swift
/// struct Adventures: Decodable, Sendable {
///   struct List: Decodable, Sendable { var items: ContentItems<Adventure> }
///   var adventureList: List?
/// }
/// ```
public struct ContentItems<Item: Decodable & Sendable>: Decodable, Sendable, RandomAccessCollection {
  /// A fragment that was left out.
  public struct Problem: Sendable, Equatable {
    /// The index in the server's list, from 0.
    public var index: Int
    /// The description of the fault.
    public var message: String
  }

  /// The items that could be decoded, in the order of the server.
  public private(set) var items: [Item] = []
  /// The items that could not be decoded.
  public private(set) var problems: [Problem] = []

  /// Decodes a list.
  ///
  /// - Throws: `DecodingError` when it is none.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var index = 0
    while !container.isAtEnd {
      switch try container.decode(Attempt.self) {
      case .item(let item): items.append(item)
      case .problem(let message): problems.append(Problem(index: index, message: message))
      }
      index += 1
    }
  }

  private enum Attempt: Decodable {
    case item(Item)
    case problem(String)

    init(from decoder: any Decoder) throws {
      if try decoder.singleValueContainer().decodeNil() {
        self = .problem("It is null.")
        return
      }
      do {
        self = .item(try Item(from: decoder))
      } catch let error as DecodingError {
        let (path, description) = error.pathAndDescription
        self = .problem(path.isEmpty ? description : "\(path): \(description)")
      } catch {
        self = .problem("\(error)")
      }
    }
  }

  /// 0.
  public var startIndex: Int { items.startIndex }
  /// The number of items that could be decoded.
  public var endIndex: Int { items.endIndex }
  /// The fragment at an index of those that fit.
  public subscript(position: Int) -> Item { items[position] }
}
