/** `If-Match` and `If-None-Match` (RFC 9110, 13.1). Pure: they are compared where writes are serialised. */
import { err, ok, type Result } from "../lib/result.ts";
import type { PolicyCondition } from "../ports/tenant-directory-port.ts";
import { badRequest, type Problem } from "./problem.ts";

export function readPreconditions(headers: Headers): Result<PolicyCondition, Problem> {
  const match = readTags("If-Match", headers);
  if (!match.ok) return match;
  const noneMatch = readTags("If-None-Match", headers);
  return noneMatch.ok ? ok({ match: match.value, noneMatch: noneMatch.value }) : noneMatch;
}

const LIST = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;
const TAG = /(W\/)?"([^"]*)"/g;

function readTags(name: string, headers: Headers): Result<readonly string[] | "any" | undefined, Problem> {
  const value = headers.get(name);
  if (value === null) return ok(undefined);
  if (value.trim() === "*") return ok("any");
  if (!LIST.test(value)) {
    return err(
      badRequest(name, `\`${name}\` must be \`*\` or a version in double quotes, as the header \`etag\` has it`),
    );
  }
  // A weak tag promises less than the same bytes, so it matches nothing here; ignored in `If-None-Match` it would let the write
  // through.
  const tags = [...value.matchAll(TAG)].filter(([, weak]) => name === "If-None-Match" || weak === undefined);
  return ok(tags.map(([, , tag]) => tag ?? ""));
}
