import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import * as annex from "./annex/index.mjs";

/** Documents are made when somebody reads them: put what fetches yours here. */
async function content(path) {
  return Buffer.from(`This is ${path}.\n`);
}

export class __NAME__ extends annex.Extension {
  handlers() {
    return {
      ...super.handlers(),
      "provider/itemForIdentifier": async ({ identifier }) => ({ path: identifier }),
      "provider/identifierForItem": async ({ path }) => ({ identifier: path }),
      "provider/providePlaceholder": (params, context) => this.placeholder(params, context),
      "provider/startProviding": (params, context) => this.start(params, context),
      "provider/itemChanged": async (params, context) => {
        await this.place(params, context);
        return {};
      },
      "provider/stopProviding": async (params, context) => {
        await rm(await this.place(params, context), { force: true });
        return {};
      },
    };
  }

  /** The absolute path of a document in the group's folder. */
  async place({ path, documentStorage }, context) {
    if (path === "" || path.startsWith("/") || path.split("/").includes("..")) {
      throw new annex.AnnexError("invalidParams", "This is not the path of a document.");
    }
    const group = await context.container(documentStorage.group);
    return join(group.path, documentStorage.path, path);
  }

  async placeholder(params, context) {
    await this.place(params, context);
    const { path } = params;
    const metadata = { name: basename(path), size: (await content(path)).length, isPackage: false };
    await context.call("provider/writePlaceholder", { path, metadata });
    return {};
  }

  async start(params, context) {
    const place = await this.place(params, context);
    await mkdir(dirname(place), { recursive: true });
    // Written beside its place, and moved there when it is whole.
    const part = join(dirname(place), `.${randomBytes(8).toString("hex")}.part`);
    await writeFile(part, await content(params.path));
    await rename(part, place);
    return {};
  }
}
