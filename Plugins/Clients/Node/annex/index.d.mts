import type { ErrorName, ExtensionItem, WidgetPerformUpdateResult, WidgetView } from "./protocol.mjs";

export { ERROR_CODES, VERSION } from "./protocol.mjs";
export type * from "./protocol.mjs";

type Awaitable<Value> = Value | Promise<Value>;
export type Params = Record<string, any>;
export type View = string | WidgetView;
/** A view, an answer, or nothing, which is `NO_DATA`. */
export type Update = View | WidgetPerformUpdateResult | null | undefined | void;

/** What a call of the host ends with, and what a handler throws to answer with a code of its own. */
export class AnnexError extends Error {
  /** A code is a number or a name; a number of your own lies outside of -32768 to -32000. */
  constructor(
    code: number | ErrorName,
    message: string,
    options?: { recovery?: string; details?: Record<string, unknown>; cause?: string[] },
  );
  readonly code: number;
  /** The name of the code; an empty text for a code that the protocol does not have. */
  readonly codeName: ErrorName | "";
  readonly recovery?: string;
  readonly details: Record<string, unknown>;
  readonly causes: string[];
}

/** The host does not want the answer any more. */
export class Cancelled extends AnnexError {
  constructor(message?: string);
}

/** Ends a Share or Action request without a result. */
export class RequestCancelled extends Error {
  constructor(domain: string, code: number, description?: string);
}

/** A result, with work that goes on when the answer is sent. */
export class Reply {
  constructor(result: unknown, afterwards: () => Awaitable<void>);
}

export type Handler = (params: any, context: Context) => unknown;

/** An extension of any point. */
export class Extension {
  /** What answers the host's calls, by method. */
  handlers(): Record<string, Handler>;
  /** What hears the host's notifications, by method. */
  notifications(): Record<string, Handler>;
  /** The process comes near its ceiling: let go of what can be made again. */
  memoryPressure(level: string, usage: number, limit: number): void;
  /** The last thing that runs; there are some seconds at most. */
  willTerminate(reason: string): Awaitable<void>;
}

/** A Today widget. */
export class TodayExtension extends Extension {
  /** Brings the widget up to date. `context.params` says why, and for which mode and size. */
  performUpdate(context: Context): Awaitable<Update>;
  /** The widget is larger or smaller than before: a view for the new size, or nothing to leave it. */
  displayModeDidChange?(context: Context): Awaitable<View | null | undefined>;
  /** A row with an action was chosen; rows count from 0. What is returned is what an update returns. */
  didSelectRow?(row: number, action: string, context: Context): Awaitable<Update>;
}

/** An action, with or without something to show. */
export class ActionExtension extends Extension {
  /** Acts on the items; what is returned completes the request, what is thrown cancels it. */
  perform(items: ExtensionItem[], context: Context): Awaitable<ExtensionItem[] | void>;
  /** What an action with a user interface shows before it acts. */
  view(items: ExtensionItem[], context: Context): Awaitable<View | null | undefined>;
}

/** What the user is about to share. */
export interface Post {
  text: string;
  items: ExtensionItem[];
}

/** A Share extension: takes every text, and completes without items, unless you say otherwise. */
export class ShareExtension extends Extension {
  /** Shown where there is no text yet. */
  placeholder?: string;
  /** A line that says what will be shared. */
  preview(items: ExtensionItem[]): Awaitable<string | null | undefined>;
  /** How many characters may follow, negative when there are too many; nothing hides the counter. */
  charactersRemaining(post: Post): number | null | undefined;
  /** Whether the post may go out. */
  isValid(post: Post): Awaitable<boolean>;
  /** The user posts. What is returned completes the request, what is thrown cancels it. */
  didSelectPost(post: Post, context: Context): Awaitable<ExtensionItem[] | void>;
  /** The user does not post; afterwards the request is cancelled. */
  didSelectCancel(context: Context): Awaitable<void>;
}

/** The app that contains extensions. A host starts it when somebody opens one of its URLs. */
export class ContainingApp extends Extension {
  /** What the app shows for the URL, as text; nothing when it does not know it. */
  openURL(url: string, context: Context): Awaitable<string | null | undefined>;
}

