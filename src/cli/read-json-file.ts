/** The one reader of the JSON files that people write: policies and cases. They may hold comments and trailing commas. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { withoutComments } from "../lib/json/json-comments.ts";
import { type DocumentFault, readJsonDocument } from "../lib/json/json-document.ts";
import { toPointer } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { nearestName } from "../lib/text/nearest-name.ts";
import type { PolicyIssue } from "../policy/document/policy-issue.ts";

export interface JsonFile {
  readonly value: unknown;
  /** Faults that JSON readers treat differently, such as a key that is there twice. The file is not valid then. */
  readonly faults: readonly DocumentFault[];
}

/**
 * Errors are those after which there is no value to check.
 * @param plain whether the file must be plain JSON.
 */
export function readJsonFile(path: string, plain = false): Result<JsonFile, readonly PolicyIssue[]> {
  const missing = missingFile(path);
  if (missing !== undefined) return err([{ path: "", message: missing }]);
  let text: string;
  try {
    // Some editors put a byte order mark before the text.
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    return err([{ path: "", message: `cannot be read: ${(error as Error).message}` }]);
  }
  const { read, faults } = readJsonDocument(plain ? text : withoutComments(text));
  if (read) return ok({ value: read.value, faults });
  return err(
    faults.map(({ path, problem, message }) => ({
      path: toPointer(path),
      message: problem === "syntax" ? `is not JSON: ${message}` : message,
    })),
  );
}

/** Why the path names no file, and which one may be meant; undefined if it is a file. */
export function missingFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? `${path} is a folder: name a file in it` : undefined;
  const folder = dirname(path);
  const near = nearestName(basename(path), namesIn(folder));
  return `there is no file ${path}${near === undefined ? "" : `: did you mean ${join(folder, near)}?`}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
