public import Contracts
public import ExtensionProtocol
import PropertyList

/// The modes and types in a picker's manifest.
public struct PickerOffer: Sendable, Equatable {
  /// `UIDocumentPickerModes`.
  public var modes: [DocumentPicker.Mode]
  /// `UIDocumentPickerSupportedFileTypes`; empty and everything when the manifest names none.
  public var types: [String]

  /// Creates an offer; no types are all types.
  public init(modes: [DocumentPicker.Mode], types: [String]) {
    self.modes = modes
    self.types = types
  }

  /// Reads the offer from `NSExtensionAttributes`; words that are no mode are left out.
  public init(_ manifest: Manifest) {
    func words(_ key: String) -> [String] {
      manifest.attributes[key]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    let names = words("UIDocumentPickerModes")
    modes = DocumentPicker.Mode.allCases.filter { names.contains($0.manifestName) }
    types = words("UIDocumentPickerSupportedFileTypes")
  }

  /// Whether the picker is offered for files of some types: when one of them conforms to one that it supports, or includes one. Supporting
  /// both `public.content` and `public.data` is supporting everything.
  ///
  /// - Parameters:
  ///   - wanted: the types of what is to be transferred, or that are taken; empty is everything.
  ///   - conforms: whether one type conforms to another.
  public func takes(_ wanted: [String], conforms: (String, String) -> Bool) -> Bool {
    let isEverything = types.isEmpty || Set(types).isSuperset(of: ["public.content", "public.data"])
    if isEverything || wanted.isEmpty { return true }
    return wanted.contains { one in types.contains { conforms(one, $0) || conforms($0, one) } }
  }
}
