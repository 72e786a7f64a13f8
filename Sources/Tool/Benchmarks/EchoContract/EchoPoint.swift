package import ExtensionProtocol

/// The extension point of the benchmark's extension: with the ceilings of a widget.
package enum EchoPoint: PointContract {
  package static let definition = ExtensionPointDefinition(
    ExtensionPoint("com.example.benchmarks.echo"), shortName: "echo", role: "an echo", plural: "the echoes",
    calls: [.request(EchoText.self), .request(EchoObjects.self), .request(EchoMeasure.self)],
    limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse)
}
