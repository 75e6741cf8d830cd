/** `x-upstream-authorization`: a client's own key, for the configured upstream alone. Pure. It is in no message and no log. */
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, type Problem } from "../problem.ts";

const HEADER = "x-upstream-authorization";

/** The header that takes the place of the gateway's own key; none where the client brings none. */
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
