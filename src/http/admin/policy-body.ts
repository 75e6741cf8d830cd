/** The body of a write to `/admin/policies`: one policy document, whole and valid, or everything that is wrong with it. */

import { sha256Hex } from "../../lib/digest.ts";
import { type DocumentFault, type DocumentText, readJsonDocument } from "../../lib/json/json-document.ts";
import { toPointer } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { type CheckedPolicy, checkNewPolicy } from "../../policy/check.ts";
import type { PolicyIssue } from "../../policy/document/document.ts";
import { badRequest, type Problem, tooLarge } from "../problem.ts";
import { readBody } from "../request-limits.ts";

/** Bytes of a policy document, as it is sent and as it is stored. */
export const MAX_POLICY_BYTES = 1024 * 1024;
/** Further faults are only counted. */
const MAX_ERRORS = 1000;

export interface NewPolicy extends CheckedPolicy {
  /** As it is stored: compact, members in their original order. */
  readonly text: string;
  readonly digest: string;
}

export async function readPolicyBody(request: Request): Promise<Result<NewPolicy, Problem>> {
  const document = await readDocument(request, MAX_POLICY_BYTES);
  if (!document.ok) return document;
  const { read, faults } = document.value;
  if (!read) return err(policyInvalid(faults.map(asIssue)));
  const text = JSON.stringify(read.value);
  // Numbers may take more room than in the request: `1e20` is stored with all its digits.
  if (utf8Bytes(text) > MAX_POLICY_BYTES) return err(tooLarge("the policy document", MAX_POLICY_BYTES));
  return readPolicyText(text, faults);
}

/** @param text compact JSON, as it is stored. @param faults of the text that it was read from. */
export async function readPolicyText(
  text: string,
  faults: readonly DocumentFault[] = [],
): Promise<Result<NewPolicy, Problem>> {
  const digest = sha256Hex(text);
  const checked = await checkNewPolicy(JSON.parse(text), digest, faults);
  return checked.ok ? ok({ ...checked.value, text, digest }) : err(policyInvalid(checked.error));
}

async function readDocument(request: Request, maxBytes: number): Promise<Result<DocumentText, Problem>> {
  const bytes = await readBody(request, maxBytes);
  if (!bytes.ok) return bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes.value);
  } catch {
    return err(badRequest(undefined, "the body is not UTF-8", "invalid_json"));
  }
  const document = readJsonDocument(text);
  const [fault] = document.faults;
  if (fault?.problem !== "syntax") return ok(document);
  return err(badRequest(undefined, `the body is not JSON: ${fault.message}`, "invalid_json"));
}

const asIssue = ({ path, message }: DocumentFault): PolicyIssue => ({ path: toPointer(path), message });

export function policyInvalid(errors: readonly PolicyIssue[]): Problem {
  const [first] = errors;
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  return {
    ...badRequest(
      undefined,
      `the policy has ${count}: ${first?.path || "/"} ${first?.message ?? ""}`,
      "policy_invalid",
    ),
    errors: errors.slice(0, MAX_ERRORS),
  };
}