/** What an extension has while it works on a request. */
export interface Context {
  /** The id of the user's request, which calls about it carry. */
  readonly requestID: string;
  /** The params of the call. */
  readonly params: Params;
  readonly extensionID: string;
  readonly point: string;
  readonly locale: string;
  /** A directory that is emptied when the process ends. */
  readonly scratch: string;
  /** The container: a directory of the extension's own, which stays. */
  readonly directory: string;
  /** Aborted when the host does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Calls the host. Rejects with an `AnnexError`; `timeout` is in milliseconds. */
  call(method: string, params?: Params, options?: { timeout?: number }): Promise<any>;
  notify(method: string, params?: Params): void;
  /** Tells the host how far the request is, if it asked. */
  progress(done: number, total?: number, message?: string): void;
  /** A line for the host's log. */
  log(
    level: "trace" | "debug" | "info" | "notice" | "warning" | "error" | "critical",
    message: string,
    fields?: Record<string, unknown>,
  ): void;
  /** The group store of an app group that both manifests name. */
  defaults(suite: string): Defaults;
  /** The folder of an app group. */
  container(group: string): Promise<{ path: string; mode: "ro" | "rw" }>;
  /**
   * Runs a persisted query, `configuration/name`, that `Annex.Content` names. Needs the entitlement `content`. What the
   * server could not give is in `errors`, beside the data.
   */
  content(
    query: string,
    variables?: Record<string, unknown>,
    options?: { refresh?: boolean },
  ): Promise<{
    data: any;
    errors?: { message: string; path?: (string | number)[]; extensions?: Record<string, unknown> }[];
    httpStatus: number;
    source: "network" | "cache" | "revalidated" | "stale";
    ageSeconds: number;
  }>;
  /** Fetches a picture, a `_dynamicUrl` or `_path` of an answer, into a file of the scratch directory. */
  contentImage(
    path: string,
    options?: { width?: number; height?: number; format?: string; quality?: number; refresh?: boolean },
  ): Promise<{ file: string; mimeType: string; bytes: number; source: string; ageSeconds: number }>;
  /** Asks the host to open a URL of the containing app; only a widget may. Whether the app took it. */
  openURL(url: string): Promise<boolean>;
  /** Asks the user for a permission that the manifest names. */
  requestPermission(name: string, reason: string): Promise<"granted" | "denied" | "undecided">;
  /** Asks the host for a request to a server that `Annex.Network` names; the user has to agree. */
  fetch(
    url: string,
    options?: {
      method?: string;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
      /** Milliseconds. */
      timeout?: number;
      maxBytes?: number;
      /** Whether the body is read while it comes: `for await (const part of response)`. */
      stream?: boolean;
      /** What the host adds an access token for, to a server that `Annex.Auth` names with these scopes. */
      scopes?: string[];
      /** With `scopes`: an id or a user name; without it the only account there is. */
      account?: string;
    },
  ): Promise<Response>;
  /** An access token itself, where the entry of `Annex.Auth` has `Token`; call with `fetch` where you can. */
  accessToken(
    scopes: string[],
    options?: { account?: string; forceRefresh?: boolean },
  ): Promise<{ accessToken: string; scopes: string[]; expiresAt: number; account: string }>;
  /** Has the host ask the user to sign in. */
  requestSignIn(reason: string, scopes?: string[]): Promise<"signedIn" | "cancelled" | "unavailable">;
  /** The bytes of an attachment of this request, in a type that conforms to the one asked for. */
  load(attachment: NonNullable<ExtensionItem["attachments"]>[number], type?: string): Promise<Buffer>;
  /** The text of an attachment. */
  text(attachment: NonNullable<ExtensionItem["attachments"]>[number]): Promise<string>;
  /** A stream to the host: name its `id` in a call or a result. */
  openStream(): OutgoingStream;
  /** A stream of the host's that a call or an answer names. */
  stream(id: string): IncomingStream;
}

/** The values of one app group. Dates and bytes are `{$date: seconds}` and `{$data: base64}`. */
export interface Defaults {
  readonly suite: string;
  get<Value = any>(key: string, otherwise?: Value): Promise<Value>;
  all(): Promise<Record<string, any>>;
  /** Resolves to the suite's revision. */
  set(key: string, value: unknown): Promise<number>;
  /** Sets and removes several keys at once. */
  update(values: Record<string, unknown>, remove?: string[]): Promise<number>;
  remove(key: string): Promise<number>;
  /** Counts, and loses nothing that somebody else counts meanwhile. */
  add(key: string, amount?: number): Promise<number>;
}

/** What a server answered. Every status is an answer, 404 and 500 too. */
export interface Response extends AsyncIterable<Buffer> {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Record<string, string>;
  /** Another than was asked for after a redirect. */
  readonly url: string;
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  json(): Promise<any>;
}

/** What the host sends, to be read once: bytes, or any JSON. */
export interface IncomingStream extends AsyncIterable<any> {
  readonly id: string;
  read(): Promise<Buffer>;
  /** Nothing more is wanted. */
  drop(): void;
}

/** What this extension sends. */
export interface OutgoingStream {
  readonly id: string;
  /** Sends bytes; waits until the reader wants them. */
  write(data: string | Uint8Array): Promise<void>;
  /** Sends any JSON as one piece. */
  send(value: unknown): Promise<void>;
  /** Nothing follows; with an error, what came is not whole. */
  end(error?: AnnexError): void;
}

/** Nothing changed: the host goes on showing what it showed. */
export const NO_DATA: Readonly<{ result: "noData" }>;
/** The update failed: the host shows what it showed, marked as stale. */
export const FAILED: Readonly<{ result: "failed" }>;
/** Something new to show. */
export function newData(view: string | Partial<Exclude<WidgetView, string>>): WidgetPerformUpdateResult;
/** The attachments of all items, in order. */
export function attachments(items: ExtensionItem[]): NonNullable<ExtensionItem["attachments"]>;
/** An item with one text, to return. */
export function textItem(text: string, options?: { type?: string; title?: string; name?: string }): ExtensionItem;
/** An item with some bytes, to return. */
export function dataItem(data: Uint8Array, type: string, options?: { title?: string; name?: string }): ExtensionItem;
/** Serves the host until it ends the conversation. What is printed goes to standard error from here on. */
export function run(extension: Extension): void;
