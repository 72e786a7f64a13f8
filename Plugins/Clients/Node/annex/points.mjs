// The extension points with classes of their own; any other is an `Extension` with handlers.

import { Cancelled } from "./errors.mjs";
import { Extension, RequestExtension } from "./extension.mjs";

export const NO_DATA = Object.freeze({ result: "noData" });
export const FAILED = Object.freeze({ result: "failed" });

/** Something new to show. */
export function newData(view) {
  return { result: "newData", view: typeof view === "string" ? view : { rows: [], ...view } };
}

/** A Today widget. */
export class TodayExtension extends Extension {
  /** Brings the widget up to date. */
  async performUpdate(context) {
    return NO_DATA;
  }

  handlers() {
    const found = { ...super.handlers(), "widget/performUpdate": (params, context) => this.#update(context) };
    if (typeof this.displayModeDidChange === "function") {
      found["widget/displayModeDidChange"] = async (params, context) => {
        const view = await this.displayModeDidChange(context);
        return view === undefined || view === null ? {} : { view };
      };
    }
    if (typeof this.didSelectRow === "function") {
      found["widget/didSelectRow"] = async ({ row, action }, context) =>
        this.#result(await this.didSelectRow(row, action, context));
    }
    return found;
  }

  async #update(context) {
    return this.#result(await this.performUpdate(context));
  }

  #result(result) {
    if (result === undefined || result === null) return NO_DATA;
    return result.result === undefined ? newData(result) : result;
  }
}

/** An action, with or without something to show. */
export class ActionExtension extends RequestExtension {
  /** Acts on the items; what is returned completes the request, what is thrown cancels it. */
  async perform(items, context) {
    return [];
  }

  /** What an action with a user interface shows before it acts. */
  async view(items, context) {
    return undefined;
  }

  handlers() {
    return {
      ...super.handlers(),
      "action/perform": async ({ requestID, inputItems }, context, session) => {
        this.requests.items(requestID);
        const view = (await this.view(inputItems, context)) ?? undefined;
        return this.requests.ending(session, requestID, { view }, (own) => this.perform(inputItems, own));
      },
    };
  }
}

/** A Share extension: takes every text, and completes without items, unless you say otherwise. */
export class ShareExtension extends RequestExtension {
  placeholder = undefined;

  async preview(items) {
    return undefined;
  }

  charactersRemaining(post) {
    return undefined;
  }

  async isValid(post) {
    return (this.charactersRemaining(post) ?? 0) >= 0;
  }

  async didSelectPost(post, context) {
    return [];
  }

  async didSelectCancel(context) {}

  handlers() {
    const post = ({ requestID, contentText }) => ({ text: contentText, items: this.requests.items(requestID) });
    return {
      ...super.handlers(),
      "share/presentation": async ({ requestID }) => ({
        placeholder: this.placeholder,
        preview: (await this.preview(this.requests.items(requestID))) ?? undefined,
      }),
      "share/validateContent": async (params) => ({
        isValid: await this.isValid(post(params)),
        charactersRemaining: this.charactersRemaining(post(params)) ?? undefined,
      }),
      "share/didSelectPost": (params, context, session) => {
        const written = post(params);
        return this.requests.ending(session, params.requestID, {}, (own) => this.didSelectPost(written, own));
      },
      "share/didSelectCancel": ({ requestID }, context, session) =>
        this.requests.ending(session, requestID, {}, async (own) => {
          await this.didSelectCancel(own);
          throw new Cancelled("The user does not post.");
        }),
    };
  }
}

/** The app that contains extensions. A host starts it when somebody opens one of its URLs. */
export class ContainingApp extends Extension {
  /** What the app shows for the URL, as text; nothing when it does not know it. */
  async openURL(url, context) {
    return undefined;
  }

  handlers() {
    return {
      ...super.handlers(),
      "app/openURL": async ({ url }, context) => {
        const presentation = (await this.openURL(url, context)) ?? undefined;
        return { handled: presentation !== undefined, presentation };
      },
    };
  }
}
