/**
 * Files that ship with the package. This module is as deep in the published package (`dist/lib`) as here, so that its relative paths are
 * the same.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Assets } from "../stores/semantic/assets.ts";

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url).href);

export const auditMigrations = (): string => pathOf("../stores/migrations");
export const toolsMigrations = (): string => pathOf("../stores/migrations/tools");

/** The Worker's static assets, from the package's folder. */
export const packageAssets: Assets = {
  async fetch(url) {
    const file = new URL(url).pathname.split("/").at(-1) ?? "";
    const bytes = await readFile(pathOf(`../../assets/${file}`)).catch(() => undefined);
    return bytes === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(bytes));
  },
};
