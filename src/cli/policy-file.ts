/** A policy's file, that TOOLGATE_POLICY names or that is built in: read, checked whole, and made ready for the store. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sha256Hex } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type CompiledPolicy, compilePolicy } from "../policy/compile.ts";
import { type PolicyIssue, parsePolicyDocument } from "../policy/document.ts";
import { missingFile } from "./missing-file.ts";
import { root } from "./settings.ts";

/** It is bundled with the Worker, which serves nothing under an invalid one. */
export const builtInPolicy = join(root, "policies/default.json");

/** A path as messages show it: from here, where it is one of this project's. */
export function shownPath(path: string): string {
  const near = relative(root, path);
  return near.startsWith("..") ? path : near;
}

export interface PolicyFile {
  readonly name: string | undefined;
  /** SHA-256 of `text`: the policy's version. */
  readonly digest: string;
  /** The document as compact JSON, members in the order of the file. */
  readonly text: string;
  readonly policy: CompiledPolicy;
  readonly warnings: readonly string[];
}

/** The errors are one line each, with the place in the document. */
export function readPolicyFile(path: string): Result<PolicyFile, readonly string[]> {
  const missing = missingFile(path);
  if (missing !== undefined) return err([`the policy cannot be read: ${missing}`]);
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return err([`the policy ${path} cannot be read: ${(error as Error).message}`]);
  }
  const parsed = parsePolicyDocument(input);
  if (!parsed.ok) return err(invalid(path, parsed.error));
  const { document, warnings } = parsed.value;
  // As it was written: the worker reads it again, and what is read once is no longer a document (durations are numbers).
  const text = JSON.stringify(input);
  const digest = sha256Hex(text);
  const compiled = compilePolicy(document, digest);
  if (!compiled.ok) return err(invalid(path, compiled.error));
  return ok({ name: document.name, digest, text, policy: compiled.value, warnings: warnings.map(inOneLine) });
}

const invalid = (path: string, errors: readonly PolicyIssue[]) => [
  `${path} is not a valid policy:`,
  ...errors.map(inOneLine),
];

const inOneLine = (issue: PolicyIssue) => `  ${issue.path || "/"}: ${issue.message}`;
