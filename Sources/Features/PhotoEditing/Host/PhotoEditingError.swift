import ExtensionProtocol
import JSON

extension PhotoEditingRefusal {
  /// The refusal as it is shown.
  ///
  /// - Parameter detail: a sentence in place of the standing one.
  func error(of extensionName: String, _ detail: String? = nil) -> ExtensionError {
    ExtensionError(
      .editingFailed, detail ?? "\(extensionName) \(clause).", recovery: recovery,
      details: ["reason": .string(rawValue)])
  }

  private var clause: String {
    switch self {
    case .mediaTypeUnsupported: "does not edit files of this kind"
    case .noSession: "has no session of editing"
    case .sessionBusy: "is already editing"
    case .outputMissing: "wrote no edited photo"
    case .outputNotReadable: "wrote an edited photo that cannot be read"
    case .wrongFormat: "wrote an edited photo in a format that was not asked for"
    case .orientationNotNormalised: "wrote an edited photo that is still to be turned"
    case .adjustmentDataMissing: "did not describe its edit with adjustment data"
    case .adjustmentDataReused: "described its edit with the adjustment data of the earlier one"
    case .adjustmentDataEmpty: "described its edit with empty adjustment data"
    case .adjustmentDataTooLarge: "described its edit with more than 2 MiB of adjustment data"
    case .cancelledDuringFinish: "was cancelled while it finished; nothing was saved"
    }
  }

  private var recovery: String {
    switch self {
    case .mediaTypeUnsupported:
      "Choose a file of a kind that the extension's PHSupportedMediaTypes names, or another extension."
    case .noSession: "Start a session before this call."
    case .sessionBusy: "Wait until the session has ended."
    case .cancelledDuringFinish: "Edit the photo again; it is unchanged."
    case .orientationNotNormalised:
      "The photo is unchanged. The extension has to turn the pixels itself."
    default: "The photo is unchanged. Use another extension, or correct this one."
    }
  }
}
