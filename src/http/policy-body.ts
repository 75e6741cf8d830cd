/** The body of a write to `/admin/policies`: one policy document, whole and valid, or everything that is wrong with it. */
import { sha256Hex } from "../lib/digest.ts";
import { jsonFaultOffset, positionAt } from "../lib/json-position.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type JsonFault, parseStrictJson } from "../lib/strict-json.ts";
import { type CheckedPolicy, checkPolicy } from "../policy/check.ts";
import type { PolicyIssue } from "../policy/document.ts";
import { badRequest, type Problem, tooLarge } from "./problem.ts";
import { readBody } from "./request-body.ts";

/** Bytes of a policy document, as it is sent and as it is kept. */
const MAX_POLICY_BYTES = 1024 * 1024;
/** More are counted, not told. */
const MAX_ERRORS = 1000;

export interface NewPolicy extends CheckedPolicy {
  /** As it is kept: compact, members in the order in which they were sent. */
  readonly text: string;
  readonly digest: string;
}

export async function readPolicyBody(request: Request): Promise<Result<NewPolicy, Problem>> {
  const parsed = await readJsonBody(request, MAX_POLICY_BYTES);
  if (!parsed.ok) return parsed;
  const text = JSON.stringify(parsed.value);
  // Numbers may take more room than they did: `1e20` is kept as it is written out.
  if (new TextEncoder().encode(text).byteLength > MAX_POLICY_BYTES)
    return err(tooLarge("the policy document", MAX_POLICY_BYTES));
  return readPolicyText(text);
}

/** @param text compact JSON, as it is kept. */
export function readPolicyText(text: string): Result<NewPolicy, Problem> {
  const digest = sha256Hex(text);
  const checked = checkPolicy(JSON.parse(text), digest);
  return checked.ok ? ok({ ...checked.value, text, digest }) : err(policyInvalid(checked.error));
}

/** JSON that every reader takes alike; the content type says nothing. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<Result<unknown, Problem>> {
  const bytes = await readBody(request, maxBytes);
  if (!bytes.ok) return bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes.value);
  } catch {
    return err(badRequest(undefined, "the body is not UTF-8", "invalid_json"));
  }
  const value = parseStrictJson(text);
  if (value.ok) return value;
  const { problem } = value.error;
  const offset = problem === "syntax" ? jsonFaultOffset(text) : value.error.at;
  const { line, column } = positionAt(text, offset);
  const where = `line ${line}, column ${column}`;
  if (problem === "syntax") return err(badRequest(undefined, `the body is not JSON: ${where}`, "invalid_json"));
  return err(policyInvalid([{ path: "", message: `${where}: ${wordings[problem]}` }]));
}

const wordings: Readonly<Record<Exclude<JsonFault["problem"], "syntax">, string>> = {
  duplicate_key: "a key that this object has already, remove one of them",
  proto_key: "`__proto__` cannot be a name, choose another",
  number: "a number that a double cannot hold, write fewer digits",
  depth: "is nested too deeply",
};

function policyInvalid(errors: readonly PolicyIssue[]): Problem {
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
