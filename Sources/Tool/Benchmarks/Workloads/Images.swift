import MeasuredHost
import BenchmarkResults
import CImageFloor
import Glibc
import Images

extension Workload {
  /// A photograph for a page, beside the same library called from C.
  static let contentImage = Workload(
    name: "content-image", summary: "A JPEG of 2400 x 1600 pixels becomes one of 600 x 400, of quality 80",
    unit: .requestsPerSecond, count: 60
  ) { _, count in
    let photo = try photo
    let transform = ImageTransform(format: .JPG, quality: 80, width: 600)
    return try rate(count) {
      let rendition = try ImageRendering.render(photo, as: transform)
      guard rendition.width == 600 else { throw BenchmarkError("The rendition is \(rendition.width) pixels wide.") }
    }
  } floor: { _, count in
    let photo = try photo
    return try rate(count) {
      var width: Int32 = 0
      let error = image_floor_render(photo, photo.count, 600, 80, &width)
      guard error == 0, width == 600 else { throw BenchmarkError("The floor of renditions failed: errno \(error).") }
    }
  }

  private static var photo: [UInt8] {
    get throws {
      var (file, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
      let error = image_floor_make(2400, 1600, &file, &count)
      defer { free(file) }
      guard error == 0 else { throw BenchmarkError("The photo of the benchmark was not made: errno \(error).") }
      return Array(UnsafeBufferPointer(start: file, count: count))
    }
  }

  private static func rate(_ count: Int, _ body: () throws -> Void) rethrows -> Reading {
    let start = ContinuousClock.now
    for _ in 0..<count { try body() }
    return Reading(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
  }
}
