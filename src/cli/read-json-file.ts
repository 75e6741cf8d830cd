/** The one reader of the JSON files that people write: policies and cases. They may hold comments and trailing commas. */
import { readFileSync } from "node:fs";
import { type DocumentFault, readJsonDocument } from "../lib/json/json-document.ts";
import { toPointer } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { PolicyIssue } from "../policy/document/policy-issue.ts";
import { withoutComments } from "./json-with-comments.ts";
import { missingFile } from "./missing-file.ts";

export interface JsonFile {
  readonly value: unknown;
  /** What no reader would take in the same way, such as a key that stands twice. The file is not valid then. */
  readonly faults: readonly DocumentFault[];
}

/**
 * The errors are those that leave nothing to judge.
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
