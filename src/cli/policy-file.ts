/** A policy's file, that TOOLGATE_POLICY names or that is built in: read, checked whole, and made ready for the store. */
import { join, relative } from "node:path";
import { sha256Hex } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { checkNewPolicy } from "../policy/check.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { PolicyIssue } from "../policy/document/document.ts";
import { readJsonFile } from "./read-json-file.ts";
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
export async function readPolicyFile(path: string): Promise<Result<PolicyFile, readonly string[]>> {
  // Bundlers take plain JSON.
  const file = readJsonFile(path, path === builtInPolicy);
  if (!file.ok) return err(invalid(path, file.error));
  // As it was written: the worker reads it again, and what is read once is no longer a document (durations are numbers).
  const text = JSON.stringify(file.value.value);
  const digest = sha256Hex(text);
  const checked = await checkNewPolicy(file.value.value, digest, file.value.faults);
  if (!checked.ok) return err(invalid(path, checked.error));
  const { document, policy, warnings } = checked.value;
  return ok({
    name: document.name,
    digest,
    text,
    policy,
    warnings: warnings.filter(({ severity }) => severity === "warning").map(inOneLine),
  });
}

const invalid = (path: string, errors: readonly PolicyIssue[]) => [
  `${path} is not a valid policy:`,
  ...errors.map(inOneLine),
];

const inOneLine = (issue: PolicyIssue) => `  ${issue.path || "/"}: ${issue.message}`;
