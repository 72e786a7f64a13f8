// Write an Annex extension for Node 18 or later, without any other package.
//
//     import * as annex from "./annex/index.mjs";
//
//     class Clock extends annex.TodayExtension {
//       async performUpdate(context) {
//         const visits = await context.defaults("group.com.example.clock").add("visits");
//         return `Visit ${visits}`;
//       }
//     }
//
//     annex.run(new Clock());

export { Reply } from "./connection.mjs";
export { Context } from "./context.mjs";
export { AnnexError, Cancelled, RequestCancelled } from "./errors.mjs";
export { Extension } from "./extension.mjs";
export { attachments, dataItem, textItem } from "./items.mjs";
export { ActionExtension, ContainingApp, FAILED, NO_DATA, ShareExtension, TodayExtension, newData } from "./points.mjs";
export { run } from "./run.mjs";
export { ERROR_CODES, VERSION } from "./protocol.mjs";
