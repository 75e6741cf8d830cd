/**
 * Which of a client's headers go on to the upstream: those that say how to answer, and which program asks. What says who asks, or
 * from where, stays here: a proxy before the gateway may add any header of that kind, so only listed names pass. Pure.
 */

const PASSED: ReadonlySet<string> = new Set([
  ...["accept", "accept-language", "user-agent", "http-referer", "x-title"],
  ...["traceparent", "tracestate", "x-request-id", "x-client-request-id"],
  ...["openai-beta", "openai-organization", "openai-project"],
  ...["anthropic-beta", "anthropic-version", "anthropic-workspace-id", "x-goog-user-project"],
  // The official clients tell of themselves; not which try this is, or how long they wait for the gateway.
  ...["lang", "package-version", "os", "arch", "runtime", "runtime-version", "helper-method"].map(
    (what) => `x-stainless-${what}`,
  ),
]);

/**
 * Not `idempotency-key`: it is one for the client's request, which may take several of ours, and a provider that honours it
 * would answer each with what it answered the first.
 * @param more names that the settings add, in lower case.
 */
export function upstreamHeaders(headers: Headers, more: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => PASSED.has(name) || more.has(name)));
}
