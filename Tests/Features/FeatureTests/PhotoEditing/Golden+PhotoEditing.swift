import HostServices

extension Golden {
  private static let adjustment = AdjustmentData(
    formatIdentifier: "com.example.tones", formatVersion: "1", bytes: Array("tone=mono".utf8))

  static let photoEditing: [Golden] = [
    Golden(
      PhotoEditing.CanHandleAdjustmentData(adjustment), PhotoEditing.CanHandleAdjustmentData.Result(canHandle: true)),
    Golden(
      PhotoEditing.StartContentEditing(
        sessionID: "r1",
        input: PhotoEditingInput(
          uniformTypeIdentifier: "public.jpeg", creationDate: 1_700_000_000, fullSizeImagePath: "original.x1",
          fullSizeImageOrientation: 6, adjustmentData: adjustment, options: ["tone": "sepia"]),
        placeholder: .init(path: "placeholder.x2")),
      Empty()),
    Golden(
      PhotoEditing.ShouldShowCancelConfirmation(sessionID: "r1"),
      PhotoEditing.ShouldShowCancelConfirmation.Result(show: true)),
    Golden(
      PhotoEditing.FinishContentEditing(
        sessionID: "r1", outputDirectory: "photo-r1", supportedTypes: ["public.jpeg", "public.png"]),
      PhotoEditing.FinishContentEditing.Result(
        output: PhotoEditingOutput(
          renderedContent: .init(path: "photo-r1/rendered", type: "public.jpeg"), adjustmentData: adjustment))),
    Golden(PhotoEditing.OutputConsumed(sessionID: "r1", saved: false, error: "The disk is full.")),
    Golden(PhotoEditing.CancelContentEditing(sessionID: "r1"), Empty()),
  ]
}
