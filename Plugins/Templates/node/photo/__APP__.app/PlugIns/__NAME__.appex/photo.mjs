import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import * as annex from "./annex/index.mjs";

const FORMAT = "__ID__";

export class __NAME__ extends annex.Extension {
  #photos = new Map();

  /** Change the bytes here. */
  async edited(photo, options) {
    return photo;
  }

  handlers() {
    return {
      ...super.handlers(),
      "photo/canHandleAdjustmentData": async ({ formatIdentifier }) => ({ canHandle: formatIdentifier === FORMAT }),
      "photo/startContentEditing": async ({ sessionID, input }) => {
        this.#photos.set(sessionID, input);
        return {};
      },
      "photo/shouldShowCancelConfirmation": async () => ({ show: false }),
      "photo/finishContentEditing": (params, context) => this.finish(params, context),
      "photo/cancelContentEditing": async ({ sessionID }) => {
        this.#photos.delete(sessionID);
        return {};
      },
    };
  }

  async finish({ sessionID, outputDirectory }, context) {
    const photo = this.#photos.get(sessionID);
    if (!photo) throw new annex.AnnexError("invalidParams", "This session has not begun.");
    this.#photos.delete(sessionID);
    // Paths are relative to the scratch directory.
    const bytes = await readFile(join(context.scratch, photo.fullSizeImagePath));
    const path = join(outputDirectory, "rendered");
    await writeFile(join(context.scratch, path), await this.edited(bytes, photo.options));
    const data = Buffer.from("{}").toString("base64");
    return {
      output: {
        renderedContent: { path, type: photo.uniformTypeIdentifier },
        adjustmentData: { formatIdentifier: FORMAT, formatVersion: "1", data },
      },
    };
  }
}
