import type { Extension, Params } from "./index.mjs";
import type { ExtensionItem } from "./protocol.mjs";

/** A host with one extension, in the same process: no sandbox, milliseconds. */
export class TestHost {
  /** Starts the extension, runs the body, and ends the extension. */
  static with<Value>(
    extension: Extension,
    options: {
      /** The group stores, by suite. */
      defaults?: Record<string, Record<string, unknown>>;
      /** Answers calls of the extension, by method. */
      services?: Record<string, (params: any) => unknown>;
    },
    body: (host: TestHost) => Promise<Value>,
  ): Promise<Value>;
  defaults: Record<string, Record<string, any>>;
  logs: Params[];
  /** Calls the extension. Rejects with what it answered. */
  call(method: string, params?: Params): Promise<any>;
  notify(method: string, params?: Params): void;
  performUpdate(options?: { reason?: string; displayMode?: string }): Promise<any>;
  /** The choice of a row with an action; rows count from 0. */
  didSelectRow(row: number, action: string): Promise<any>;
  perform(items: ExtensionItem[]): Promise<ExtensionItem[]>;
  post(text: string, items?: ExtensionItem[]): Promise<ExtensionItem[]>;
}
