import Files
import Glibc

/// A bundle that the host has copied: it lies at `bundles/DIGEST/NAME` of the state directory.
package enum StoredBundle {
  /// The record names a bundle no longer. If the host has copied it, the time for which the copy is kept begins:
  /// processes of it may run.
  package static func leave(_ bundle: String, in state: StateDirectory) {
    let folder = Folder.parent(of: bundle)
    // The record has paths without links.
    guard let bundles = File.resolved("\(state.path)/bundles"), Folder.parent(of: folder) == bundles else { return }
    utimensat(AT_FDCWD, folder, nil, 0)
  }
}
