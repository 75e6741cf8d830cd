/** `x-upstream-authorization`: a client's own key, for the configured upstream alone. Pure. It is in no message and no log. */
import { err, ok, type Result } from "../lib/result.ts";
import { badRequest, type Problem } from "./problem.ts";

const HEADER = "x-upstream-authorization";

/** What takes the place of the gateway's `authorization`; undefined where the client brings none. */
export function clientUpstreamKey(headers: Headers, allowed: boolean): Result<string | undefined, Problem> {
  const given = headers.get(HEADER);
  if (given === null) return ok(undefined);
  if (!allowed) {
    const message = `\`${HEADER}\` is not allowed by this gateway's settings; leave it out`;
    return err(badRequest(HEADER, message, "upstream_key_not_allowed"));
  }
  if (/^Bearer +[\x21-\x7e]+$/i.test(given)) return ok(given);
  return err(badRequest(HEADER, `\`${HEADER}\` must be of the form \`Bearer <key>\``));
}
