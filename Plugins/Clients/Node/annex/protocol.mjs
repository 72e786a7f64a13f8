// The names of the protocol. Generated from protocol.schema.json by Scripts/clients.

export const VERSION = "1.0";

export const ERROR_CODES = {
  "parseError": -32700,
  "invalidRequest": -32600,
  "methodNotFound": -32601,
  "invalidParams": -32602,
  "internalError": -32603,
  "handlerFailed": -32000,
  "peerExited": -32001,
  "notInitialized": -32002,
  "alreadyInitialized": -32003,
  "frameTooLarge": -32004,
  "queueFull": -32005,
  "deadlineExceeded": -32006,
  "shuttingDown": -32007,
  "responseUnserialisable": -32008,
  "streamUnknown": -32009,
  "protocolViolation": -32010,
  "launchFailed": -32011,
  "sandboxUnavailable": -32012,
  "versionUnsupported": -32020,
  "capabilityMissing": -32021,
  "permissionDenied": -32022,
  "apiUnavailable": -32023,
  "pointDisallows": -32024,
  "requestUnknown": -32025,
  "alreadyCompleted": -32026,
  "groupNotEntitled": -32027,
  "quarantined": -32028,
  "activationMismatch": -32029,
  "limitExceeded": -32030,
  "extensionUnknown": -32031,
  "extensionInvalid": -32032,
  "serviceUnavailable": -32033,
  "contentFailed": -32034,
  "storeFailed": -32035,
  "schemeUnregistered": -32036,
  "contentInvalid": -32037,
  "networkFailed": -32038,
  "editingFailed": -32039,
  "documentRefused": -32040,
  "authFailed": -32041,
  "interactionRequired": -32042,
  "dataFailed": -32043,
  "framework": -32050,
  "cancelled": -32800
};

export const ERROR_RECOVERIES = {
  "parseError": "Send one JSON-RPC 2.0 message in valid UTF-8 JSON per frame, without duplicate keys.",
  "invalidRequest": "Send an object with jsonrpc \"2.0\", a method and, for a request, an id.",
  "methodNotFound": "Check the method's spelling. \"host api\" lists the methods that each side serves.",
  "invalidParams": "Compare the params with the method's schema, which \"host api --schema\" prints.",
  "internalError": "This is a bug. Please report it with the message above.",
  "handlerFailed": "Run \"host why ID\" with the extension's identifier: it shows what the extension wrote before it failed.",
  "peerExited": "Run \"host why ID\" with the extension's identifier: it shows how the process ended and the last lines of its standard error.",
  "notInitialized": "Answer \"initialize\" and wait for \"initialized\" before other requests.",
  "alreadyInitialized": "Send \"initialize\" once.",
  "frameTooLarge": "Keep a message under 4 MiB, or pass large data as a file.",
  "queueFull": "Wait for answers before sending more requests.",
  "deadlineExceeded": "Run \"host trace ID -o FILE\" to see which call got no answer, or raise the deadline.",
  "shuttingDown": "Send the request again when the host has started again.",
  "responseUnserialisable": "Return a result that JSON can hold (no NaN, no infinity).",
  "streamUnknown": "Open the stream again.",
  "protocolViolation": "Send JSON-RPC 2.0 in the framing that the manifest names; \"host conform ID\" shows which rule is broken.",
  "launchFailed": "Check that the file that CFBundleExecutable names exists and is executable: \"host verify BUNDLE\" says what is wrong.",
  "sandboxUnavailable": "Run \"host doctor\": it shows what this machine lacks and how to provide it.",
  "versionUnsupported": "Rebuild the extension against this host's protocol version.",
  "capabilityMissing": "Use a host or an extension that offers the capability.",
  "permissionDenied": "Add the entitlement to the extension's manifest, or grant the permission: \"host permissions ID grant NAME\".",
  "apiUnavailable": "Use the replacement that the message names.",
  "pointDisallows": "Use another extension point, or leave this call to the containing app.",
  "requestUnknown": "Use the requestID of a request that has not ended.",
  "alreadyCompleted": "Complete or cancel a request exactly once.",
  "groupNotEntitled": "Name the app group in the manifests of both the extension and its containing app.",
  "quarantined": "Run \"host why ID\" for the reason, correct the extension, then run \"host reset ID\".",
  "activationMismatch": "Pass items that the activation rule accepts, or choose an extension yourself.",
  "limitExceeded": "Use less than the limit that the message names.",
  "extensionUnknown": "Check the identifier: \"host list\" shows those that the registry has.",
  "extensionInvalid": "Correct the manifest: \"host verify BUNDLE\" lists each problem with its file and line.",
  "serviceUnavailable": "Check that the service runs and that its address is right.",
  "contentFailed": "Check AEM_SCHEME, AEM_HOST and AEM_AUTH_TYPE in Config.xcconfig, and that the server answers.",
  "storeFailed": "Check the file or folder named above, its permissions, and the free space: \"host doctor\" shows where state is kept.",
  "schemeUnregistered": "Use a scheme that a containing app declares in CFBundleURLTypes.",
  "contentInvalid": "Change the text so that the extension accepts it.",
  "networkFailed": "The details name the kind of the failure. Check the address and the connection, then try again.",
  "editingFailed": "The photo is unchanged. Try another editor; \"host why ID\" shows why this one failed.",
  "documentRefused": "The document is unchanged. The details name the rule that was broken.",
  "authFailed": "The details name the kind of the failure. Check the account and the identity server, then sign in again.",
  "interactionRequired": "Have the user sign in, then try again.",
  "dataFailed": "The details name the kind of the failure. Check that the Data Connect server answers, then try again.",
  "framework": "Look up the code in the documentation of the error's domain, such as NSCocoaErrorDomain; with --json a command prints both.",
  "cancelled": "Nothing to do: the request was cancelled."
};

