/** Reads a policy's file: the document, checked as a whole and compiled. */
import { join, relative } from "node:path";
import { err, ok, type Result } from "../lib/result.ts";
import { checkNewPolicy } from "../policy/check.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { PolicyDocument } from "../policy/document/document-schema.ts";
import type { PolicyIssue, PolicyWarning } from "../policy/document/policy-issue.ts";
import type { Proof } from "../policy/prove/prove.ts";
import { policyDigest } from "../stores/policies/policy-source.ts";
import { issueText } from "./policy/command.ts";
import { readJsonFile } from "./read-json-file.ts";
import { root } from "./settings.ts";

/** The built-in policy is bundled with the Worker, which serves nothing if it is invalid. */
export const builtInPolicy = join(root, "policies/default.json");

/** A path as messages show it: relative, if it is in this project. */
export function shownPath(path: string): string {
  const fromRoot = relative(root, path);
  return fromRoot.startsWith("..") ? path : fromRoot;
}

export interface PolicyOnDisk {
  /** The document as it was written: this is sent and put into force. The schema's output is not a document any more. */
  readonly input: unknown;
  /** Digest of `input`. */
  readonly version: string;
  readonly document: PolicyDocument;
  readonly compiled: CompiledPolicy;
  readonly warnings: readonly PolicyWarning[];
  /** Proofs of its invariants, all of which hold. */
  readonly proofs: readonly Proof[];
}

export async function readPolicy(path: string): Promise<Result<PolicyOnDisk, readonly PolicyIssue[]>> {
  // Bundlers take plain JSON.
  const file = readJsonFile(path, path === builtInPolicy);
  if (!file.ok) return file;
  const { value: input, faults } = file.value;
  const version = policyDigest(input);
  const checked = await checkNewPolicy(input, version, faults);
  if (!checked.ok) return checked;
  const { document, policy: compiled, warnings, proofs } = checked.value;
  return ok({ input, version, document, compiled, warnings, proofs });
}

/** The errors are lines for a person: the file, then each error with its place in the document. */
export async function readPolicyLines(path: string): Promise<Result<PolicyOnDisk, readonly string[]>> {
  const policy = await readPolicy(path);
  if (policy.ok) return policy;
  return err([`${path} is not a valid policy:`, ...policy.error.map((issue) => `  ${issueText(issue)}`)]);
}
