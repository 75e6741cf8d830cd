/**
 * The client headers that go on to the upstream: how to answer, and which program asks. Headers about the user or the network stay
 * here: a proxy before the gateway may add any header of that kind, so only listed names pass. Pure.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";

const PASSED: ReadonlySet<string> = new Set([
  ...["accept", "accept-language", "user-agent", "http-referer", "x-title"],
  ...["traceparent", "tracestate", "x-request-id", "x-client-request-id"],
  ...["openai-beta", "openai-organization", "openai-project"],
  ...["anthropic-beta", "anthropic-version", "anthropic-workspace-id", "x-goog-user-project"],
  // The official clients describe themselves; the number of the try and the client's timeout stay here.
  ...["lang", "package-version", "os", "arch", "runtime", "runtime-version", "helper-method"].map(
    (what) => `x-stainless-${what}`,
  ),
]);

/**
 * Not `idempotency-key`: it is for the client's request, which may take several of ours, and a provider that honours it would answer
 * each with the first answer.
 * @param more names that the settings add, in lower case.
 */
export function upstreamHeaders(headers: Headers, more: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => PASSED.has(name) || more.has(name)));
}

const HEADER = "x-upstream-authorization";

/** The header that replaces the gateway's own key; none if the client brings none. */
export function clientUpstreamKey(headers: Headers, allowed: boolean): Result<Record<string, string>, Problem> {
  const given = headers.get(HEADER);
  if (given === null) return ok({});
  if (!allowed) {
    const message = `\`${HEADER}\` is not allowed by this gateway's settings; leave it out`;
    return err(badRequest(HEADER, message, "upstream_key_not_allowed"));
  }
  if (/^Bearer +[\x21-\x7e]+$/i.test(given)) return ok({ authorization: given });
  return err(badRequest(HEADER, `\`${HEADER}\` must be of the form \`Bearer <key>\``));
}
