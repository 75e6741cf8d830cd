/** `GET /admin/policies/:tenant/suggestions`: rules that would ask less, from what people answered in the last 30 days. */
import type { Context } from "hono";
import type { SuggestionView } from "../../api-views/policy-views.ts";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { DAY_MS } from "../../lib/time.ts";
import { queryAnswers } from "../../stores/audit/d1-answers.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { orTrailUnavailable } from "../reach.ts";
import { suggestRules } from "./suggest-rules.ts";

const LOOKS_BACK_MS = 30 * DAY_MS;

export async function listSuggestions(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const policy = await loadPolicy(deps, tenant);
  if (!policy.ok) return policy;
  const answers = await orTrailUnavailable(
    deps.audit(tenant, (db) => queryAnswers(db, tenant, deps.now() - LOOKS_BACK_MS)),
  );
  if (!answers.ok) return answers;
  const data: readonly SuggestionView[] = suggestRules(policy.value, answers.value).map(({ since, ...suggestion }) => ({
    object: "policy.suggestion",
    ...suggestion,
    since: isoTime(since),
  }));
  return ok(listBody(data, false));
}