// Each member: what it is, and whether it must be there.

export const PARAMS = {
  "$/setTrace": {
    "value": [
      "string",
      true
    ]
  },
  "action/perform": {
    "inputItems": [
      "array",
      true
    ],
    "pageResults": [
      "object",
      false
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "app/openURL": {
    "source": [
      "object",
      true
    ],
    "url": [
      "string",
      true
    ]
  },
  "context/beginRequest": {
    "host": [
      "object",
      false
    ],
    "inputItems": [
      "array",
      true
    ],
    "point": [
      "string",
      true
    ],
    "presentation": [
      "object",
      false
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "context/cancel": {
    "error": [
      "object",
      false
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "context/hostStateDidChange": {
    "requestID": [
      "string",
      true
    ],
    "state": [
      "string",
      true
    ]
  },
  "context/willExpire": {
    "deadlineMs": [
      "integer",
      true
    ],
    "requestID": [
      "string",
      false
    ]
  },
  "defaults/didChange": {
    "after": [
      "integer",
      false
    ],
    "changes": [
      "array",
      false
    ],
    "keys": [
      "array",
      true
    ],
    "revision": [
      "integer",
      true
    ],
    "suite": [
      "string",
      true
    ]
  },
  "initialize": {
    "capabilities": [
      "object",
      false
    ],
    "directories": [
      "object",
      false
    ],
    "extension": [
      "object",
      false
    ],
    "host": [
      "object",
      false
    ],
    "limits": [
      "object",
      false
    ],
    "locale": [
      "string",
      false
    ],
    "permissions": [
      "object",
      false
    ],
    "protocolVersions": [
      "array",
      true
    ]
  },
  "initialized": {},
  "item/provide": {
    "itemID": [
      "string",
      true
    ],
    "options": [
      "object",
      false
    ],
    "requestID": [
      "string",
      true
    ],
    "typeIdentifier": [
      "string",
      true
    ]
  },
  "keyboard/begin": {
    "contextAfter": [
      "string",
      false
    ],
    "contextBefore": [
      "string",
      false
    ],
    "documentIdentifier": [
      "string",
      true
    ],
    "documentInputMode": [
      "string",
      false
    ],
    "hasFullAccess": [
      "boolean",
      true
    ],
    "hasText": [
      "boolean",
      true
    ],
    "needsInputModeSwitchKey": [
      "boolean",
      true
    ],
    "selectedText": [
      "string",
      false
    ],
    "sessionID": [
      "string",
      true
    ],
    "traits": [
      "object",
      true
    ]
  },
  "keyboard/end": {
    "reason": [
      "string",
      true
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "keyboard/input": {
    "event": [
      "object",
      true
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "keyboard/selectionDidChange": {
    "contextAfter": [
      "string",
      false
    ],
    "contextBefore": [
      "string",
      false
    ],
    "hasText": [
      "boolean",
      true
    ],
    "selectedText": [
      "string",
      false
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "keyboard/selectionWillChange": {
    "contextAfter": [
      "string",
      false
    ],
    "contextBefore": [
      "string",
      false
    ],
    "hasText": [
      "boolean",
      true
    ],
    "selectedText": [
      "string",
      false
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "keyboard/textDidChange": {
    "contextAfter": [
      "string",
      false
    ],
    "contextBefore": [
      "string",
      false
    ],
    "hasText": [
      "boolean",
      true
    ],
    "selectedText": [
      "string",
      false
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "keyboard/textWillChange": {
    "contextAfter": [
      "string",
      false
    ],
    "contextBefore": [
      "string",
      false
    ],
    "hasText": [
      "boolean",
      true
    ],
    "selectedText": [
      "string",
      false
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "memoryPressure": {
    "level": [
      "string",
      true
    ],
    "limit": [
      "integer",
      true
    ],
    "usage": [
      "integer",
      true
    ]
  },
  "permissions/didChange": {
    "name": [
      "string",
      true
    ],
    "state": [
      "string",
      true
    ]
  },
  "photo/canHandleAdjustmentData": {
    "data": [
      "string",
      true
    ],
    "formatIdentifier": [
      "string",
      true
    ],
    "formatVersion": [
      "string",
      true
    ]
  },
  "photo/cancelContentEditing": {
    "sessionID": [
      "string",
      true
    ]
  },
  "photo/finishContentEditing": {
    "outputDirectory": [
      "string",
      true
    ],
    "sessionID": [
      "string",
      true
    ],
    "supportedTypes": [
      "array",
      true
    ]
  },
  "photo/outputConsumed": {
    "error": [
      "string",
      false
    ],
    "saved": [
      "boolean",
      true
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "photo/shouldShowCancelConfirmation": {
    "sessionID": [
      "string",
      true
    ]
  },
  "photo/startContentEditing": {
    "input": [
      "object",
      true
    ],
    "placeholder": [
      "object",
      true
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "picker/list": {
    "cursor": [
      "string",
      false
    ],
    "directory": [
      "string",
      false
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "picker/prepare": {
    "documentStorage": [
      "object",
      false
    ],
    "mode": [
      "string",
      true
    ],
    "originalName": [
      "string",
      false
    ],
    "originalURL": [
      "string",
      false
    ],
    "providerIdentifier": [
      "string",
      false
    ],
    "requestID": [
      "string",
      true
    ],
    "validTypes": [
      "array",
      false
    ]
  },
  "picker/select": {
    "destination": [
      "string",
      false
    ],
    "identifier": [
      "string",
      false
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "provider/identifierForItem": {
    "documentStorage": [
      "object",
      true
    ],
    "path": [
      "string",
      true
    ]
  },
  "provider/itemChanged": {
    "documentStorage": [
      "object",
      true
    ],
    "path": [
      "string",
      true
    ],
    "purposeIdentifier": [
      "string",
      false
    ]
  },
  "provider/itemForIdentifier": {
    "documentStorage": [
      "object",
      true
    ],
    "identifier": [
      "string",
      true
    ]
  },
  "provider/providePlaceholder": {
    "documentStorage": [
      "object",
      true
    ],
    "path": [
      "string",
      true
    ]
  },
  "provider/startProviding": {
    "documentStorage": [
      "object",
      true
    ],
    "path": [
      "string",
      true
    ]
  },
  "provider/stopProviding": {
    "documentStorage": [
      "object",
      true
    ],
    "path": [
      "string",
      true
    ]
  },
  "session/handleEvents": {
    "epoch": [
      "integer",
      true
    ],
    "events": [
      "array",
      true
    ],
    "sessionID": [
      "string",
      true
    ]
  },
  "share/completions": {
    "contentText": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "share/configurationItems": {
    "requestID": [
      "string",
      true
    ]
  },
  "share/didSelectCancel": {
    "requestID": [
      "string",
      true
    ]
  },
  "share/didSelectPost": {
    "contentText": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "share/presentation": {
    "requestID": [
      "string",
      true
    ]
  },
  "share/selectConfigurationItem": {
    "id": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ],
    "value": [
      "string",
      false
    ]
  },
  "share/validateContent": {
    "contentText": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "terminate": {
    "graceMs": [
      "integer",
      true
    ],
    "reason": [
      "string",
      true
    ]
  },
  "widget/didSelectRow": {
    "action": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ],
    "row": [
      "integer",
      true
    ]
  },
  "widget/displayModeDidChange": {
    "displayMode": [
      "string",
      true
    ],
    "maxSize": [
      "object",
      true
    ]
  },
  "widget/performUpdate": {
    "displayMode": [
      "string",
      true
    ],
    "maxSize": [
      "object",
      false
    ],
    "reason": [
      "string",
      true
    ],
    "requestID": [
      "string",
      true
    ]
  },
  "widget/viewDidDisappear": {
    "requestID": [
      "string",
      true
    ]
  },
  "widget/viewWillAppear": {
    "requestID": [
      "string",
      true
    ]
  }
};
