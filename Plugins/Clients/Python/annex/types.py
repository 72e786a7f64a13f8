"""The params and results of the protocol, for a type checker. Generated from protocol.schema.json by Scripts/clients."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class AdjustmentData(TypedDict):
    data: str
    formatIdentifier: str
    formatVersion: str


class _AuthAccount(TypedDict):
    id: str
    signedIn: bool
    username: str


class AuthAccount(_AuthAccount, total=False):
    name: Union[str, None]


class _AuthAttribute(TypedDict):
    isRequired: bool
    name: str
    type: str


class AuthAttribute(_AuthAttribute, total=False):
    pattern: Union[str, None]

AuthFlow = Literal["signIn", "signUp", "resetPassword"]


class _AuthMethod(TypedDict):
    channel: str
    id: str


class AuthMethod(_AuthMethod, total=False):
    hint: Union[str, None]


class _AuthProblem(TypedDict):
    kind: str
    message: str
    recovery: str


class AuthProblem(_AuthProblem, total=False):
    correlationID: Union[str, None]
    names: Union[List[str], None]


class AuthProgress(TypedDict):
    state: AuthState

AuthRequestSignInState = Literal["signedIn", "cancelled", "unavailable"]


class _AuthSentCode(TypedDict):
    channel: str
    sentTo: str


class AuthSentCode(_AuthSentCode, total=False):
    length: Union[int, None]
    resendAfterSeconds: Union[int, None]


class _AuthState(TypedDict):
    name: AuthStateName


class AuthState(_AuthState, total=False):
    account: Union[AuthAccount, None]
    attributes: Union[List[AuthAttribute], None]
    code: Union[AuthSentCode, None]
    methods: Union[List[AuthMethod], None]
    problem: Union[AuthProblem, None]

AuthStateName = Literal["codeRequired", "passwordRequired", "attributesRequired", "methodRequired", "registrationRequired", "newPasswordRequired", "completed", "cancelled"]

ContainerMode = Literal["ro", "rw"]


class _ContentQueryError(TypedDict):
    message: str


class ContentQueryError(_ContentQueryError, total=False):
    extensions: Union[Dict[str, Any], None]
    path: Union[List[Any], None]

ContentSource = Literal["network", "cache", "revalidated", "stale"]


class DataContractCache(TypedDict, total=False):
    maxAgeMs: Union[int, None]
    maxBytes: Union[int, None]
    storage: Union[DataContractCacheStorage, None]

DataContractCacheStorage = Literal["persistent", "memory"]


class _DataContractConnectorsConnector(TypedDict):
    connector: str
    service: str


class DataContractConnectorsConnector(_DataContractConnectorsConnector, total=False):
    location: Union[str, None]


class DataContractEmulator(TypedDict):
    host: str
    port: int

DataContractFetchPolicy = Literal["preferCache", "cacheOnly", "serverOnly"]


class _DataContractFieldError(TypedDict):
    message: str


class DataContractFieldError(_DataContractFieldError, total=False):
    extensions: Union[Dict[str, Any], None]
    path: Union[List[Any], None]

DataContractKind = Literal["query", "mutation"]


class _DataContractOutcome(TypedDict):
    source: DataContractSource


class DataContractOutcome(_DataContractOutcome, total=False):
    data: Any
    errors: Union[List[DataContractFieldError], None]

DataContractSource = Literal["server", "cache"]


class _DefaultsChange(TypedDict):
    key: str
    revision: int


class DefaultsChange(_DefaultsChange, total=False):
    value: Union[PropertyListValue, None]


class DefaultsRevision(TypedDict):
    revision: int


class _DocumentPickerEntry(TypedDict):
    enabled: bool
    identifier: str
    local: bool
    name: str
    type: str


class DocumentPickerEntry(_DocumentPickerEntry, total=False):
    size: Union[int, None]

DocumentPickerMode = Literal["import", "open", "exportToService", "moveToService"]


class ErrorData(TypedDict, total=False):
    cause: List[str]
    details: Dict[str, Any]
    name: str
    recovery: str


class _ErrorObject(TypedDict):
    code: int
    message: str


class ErrorObject(_ErrorObject, total=False):
    data: ErrorData


class ErrorResponse(TypedDict):
    error: ErrorObject
    id: Union[RequestID, None]
    jsonrpc: Literal["2.0"]


class ExtensionItem(TypedDict, total=False):
    attachments: Union[List[ItemProvider], None]
    attributedContentText: Union[str, None]
    attributedTitle: Union[str, None]
    userInfo: Union[Dict[str, PropertyListValue], None]


class FileProviderCoordinateOptions(TypedDict, total=False):
    metadataOnly: Union[bool, None]
    replacing: Union[bool, None]

FileProviderIntent = Literal["read", "write", "delete", "move"]


class _FileProviderMetadata(TypedDict):
    isPackage: bool
    name: str


class FileProviderMetadata(_FileProviderMetadata, total=False):
    size: Union[int, None]


class FileProviderStorage(TypedDict):
    group: str
    path: str


class InitializeDirectories(TypedDict):
    container: str
    groups: Dict[str, InitializeDirectoriesGroup]
    scratch: str


class InitializeDirectoriesGroup(TypedDict):
    mode: str
    path: str


class _InitializeIdentity(TypedDict):
    id: str
    point: str


class InitializeIdentity(_InitializeIdentity, total=False):
    containingApp: Union[str, None]
    pointVersion: Union[PointVersion, None]
    version: Union[str, None]


class _ItemProvider(TypedDict):
    itemID: str
    registeredTypeIdentifiers: List[str]


class ItemProvider(_ItemProvider, total=False):
    estimatedSize: Union[int, None]
    inline: Union[ItemProviderInline, None]
    suggestedName: Union[str, None]
    visibility: Union[ItemProviderVisibility, None]


class _ItemProviderInline(TypedDict):
    type: str
    value: str


class ItemProviderInline(_ItemProviderInline, total=False):
    encoding: Union[str, None]

ItemProviderVisibility = Literal[0, 1, 2, 3]


class ItemsOptions(TypedDict, total=False):
    preferredImageSize: Union[ItemsOptionsSize, None]


class ItemsOptionsSize(TypedDict):
    height: float
    width: float

ItemsProvideResultKind = Literal["data", "file", "plist", "url", "text"]

ItemsRepresentation = Literal["data", "file", "inPlace", "item", "preview"]

KeyboardEndReason = Literal["secureField", "phonePad", "switched", "dismissed", "hostDisallows"]


class KeyboardInputEvent(TypedDict):
    key: str
    kind: KeyboardInputEventKind

KeyboardInputEventKind = Literal["key", "tap", "longPress", "gesture", "candidate"]


class KeyboardRequestSupplementaryLexiconEntry(TypedDict):
    documentText: str
    userInput: str


class _KeyboardContext(TypedDict):
    hasText: bool


class KeyboardContext(_KeyboardContext, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    selectedText: Union[str, None]


class KeyboardEdit1(TypedDict):
    insertText: str


class KeyboardEdit2(TypedDict):
    deleteBackward: int


class KeyboardEdit3(TypedDict):
    adjust: int


class _KeyboardEdit4(TypedDict):
    setMarked: str


class KeyboardEdit4(_KeyboardEdit4, total=False):
    selectedRange: Union[List[int], None]


class KeyboardEdit5(TypedDict):
    unmark: Any

KeyboardEdit = Union["KeyboardEdit1", "KeyboardEdit2", "KeyboardEdit3", "KeyboardEdit4", "KeyboardEdit5"]


class KeyboardTraits(TypedDict):
    appearance: KeyboardTraitsAppearance
    autocapitalization: KeyboardTraitsAutocapitalization
    autocorrection: KeyboardTraitsSwitch
    isSecureTextEntry: bool
    keyboardType: KeyboardTraitsKeyboardType
    returnKey: KeyboardTraitsReturnKey
    smartDashes: KeyboardTraitsSwitch
    smartInsertDelete: KeyboardTraitsSwitch
    smartQuotes: KeyboardTraitsSwitch
    spellChecking: KeyboardTraitsSwitch

KeyboardTraitsAppearance = Literal[0, 1, 2]

KeyboardTraitsAutocapitalization = Literal[0, 1, 2, 3]

KeyboardTraitsKeyboardType = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

KeyboardTraitsReturnKey = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

KeyboardTraitsSwitch = Literal[0, 1, 2]

LogLevel = Literal["trace", "debug", "info", "notice", "warning", "error", "critical"]

MemoryWarningLevel = Literal["warning", "critical"]


class Meta(TypedDict, total=False):
    deadlineMs: int
    progressToken: RequestID
    requestID: str
    traceparent: str
    tracestate: str


class NetworkBody(TypedDict, total=False):
    base64: Union[str, None]
    file: Union[str, None]
    stream: Union[str, None]
    text: Union[str, None]

NetworkDelivery = Literal["inline", "file", "stream"]


class OpenURLDeliverSource(TypedDict, total=False):
    bundleID: Union[str, None]
    point: Union[str, None]


class _Peer(TypedDict):
    name: str


class Peer(_Peer, total=False):
    language: Union[str, None]
    version: Union[str, None]

PermissionState = Literal["granted", "denied", "undecided"]


class PhotoEditingStartContentEditingPlaceholder(TypedDict):
    path: str


class _PhotoEditingInput(TypedDict):
    fullSizeImageOrientation: int
    fullSizeImagePath: str
    mediaSubtypes: List[str]
    mediaType: int
    options: Dict[str, str]
    uniformTypeIdentifier: str


class PhotoEditingInput(_PhotoEditingInput, total=False):
    adjustmentData: Union[AdjustmentData, None]
    creationDate: Union[float, None]


class PhotoEditingOutput(TypedDict, total=False):
    adjustmentData: Union[AdjustmentData, None]
    renderedContent: Union[PhotoEditingOutputRenderedContent, None]


class PhotoEditingOutputRenderedContent(TypedDict):
    path: str
    type: str

PointVersion = str

PropertyListValue = Union[Dict[str, "PropertyListValue"], List["PropertyListValue"]]


class _RequestCancelFailure(TypedDict):
    code: int
    domain: str


class RequestCancelFailure(_RequestCancelFailure, total=False):
    localizedDescription: Union[str, None]
    userInfo: Union[Dict[str, Any], None]


class _RequestHostApp(TypedDict):
    bundleID: str


class RequestHostApp(_RequestHostApp, total=False):
    acceptableTypes: Union[List[str], None]

RequestHostStateDidChangeState = Literal["willEnterForeground", "didEnterBackground", "willResignActive", "didBecomeActive"]


class _RequestPresentation(TypedDict):
    interactive: bool


class RequestPresentation(_RequestPresentation, total=False):
    size: Union[WidgetSize, None]

RequestID = Union[int, str]


class Response(TypedDict):
    id: RequestID
    jsonrpc: Literal["2.0"]
    result: Any


class SessionsAddedTask(TypedDict):
    taskID: int


class SessionsConfiguration(TypedDict, total=False):
    httpAdditionalHeaders: Union[Dict[str, str], None]
    httpMaximumConnectionsPerHost: Union[int, None]
    isDiscretionary: Union[bool, None]
    sessionSendsLaunchEvents: Union[bool, None]
    timeoutIntervalForRequest: Union[float, None]
    timeoutIntervalForResource: Union[float, None]


class _SessionsEvent(TypedDict):
    eventID: int
    taskID: int
    type: SessionsEventType


class SessionsEvent(_SessionsEvent, total=False):
    error: Union[SessionsFailure, None]
    path: Union[str, None]
    response: Union[SessionsResponse, None]

SessionsEventType = Literal["didFinishDownloading", "didSendBody", "didComplete", "waitingForConnectivity"]


class _SessionsFailure(TypedDict):
    code: int
    domain: str
    localizedDescription: str


class SessionsFailure(_SessionsFailure, total=False):
    recovery: Union[str, None]

SessionsKind = Literal["download", "upload"]


class _SessionsRequest(TypedDict):
    url: str


class SessionsRequest(_SessionsRequest, total=False):
    headers: Union[Dict[str, str], None]
    method: Union[str, None]


class SessionsResponse(TypedDict):
    headers: Dict[str, str]
    status: int
    url: str

SessionsState = Literal["waiting", "running", "completed", "failed", "cancelled"]


class _SessionsTaskStatus(TypedDict):
    bytesDone: int
    kind: SessionsKind
    state: SessionsState
    taskID: int
    url: str


class SessionsTaskStatus(_SessionsTaskStatus, total=False):
    bytesExpected: Union[int, None]
    destination: Union[str, None]
    error: Union[SessionsFailure, None]

SetTraceLevel = Literal["off", "messages", "verbose"]


class ShareCompletion(TypedDict):
    contentText: str
    title: str


class ShareConfiguration(TypedDict):
    items: List[ShareConfigurationItem]


class _ShareConfigurationItem(TypedDict):
    id: str
    title: str


class ShareConfigurationItem(_ShareConfigurationItem, total=False):
    choices: Union[List[str], None]
    value: Union[str, None]
    valuePending: Union[bool, None]


class _ShareContentState(TypedDict):
    isValid: bool


class ShareContentState(_ShareContentState, total=False):
    charactersRemaining: Union[int, None]

StreamID = str


class TodayDisplay(TypedDict):
    activeDisplayMode: WidgetDisplayMode
    grantedSize: WidgetSize


class _UpdateResult(TypedDict):
    result: UpdateResultOutcome


class UpdateResult(_UpdateResult, total=False):
    preferredContentSize: Union[WidgetSize, None]
    view: Union[WidgetView, None]

UpdateResultOutcome = Literal["newData", "noData", "failed"]

WidgetDisplayMode = Literal["compact", "expanded"]


class WidgetSize(TypedDict):
    height: int
    width: int

WidgetUpdateReason = Literal["scheduled", "visible", "snapshot", "push"]


class WidgetView2(TypedDict, total=False):
    rows: Union[List[WidgetViewRow], None]
    text: Union[str, None]
    title: Union[str, None]

WidgetView = Union[str, "WidgetView2"]


class _WidgetViewRow(TypedDict):
    title: str


class WidgetViewRow(_WidgetViewRow, total=False):
    action: Union[str, None]
    kind: Union[str, None]
    subtitle: Union[str, None]
    url: Union[str, None]
    value: Union[str, None]


class _ActionPerformParams(TypedDict):
    inputItems: List[ExtensionItem]
    requestID: str


class ActionPerformParams(_ActionPerformParams, total=False):
    pageResults: Union[Dict[str, Any], None]


class ActionPerformResult(TypedDict, total=False):
    view: Union[WidgetView, None]


class ApiReportParams(TypedDict):
    symbol: str


class _ApiReportResult(TypedDict):
    allowed: bool


class ApiReportResult(_ApiReportResult, total=False):
    reason: Union[str, None]
    replacement: Union[str, None]


class AppOpenURLParams(TypedDict):
    source: OpenURLDeliverSource
    url: str


class _AppOpenURLResult(TypedDict):
    handled: bool


class AppOpenURLResult(_AppOpenURLResult, total=False):
    presentation: Union[str, None]

AuthAccountsParams = Dict[str, Any]


class AuthAccountsResult(TypedDict):
    accounts: List[AuthAccount]


class _AuthBeginParams(TypedDict):
    flow: AuthFlow
    username: str


class AuthBeginParams(_AuthBeginParams, total=False):
    attributes: Union[Dict[str, Any], None]
    password: Union[str, None]
    scopes: Union[List[str], None]


class AuthBeginResult(TypedDict):
    flowID: str
    state: AuthState


class AuthCancelParams(TypedDict):
    flowID: str


class _AuthContinueParams(TypedDict):
    flowID: str


class AuthContinueParams(_AuthContinueParams, total=False):
    attributes: Union[Dict[str, Any], None]
    contact: Union[str, None]
    methodID: Union[str, None]
    newPassword: Union[str, None]
    oneTimeCode: Union[str, None]
    password: Union[str, None]


class _AuthFetchParams(TypedDict):
    scopes: List[str]
    url: str


class AuthFetchParams(_AuthFetchParams, total=False):
    account: Union[str, None]
    body: Union[NetworkBody, None]
    delivery: Union[NetworkDelivery, None]
    headers: Union[Dict[str, str], None]
    maxBytes: Union[int, None]
    method: Union[str, None]
    requestID: Union[str, None]
    timeoutMs: Union[int, None]


class _AuthFetchResult(TypedDict):
    body: NetworkBody
    finalURL: str
    headers: Dict[str, str]
    status: int


class AuthFetchResult(_AuthFetchResult, total=False):
    bytes: Union[int, None]


class _AuthRequestSignInParams(TypedDict):
    reason: str


class AuthRequestSignInParams(_AuthRequestSignInParams, total=False):
    loginHint: Union[str, None]
    scopes: Union[List[str], None]


class _AuthRequestSignInResult(TypedDict):
    state: AuthRequestSignInState


class AuthRequestSignInResult(_AuthRequestSignInResult, total=False):
    account: Union[AuthAccount, None]


class AuthResendParams(TypedDict):
    flowID: str


class AuthSignOutParams(TypedDict):
    account: str

AuthSignOutResult = Dict[str, Any]


class _AuthTokenParams(TypedDict):
    scopes: List[str]


class AuthTokenParams(_AuthTokenParams, total=False):
    account: Union[str, None]
    claims: Union[str, None]
    forceRefresh: Union[bool, None]


class AuthTokenResult(TypedDict):
    accessToken: str
    account: str
    expiresAt: int
    scopes: List[str]


class ContainerPathParams(TypedDict):
    group: str


class ContainerPathResult(TypedDict):
    mode: ContainerMode
    path: str


class _ContentExecuteParams(TypedDict):
    query: str


class ContentExecuteParams(_ContentExecuteParams, total=False):
    refresh: Union[bool, None]
    variables: Union[Dict[str, Any], None]


class _ContentExecuteResult(TypedDict):
    ageSeconds: int
    data: Any
    httpStatus: int
    source: ContentSource


class ContentExecuteResult(_ContentExecuteResult, total=False):
    errors: Union[List[ContentQueryError], None]


class _ContentImageParams(TypedDict):
    path: str


class ContentImageParams(_ContentImageParams, total=False):
    format: Union[str, None]
    height: Union[int, None]
    quality: Union[int, None]
    refresh: Union[bool, None]
    width: Union[int, None]


class ContentImageResult(TypedDict):
    ageSeconds: int
    bytes: int
    file: str
    mimeType: str
    source: ContentSource


class _ContextBeginRequestParams(TypedDict):
    inputItems: List[ExtensionItem]
    point: str
    requestID: str


class ContextBeginRequestParams(_ContextBeginRequestParams, total=False):
    host: Union[RequestHostApp, None]
    presentation: Union[RequestPresentation, None]


class ContextBeginRequestResult(TypedDict):
    accepted: bool


class _ContextCancelParams(TypedDict):
    requestID: str


class ContextCancelParams(_ContextCancelParams, total=False):
    error: Union[RequestCancelFailure, None]


class ContextCancelRequestParams(TypedDict):
    error: RequestCancelFailure
    requestID: str

ContextCancelRequestResult = Dict[str, Any]


class _ContextCompleteRequestParams(TypedDict):
    requestID: str


class ContextCompleteRequestParams(_ContextCompleteRequestParams, total=False):
    completionWork: Union[bool, None]
    returningItems: Union[List[ExtensionItem], None]


class _ContextCompleteRequestResult(TypedDict):
    delivered: bool


class ContextCompleteRequestResult(_ContextCompleteRequestResult, total=False):
    expiresInMs: Union[int, None]
    token: Union[str, None]


class ContextExpiringActivityBeginParams(TypedDict):
    reason: str


class ContextExpiringActivityBeginResult(TypedDict):
    expiresInMs: int
    token: str


class ContextExpiringActivityEndParams(TypedDict):
    token: str

ContextExpiringActivityEndResult = Dict[str, Any]


class ContextHostStateDidChangeParams(TypedDict):
    requestID: str
    state: RequestHostStateDidChangeState


class _ContextWillExpireParams(TypedDict):
    deadlineMs: int


class ContextWillExpireParams(_ContextWillExpireParams, total=False):
    requestID: Union[str, None]

DataConnectorsParams = Dict[str, Any]


class DataConnectorsResult(TypedDict):
    connectors: List[DataContractConnectorsConnector]


class _DataExecuteParams(TypedDict):
    connector: str
    kind: DataContractKind
    operation: str


class DataExecuteParams(_DataExecuteParams, total=False):
    account: Union[str, None]
    cache: Union[DataContractCache, None]
    emulator: Union[DataContractEmulator, None]
    fetchPolicy: Union[DataContractFetchPolicy, None]
    location: Union[str, None]
    variables: Union[Dict[str, Any], None]


class _DataSubscribeParams(TypedDict):
    connector: str
    operation: str


class DataSubscribeParams(_DataSubscribeParams, total=False):
    account: Union[str, None]
    cache: Union[DataContractCache, None]
    emulator: Union[DataContractEmulator, None]
    location: Union[str, None]
    variables: Union[Dict[str, Any], None]


class DataSubscribeResult(TypedDict):
    stream: str


class DefaultsAllParams(TypedDict):
    suite: str


class DefaultsAllResult(TypedDict):
    revision: int
    values: Dict[str, PropertyListValue]


class _DefaultsCompareAndSetParams(TypedDict):
    expectedRevision: int
    key: str
    suite: str


class DefaultsCompareAndSetParams(_DefaultsCompareAndSetParams, total=False):
    value: Union[PropertyListValue, None]


class DefaultsCompareAndSetResult(TypedDict):
    revision: int
    swapped: bool


class _DefaultsDidChangeParams(TypedDict):
    keys: List[str]
    revision: int
    suite: str


class DefaultsDidChangeParams(_DefaultsDidChangeParams, total=False):
    after: Union[int, None]
    changes: Union[List[DefaultsChange], None]


class _DefaultsFollowParams(TypedDict):
    suite: str


class DefaultsFollowParams(_DefaultsFollowParams, total=False):
    after: Union[int, None]


class DefaultsFollowResult(TypedDict):
    changes: List[DefaultsChange]
    revision: int
    whole: bool


class DefaultsGetParams(TypedDict):
    key: str
    suite: str


class _DefaultsGetResult(TypedDict):
    revision: int


class DefaultsGetResult(_DefaultsGetResult, total=False):
    value: Union[PropertyListValue, None]


class DefaultsObserveParams(TypedDict):
    prefix: str
    suite: str


class DefaultsRemoveParams(TypedDict):
    key: str
    suite: str


class DefaultsRemoveAllParams(TypedDict):
    suite: str


class DefaultsSetParams(TypedDict):
    key: str
    suite: str
    value: PropertyListValue


class _DefaultsSetManyParams(TypedDict):
    suite: str
    values: Dict[str, PropertyListValue]


class DefaultsSetManyParams(_DefaultsSetManyParams, total=False):
    remove: Union[List[str], None]


class _InitializeParams(TypedDict):
    protocolVersions: List[str]


class InitializeParams(_InitializeParams, total=False):
    capabilities: Union[Dict[str, Any], None]
    directories: Union[InitializeDirectories, None]
    extension: Union[InitializeIdentity, None]
    host: Union[Peer, None]
    limits: Union[Dict[str, int], None]
    locale: Union[str, None]
    permissions: Union[Dict[str, str], None]


class _InitializeResult(TypedDict):
    protocolVersion: str


class InitializeResult(_InitializeResult, total=False):
    capabilities: Union[Dict[str, Any], None]
    pointVersion: Union[PointVersion, None]
    principalClass: Union[str, None]
    sdk: Union[Peer, None]

InitializedParams = Dict[str, Any]


class ItemHasConformingParams(TypedDict):
    itemID: str
    requestID: str
    typeIdentifier: str


class ItemHasConformingResult(TypedDict):
    value: bool


class _ItemLoadParams(TypedDict):
    itemID: str
    requestID: str
    typeIdentifier: str


class ItemLoadParams(_ItemLoadParams, total=False):
    options: Union[ItemsOptions, None]
    representation: Union[ItemsRepresentation, None]


class _ItemLoadResult(TypedDict):
    typeIdentifier: str


class ItemLoadResult(_ItemLoadResult, total=False):
    inline: Union[ItemProviderInline, None]
    isInPlace: Union[bool, None]
    path: Union[str, None]
    suggestedName: Union[str, None]


class _ItemProvideParams(TypedDict):
    itemID: str
    requestID: str
    typeIdentifier: str


class ItemProvideParams(_ItemProvideParams, total=False):
    options: Union[ItemsOptions, None]


class _ItemProvideResult(TypedDict):
    kind: ItemsProvideResultKind
    typeIdentifier: str


class ItemProvideResult(_ItemProvideResult, total=False):
    path: Union[str, None]
    value: Union[str, None]


class KeyboardAdvanceToNextInputModeParams(TypedDict):
    sessionID: str

KeyboardAdvanceToNextInputModeResult = Dict[str, Any]


class _KeyboardBeginParams(TypedDict):
    documentIdentifier: str
    hasFullAccess: bool
    hasText: bool
    needsInputModeSwitchKey: bool
    sessionID: str
    traits: KeyboardTraits


class KeyboardBeginParams(_KeyboardBeginParams, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    documentInputMode: Union[str, None]
    selectedText: Union[str, None]


class KeyboardBeginResult(TypedDict, total=False):
    hasDictationKey: Union[bool, None]
    layout: Union[List[List[str]], None]
    primaryLanguage: Union[str, None]


class KeyboardDismissParams(TypedDict):
    sessionID: str

KeyboardDismissResult = Dict[str, Any]


class KeyboardEditParams(TypedDict):
    edits: List[KeyboardEdit]
    sessionID: str


class KeyboardEndParams(TypedDict):
    reason: KeyboardEndReason
    sessionID: str

KeyboardEndResult = Dict[str, Any]


class KeyboardHandleInputModeListParams(TypedDict):
    sessionID: str

KeyboardHandleInputModeListResult = Dict[str, Any]


class KeyboardInputParams(TypedDict):
    event: KeyboardInputEvent
    sessionID: str


class _KeyboardInputResult(TypedDict):
    edits: List[KeyboardEdit]


class KeyboardInputResult(_KeyboardInputResult, total=False):
    candidates: Union[List[str], None]


class KeyboardRequestSupplementaryLexiconParams(TypedDict):
    sessionID: str


class KeyboardRequestSupplementaryLexiconResult(TypedDict):
    entries: List[KeyboardRequestSupplementaryLexiconEntry]


class _KeyboardSelectionDidChangeParams(TypedDict):
    hasText: bool
    sessionID: str


class KeyboardSelectionDidChangeParams(_KeyboardSelectionDidChangeParams, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    selectedText: Union[str, None]


class _KeyboardSelectionWillChangeParams(TypedDict):
    hasText: bool
    sessionID: str


class KeyboardSelectionWillChangeParams(_KeyboardSelectionWillChangeParams, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    selectedText: Union[str, None]


class KeyboardSetPrimaryLanguageParams(TypedDict):
    primaryLanguage: str
    sessionID: str

KeyboardSetPrimaryLanguageResult = Dict[str, Any]


class _KeyboardTextDidChangeParams(TypedDict):
    hasText: bool
    sessionID: str


class KeyboardTextDidChangeParams(_KeyboardTextDidChangeParams, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    selectedText: Union[str, None]


class _KeyboardTextWillChangeParams(TypedDict):
    hasText: bool
    sessionID: str


class KeyboardTextWillChangeParams(_KeyboardTextWillChangeParams, total=False):
    contextAfter: Union[str, None]
    contextBefore: Union[str, None]
    selectedText: Union[str, None]


class MemoryPressureParams(TypedDict):
    level: MemoryWarningLevel
    limit: int
    usage: int


class _NetworkFetchParams(TypedDict):
    url: str


class NetworkFetchParams(_NetworkFetchParams, total=False):
    body: Union[NetworkBody, None]
    delivery: Union[NetworkDelivery, None]
    headers: Union[Dict[str, str], None]
    maxBytes: Union[int, None]
    method: Union[str, None]
    requestID: Union[str, None]
    timeoutMs: Union[int, None]


class PermissionRequestParams(TypedDict):
    name: str
    reason: str


class PermissionRequestResult(TypedDict):
    state: PermissionState


class PermissionsDidChangeParams(TypedDict):
    name: str
    state: PermissionState


class PhotoCanHandleAdjustmentDataParams(TypedDict):
    data: str
    formatIdentifier: str
    formatVersion: str


class PhotoCanHandleAdjustmentDataResult(TypedDict):
    canHandle: bool


class PhotoCancelContentEditingParams(TypedDict):
    sessionID: str

PhotoCancelContentEditingResult = Dict[str, Any]


class PhotoFinishContentEditingParams(TypedDict):
    outputDirectory: str
    sessionID: str
    supportedTypes: List[str]


class PhotoFinishContentEditingResult(TypedDict, total=False):
    output: Union[PhotoEditingOutput, None]


class _PhotoOutputConsumedParams(TypedDict):
    saved: bool
    sessionID: str


class PhotoOutputConsumedParams(_PhotoOutputConsumedParams, total=False):
    error: Union[str, None]


class PhotoShouldShowCancelConfirmationParams(TypedDict):
    sessionID: str


class PhotoShouldShowCancelConfirmationResult(TypedDict):
    show: bool


class PhotoStartContentEditingParams(TypedDict):
    input: PhotoEditingInput
    placeholder: PhotoEditingStartContentEditingPlaceholder
    sessionID: str

PhotoStartContentEditingResult = Dict[str, Any]


class _PickerDismissGrantingAccessParams(TypedDict):
    requestID: str


class PickerDismissGrantingAccessParams(_PickerDismissGrantingAccessParams, total=False):
    directory: Union[str, None]
    url: Union[str, None]

PickerDismissGrantingAccessResult = Dict[str, Any]


class _PickerListParams(TypedDict):
    requestID: str


class PickerListParams(_PickerListParams, total=False):
    cursor: Union[str, None]
    directory: Union[str, None]


class _PickerListResult(TypedDict):
    entries: List[DocumentPickerEntry]


class PickerListResult(_PickerListResult, total=False):
    next: Union[str, None]


class _PickerPrepareParams(TypedDict):
    mode: DocumentPickerMode
    requestID: str


class PickerPrepareParams(_PickerPrepareParams, total=False):
    documentStorage: Union[FileProviderStorage, None]
    originalName: Union[str, None]
    originalURL: Union[str, None]
    providerIdentifier: Union[str, None]
    validTypes: Union[List[str], None]

PickerPrepareResult = Dict[str, Any]


class _PickerSelectParams(TypedDict):
    requestID: str


class PickerSelectParams(_PickerSelectParams, total=False):
    destination: Union[str, None]
    identifier: Union[str, None]

PickerSelectResult = Dict[str, Any]


class _ProviderCoordinateParams(TypedDict):
    intent: FileProviderIntent
    path: str


class ProviderCoordinateParams(_ProviderCoordinateParams, total=False):
    options: Union[FileProviderCoordinateOptions, None]
    purposeIdentifier: Union[str, None]


class ProviderCoordinateResult(TypedDict):
    path: str
    token: str


class ProviderIdentifierForItemParams(TypedDict):
    documentStorage: FileProviderStorage
    path: str


class ProviderIdentifierForItemResult(TypedDict, total=False):
    identifier: Union[str, None]


class _ProviderItemChangedParams(TypedDict):
    documentStorage: FileProviderStorage
    path: str


class ProviderItemChangedParams(_ProviderItemChangedParams, total=False):
    purposeIdentifier: Union[str, None]

ProviderItemChangedResult = Dict[str, Any]


class ProviderItemForIdentifierParams(TypedDict):
    documentStorage: FileProviderStorage
    identifier: str


class ProviderItemForIdentifierResult(TypedDict, total=False):
    path: Union[str, None]


class ProviderProvidePlaceholderParams(TypedDict):
    documentStorage: FileProviderStorage
    path: str

ProviderProvidePlaceholderResult = Dict[str, Any]


class ProviderStartProvidingParams(TypedDict):
    documentStorage: FileProviderStorage
    path: str

ProviderStartProvidingResult = Dict[str, Any]


class ProviderStopProvidingParams(TypedDict):
    documentStorage: FileProviderStorage
    path: str

ProviderStopProvidingResult = Dict[str, Any]


class ProviderUncoordinateParams(TypedDict):
    token: str

ProviderUncoordinateResult = Dict[str, Any]


class ProviderWritePlaceholderParams(TypedDict):
    metadata: FileProviderMetadata
    path: str


class ProviderWritePlaceholderResult(TypedDict):
    placeholderPath: str


class SessionCancelTaskParams(TypedDict):
    epoch: int
    sessionID: str
    taskID: int

SessionCancelTaskResult = Dict[str, Any]


class _SessionCreateParams(TypedDict):
    sessionID: str


class SessionCreateParams(_SessionCreateParams, total=False):
    configuration: Union[SessionsConfiguration, None]
    sharedContainerIdentifier: Union[str, None]


class SessionCreateResult(TypedDict):
    epoch: int
    tasks: List[SessionsTaskStatus]


class _SessionDownloadTaskParams(TypedDict):
    destination: str
    epoch: int
    request: SessionsRequest
    sessionID: str


class SessionDownloadTaskParams(_SessionDownloadTaskParams, total=False):
    sha256: Union[str, None]


class SessionEventsHandledParams(TypedDict):
    epoch: int
    sessionID: str

SessionEventsHandledResult = Dict[str, Any]


class SessionFinishAndInvalidateParams(TypedDict):
    epoch: int
    sessionID: str

SessionFinishAndInvalidateResult = Dict[str, Any]


class SessionHandleEventsParams(TypedDict):
    epoch: int
    events: List[SessionsEvent]
    sessionID: str


class SessionHandleEventsResult(TypedDict):
    acked: List[int]


class SessionInvalidateAndCancelParams(TypedDict):
    epoch: int
    sessionID: str

SessionInvalidateAndCancelResult = Dict[str, Any]


class _SessionTasksParams(TypedDict):
    epoch: int
    sessionID: str


class SessionTasksParams(_SessionTasksParams, total=False):
    taskID: Union[int, None]


class SessionTasksResult(TypedDict):
    tasks: List[SessionsTaskStatus]


class _SessionUploadTaskParams(TypedDict):
    epoch: int
    file: str
    request: SessionsRequest
    sessionID: str


class SessionUploadTaskParams(_SessionUploadTaskParams, total=False):
    sha256: Union[str, None]


class ShareCompletionsParams(TypedDict):
    contentText: str
    requestID: str


class ShareCompletionsResult(TypedDict):
    completions: List[ShareCompletion]


class ShareConfigurationItemsParams(TypedDict):
    requestID: str


class ShareDidSelectCancelParams(TypedDict):
    requestID: str

ShareDidSelectCancelResult = Dict[str, Any]


class ShareDidSelectPostParams(TypedDict):
    contentText: str
    requestID: str

ShareDidSelectPostResult = Dict[str, Any]


class SharePresentationParams(TypedDict):
    requestID: str


class SharePresentationResult(TypedDict, total=False):
    contentText: Union[str, None]
    placeholder: Union[str, None]
    preview: Union[str, None]


class _ShareSelectConfigurationItemParams(TypedDict):
    id: str
    requestID: str


class ShareSelectConfigurationItemParams(_ShareSelectConfigurationItemParams, total=False):
    value: Union[str, None]


class _ShareSetContentStateParams(TypedDict):
    isValid: bool
    requestID: str


class ShareSetContentStateParams(_ShareSetContentStateParams, total=False):
    charactersRemaining: Union[int, None]

ShareSetContentStateResult = Dict[str, Any]


class ShareValidateContentParams(TypedDict):
    contentText: str
    requestID: str


class TerminateParams(TypedDict):
    graceMs: int
    reason: str

TerminateResult = Dict[str, Any]


class UrlOpenParams(TypedDict):
    requestID: str
    url: str


class _UrlOpenResult(TypedDict):
    success: bool


class UrlOpenResult(_UrlOpenResult, total=False):
    reason: Union[str, None]


class UtiConformsParams(TypedDict):
    to: str
    type: str


class UtiConformsResult(TypedDict):
    value: bool


class WidgetDidSelectRowParams(TypedDict):
    action: str
    requestID: str
    row: int


class WidgetDisplayModeDidChangeParams(TypedDict):
    displayMode: WidgetDisplayMode
    maxSize: WidgetSize


class WidgetDisplayModeDidChangeResult(TypedDict, total=False):
    preferredContentSize: Union[WidgetSize, None]
    view: Union[WidgetView, None]


class _WidgetPerformUpdateParams(TypedDict):
    displayMode: WidgetDisplayMode
    reason: WidgetUpdateReason
    requestID: str


class WidgetPerformUpdateParams(_WidgetPerformUpdateParams, total=False):
    maxSize: Union[WidgetSize, None]


class WidgetSetHasContentParams(TypedDict):
    bundleIdentifier: str
    flag: bool

WidgetSetHasContentResult = Dict[str, Any]


class WidgetSetLargestAvailableDisplayModeParams(TypedDict):
    mode: WidgetDisplayMode


class _WidgetSetPreferredContentSizeParams(TypedDict):
    height: int


class WidgetSetPreferredContentSizeParams(_WidgetSetPreferredContentSizeParams, total=False):
    width: Union[int, None]


class WidgetViewDidDisappearParams(TypedDict):
    requestID: str


class WidgetViewWillAppearParams(TypedDict):
    requestID: str


class WireCancelRequestParams(TypedDict):
    id: RequestID


class _WireLogParams(TypedDict):
    level: LogLevel
    message: str


class WireLogParams(_WireLogParams, total=False):
    fields: Union[Dict[str, Any], None]
    logger: Union[str, None]


class WirePingParams(TypedDict, total=False):
    nonce: Any


class _WirePingResult(TypedDict):
    uptimeMs: int


class WirePingResult(_WirePingResult, total=False):
    nonce: Any


class _WireProgressParams(TypedDict):
    progress: float
    token: Any


class WireProgressParams(_WireProgressParams, total=False):
    message: Union[str, None]
    total: Union[float, None]


class WireSetTraceParams(TypedDict):
    value: SetTraceLevel


class WireStreamAckParams(TypedDict):
    credit: int
    streamID: StreamID


class WireStreamDataParams(TypedDict):
    seq: int
    streamID: StreamID


class _WireStreamDropParams(TypedDict):
    streamID: StreamID


class WireStreamDropParams(_WireStreamDropParams, total=False):
    error: Union[ErrorObject, None]


class _WireStreamEndParams(TypedDict):
    streamID: StreamID


class WireStreamEndParams(_WireStreamEndParams, total=False):
    error: Union[ErrorObject, None]


class WireStreamOpenParams(TypedDict):
    streamID: StreamID

AuthCancelResult = AuthProgress
AuthContinueResult = AuthProgress
AuthResendResult = AuthProgress
DataExecuteResult = DataContractOutcome
DefaultsObserveResult = DefaultsRevision
DefaultsRemoveResult = DefaultsRevision
DefaultsRemoveAllResult = DefaultsRevision
DefaultsSetResult = DefaultsRevision
DefaultsSetManyResult = DefaultsRevision
KeyboardEditResult = KeyboardContext
NetworkFetchResult = AuthFetchResult
SessionDownloadTaskResult = SessionsAddedTask
SessionUploadTaskResult = SessionsAddedTask
ShareConfigurationItemsResult = ShareConfiguration
ShareSelectConfigurationItemResult = ShareConfiguration
ShareValidateContentResult = ShareContentState
WidgetDidSelectRowResult = UpdateResult
WidgetPerformUpdateResult = UpdateResult
WidgetSetLargestAvailableDisplayModeResult = TodayDisplay
WidgetSetPreferredContentSizeResult = TodayDisplay
