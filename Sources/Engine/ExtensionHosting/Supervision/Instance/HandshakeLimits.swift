import EventLoop
import JSONRPC

/// The limits as the handshake names them, so that an extension can keep within them.
enum HandshakeLimits {
  static func table(_ limits: ExtensionLimits, _ deadlines: ExtensionHost.Deadlines) -> [String: Int64] {
    [
      "memoryMiB": mebibytes(limits.memory),
      "cpuSeconds": limits.requestCPU.components.seconds,
      "idleCPUSeconds": limits.idleCPU.components.seconds,
      "threads": Int64(clamping: limits.threads),
      "descriptors": Int64(clamping: limits.descriptors),
      "fileMiB": mebibytes(limits.fileSize),
      "containerMiB": mebibytes(limits.containerSize),
      "containerFiles": Int64(clamping: limits.containerFiles),
      "frameBytes": Int64(Connection.Configuration().maximumFrameBytes),
      "handshakeMs": deadlines.handshake.wholeMilliseconds,
      "serviceMs": deadlines.service.wholeMilliseconds,
      "terminationMs": deadlines.termination.wholeMilliseconds,
    ]
  }

  private static func mebibytes(_ bytes: UInt64) -> Int64 { Int64(clamping: bytes >> 20) }
}
