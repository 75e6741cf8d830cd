/** What earlier versions stored in the same columns. */
import type { ExchangeAnchor } from "../../../ports/turns/hidden-exchange.ts";

/** An anchor as earlier versions stored it: strings, each with a prefix, but for ids of calls, which never hold a space. */
export function formerAnchor(strings: readonly string[], position: number, outlasts: boolean): ExchangeAnchor {
  const after = (prefix: string) =>
    strings.flatMap((one) => (one.startsWith(prefix) ? [one.slice(prefix.length)] : []));
  if (outlasts) {
    const [reply] = after("said ");
    const [request = ""] = after("asked ");
    const runs = after("ran ");
    if (reply === undefined) return { kind: "request", digest: request, position, runs };
    return { kind: "reply", digest: reply, position, runs };
  }
  if (strings.includes("the task's beginning")) return { kind: "refusals", codes: after("into ") };
  return { kind: "calls", ids: strings.filter((one) => !one.includes(" ")), codes: after("before "), position };
}
