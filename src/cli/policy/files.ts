/** Reads the files that a command is given: policies and their cases, every error with its place. */
import { existsSync } from "node:fs";
import { err, ok, type Result } from "../../lib/result.ts";
import { checkNewPolicy } from "../../policy/check.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { PolicyDocument } from "../../policy/document/document-schema.ts";
import type { PolicyIssue, PolicyWarning } from "../../policy/document/policy-issue.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import { readJsonFile } from "../read-json-file.ts";
import type { CaseFile } from "./cases/case-schema.ts";
import { readCaseFile } from "./cases/read-case-file.ts";

export interface PolicyOnDisk {
  /** As it was written: what is sent and put into force. */
  readonly input: unknown;
  readonly version: string;
  readonly document: PolicyDocument;
  readonly compiled: CompiledPolicy;
  readonly warnings: readonly PolicyWarning[];
}

const casesEnding = ".cases.json";

export const isCaseFile = (path: string): boolean => path.endsWith(casesEnding);
export const casesPathOf = (policyPath: string): string => policyPath.replace(/(\.json)?$/, casesEnding);
export const policyPathOf = (casesPath: string): string => `${casesPath.slice(0, -casesEnding.length)}.json`;

/** What `policies/*.json` means: schemas lie beside the documents that they are for. */
export const documentsAmong = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !path.endsWith(".schema.json"));

export async function readPolicy(path: string): Promise<Result<PolicyOnDisk, readonly PolicyIssue[]>> {
  const file = readJsonFile(path);
  if (!file.ok) return file;
  const { value: input, faults } = file.value;
  const version = policyDigest(input);
  const checked = await checkNewPolicy(input, version, faults);
  if (!checked.ok) return checked;
  const { document, policy: compiled, warnings } = checked.value;
  return ok({ input, version, document, compiled, warnings });
}

/** A case file, checked against the policy beside it where that is there and valid. */
export async function readCases(path: string): Promise<Result<CaseFile, readonly PolicyIssue[]>> {
  const file = readJsonFile(path);
  if (!file.ok) return file;
  const policyPath = policyPathOf(path);
  if (!existsSync(policyPath)) return err([{ path: "", message: `has no policy beside it: ${policyPath} is missing` }]);
  const policy = await readPolicy(policyPath);
  return readCaseFile(file.value, policy.ok ? policy.value.document : undefined);
}

/** One line, for people. */
export const issueText = ({ path, message }: PolicyIssue): string => `${path || "/"}: ${message}`;
