import ExtensionProtocol
import Files
import Glibc
import PropertyList
import Synchronization

/// A cache of the contents of manifests, so that a registry reads only those that changed.
///
/// A manifest is identified by its path and its file's device, inode, size and times of change. One cache serves any
/// number of registries. With a state folder, the next host starts with what this one has read. Only the contents of
/// manifests are kept; every rule is applied to them again.
public final class ManifestCache: Sendable {
  /// With fewer manifests a file saves no time.
  static let fewestForFile = 64

  private struct Known {
    /// What the file held when it was first needed.
    var file: ManifestCacheFile?
    /// What registries of this process found.
    var manifests: [String: (stamp: ManifestStamp, points: [ExtensionPoint], file: ManifestFile)] = [:]
    /// Whether there is something that the file has not.
    var hasNews = false
  }

  private let state: StateDirectory?
  private let isSettled: @Sendable (ManifestStamp) -> Bool
  private let known = Mutex(Known())

  /// - Parameter state: the folder to keep state in; `nil` remembers for the life of the value only. The file is
  ///   `cache/manifests`, readable by its owner alone. What is damaged, or not private, is ignored and written anew.
  public convenience init(state: StateDirectory? = nil) { self.init(state: state) { $0.isSettled } }

  /// - Parameter isSettled: whether a change after this moment must show in another stamp.
  init(state: StateDirectory?, isSettled: @escaping @Sendable (ManifestStamp) -> Bool) {
    self.state = state
    self.isSettled = isSettled
  }

  private var path: String? { state.map { "\($0.path)/cache/manifests" } }

  // MARK: Reading

  /// Returns a manifest of a file, checked against a table of extension points.
  func manifest(_ path: String, isAppBundle: Bool, points: ExtensionPointTable) -> ManifestFile {
    guard let stamp = ManifestStamp(path) else { return ManifestFile(path, isAppBundle: isAppBundle, points: points) }
    let (manifest, record) = known.withLock { known -> (ManifestFile?, ManifestCacheFile.Record?) in
      if let manifest = known.manifests[path], manifest.stamp == stamp, manifest.points == points.points {
        return (manifest.file, nil)
      }
      let file = known.file ?? load()
      known.file = file
      return (nil, file.records[path])
    }
    if let manifest { return manifest }
    if let record, record.stamp == stamp, let node = ManifestArchive.node(record.archive) {
      return remember(ManifestFile(node, path: path, points: points), path, stamp, points, isNew: false)
    }
    let read = ManifestFile(path, isAppBundle: isAppBundle, points: points)
    guard read.node != nil, isSettled(stamp), ManifestStamp(path) == stamp else { return read }
    return remember(read, path, stamp, points, isNew: true)
  }

  private func remember(
    _ manifest: ManifestFile, _ path: String, _ stamp: ManifestStamp, _ points: ExtensionPointTable, isNew: Bool
  ) -> ManifestFile {
    known.withLock {
      $0.manifests[path] = (stamp, points.points, manifest)
      if isNew { $0.hasNews = true }
    }
    return manifest
  }

  private func load() -> ManifestCacheFile {
    guard let path else { return ManifestCacheFile() }
    var info = stat()
    guard lstat(path, &info) == 0, info.st_uid == geteuid(), info.st_mode & 0o077 == 0,
      let bytes = try? File.read(path, limit: ManifestCacheFile.maximumSize, followsLink: false)
    else { return ManifestCacheFile() }
    return ManifestCacheFile(bytes)
  }

  // MARK: Writing

  /// Called when a registry has read everything: forgets manifests that it did not meet, and writes the file when there
  /// is something new. A file that cannot be written changes nothing but the time that the next host takes.
  func settle(_ paths: Set<String>) {
    let news = known.withLock { known -> Known? in
      known.manifests = known.manifests.filter { paths.contains($0.key) }
      guard known.hasNews else { return nil }
      known.hasNews = false
      return known
    }
    guard let news, let state, let path, paths.count >= Self.fewestForFile else { return }
    guard (try? state.folder("cache")) != nil else { return }
    try? File.replace(path, with: contents(news).bytes)
  }

  /// What this registry met, then what others left there that still holds.
  private func contents(_ known: Known) -> ManifestCacheFile {
    let before = known.file ?? ManifestCacheFile()
    var file = ManifestCacheFile()
    for (path, manifest) in known.manifests {
      if let record = before.records[path], record.stamp == manifest.stamp {
        file.insert(path, record)
      } else if let node = manifest.file.node {
        var archive: [UInt8] = []
        ManifestArchive.append(node, to: &archive)
        file.insert(path, ManifestCacheFile.Record(stamp: manifest.stamp, archive: archive[...]))
      }
    }
    for (path, record) in before.records where known.manifests[path] == nil {
      guard ManifestStamp(path) == record.stamp else { continue }
      if !file.insert(path, record) { break }
    }
    return file
  }
}

extension ManifestCache: Hashable {
  /// Always: what is remembered is no part of what a registry is.
  public static func == (one: ManifestCache, other: ManifestCache) -> Bool { true }
  /// All caches are equal: what is remembered is no part of what is known.
  public func hash(into hasher: inout Hasher) {}
}
