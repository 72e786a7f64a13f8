public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import JSON

/// Keeps what makes edits undoable: each photo as it was before its first edit, and what the last edit left.
///
/// Everything is found by the contents of files, never by their names, so an edited photo can be moved and copied. Below
/// the state directory: `photos/originals/<SHA-256 of the original>`, and `photos/edits/<SHA-256 of the edited
/// photo>.json`.
public struct PhotoLibrary: Sendable {
  /// The stored edit of a photo.
  public struct Edit: Codable, Sendable, Equatable {
    /// SHA-256 of the photo before its first edit.
    public var original: String
    /// The data with which the edit can be resumed.
    public var adjustmentData: AdjustmentData
    /// The extension that made it.
    public var editor: String
  }

  /// The largest photo, in bytes.
  public static let limit = 128 << 20

  private let state: StateDirectory

  /// Keeps photos below a state directory, in `photos`.
  public init(_ state: StateDirectory) { self.state = state }

  /// The last edit of a photo, or `nil` when it was never edited here.
  ///
  /// - Throws: `storeFailed` when there was one and what is known of it cannot be read.
  public func edit(of photo: [UInt8]) throws -> Edit? {
    let path = "\(state.path)/photos/edits/\(Fingerprint.of(photo)).json"
    do throws(FileError) {
      let bytes = try File.read(path, limit: 4 << 20, followsLink: false)
      if let edit = try? JSONCoding.decode(Edit.self, from: bytes) { return edit }
    } catch {
      if error.kind == .system(SystemError(ENOENT)) { return nil }
    }
    throw ExtensionError(
      .storeFailed, "\(path) is damaged: what was done to this photo is not known.",
      recovery: "The photo itself can be edited after the file is moved away; its originals are in photos/originals.")
  }

  /// The photo before its first edit.
  ///
  /// - Throws: `storeFailed` when it is gone or is not what was kept.
  public func original(of edit: Edit) throws -> [UInt8] {
    let path = originalPath(edit.original)
    guard let bytes = try? File.read(path, limit: Self.limit, followsLink: false),
      Fingerprint.of(bytes) == edit.original
    else {
      throw ExtensionError(
        .storeFailed, "The original of this photo, \(path), is gone or damaged.",
        recovery: "Restore the file from a backup of the state directory.")
    }
    return bytes
  }

  /// Keeps what an edit needs to be undone. Comes before the edited photo is saved, so that no photo is ever without it.
  ///
  /// - Throws: `storeFailed` when it cannot be written: do not save the photo then.
  public func keep(_ edited: EditedPhoto, of original: [UInt8], by editor: String) throws {
    _ = try state.folder("photos/originals")
    _ = try state.folder("photos/edits")
    let name = Fingerprint.of(original)
    // What lies there may be damaged, and the photo in hand may be the last that is whole.
    let kept = try? File.read(originalPath(name), limit: Self.limit, followsLink: false)
    if kept != original { try write(original, to: originalPath(name)) }
    let edit = Edit(original: name, adjustmentData: edited.adjustmentData, editor: editor)
    try write(JSONCoding.encode(edit), to: "\(state.path)/photos/edits/\(Fingerprint.of(edited.bytes)).json")
  }

  private func write(_ bytes: [UInt8], to path: String) throws(ExtensionError) {
    do throws(FileError) {
      try File.replace(path, with: bytes)
    } catch {
      throw ExtensionError(error)
    }
  }

  private func originalPath(_ fingerprint: String) -> String { "\(state.path)/photos/originals/\(fingerprint)" }
}
