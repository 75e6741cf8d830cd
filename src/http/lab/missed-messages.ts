/** `GET /admin/policies/:tenant/missed-messages`: messages that no intent matched, and the intent that the model named for each. */
import type { Context } from "hono";
import type { MissedMessageView } from "../../api-views/policy-views.ts";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { queryMissedMessages } from "../../stores/audit/d1-missed-messages.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { orTrailUnavailable } from "../reach.ts";

/** Only messages whose intent the policy in force has. It may have got their examples since, and then matches them itself. */
export async function listMissedMessages(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const policy = await loadPolicy(deps, tenant);
  if (!policy.ok) return policy;
  const missed = await orTrailUnavailable(deps.audit(tenant, (db) => queryMissedMessages(db, tenant)));
  if (!missed.ok) return missed;
  const { intents } = policy.value;
  const known = missed.value.filter(({ intent }) => intents.has(intent));
  const data: readonly MissedMessageView[] = known.map(({ lastAt, ...one }) => ({
    object: "missed_message",
    ...one,
    last_at: isoTime(lastAt),
  }));
  return ok(listBody(data, false));
}
