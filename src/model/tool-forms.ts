/**
 * Asking an upstream that takes no calls in the messages where the request has no `tools`: once more with tools of their names, and
 * from then on, in this isolate, at once, for an hour.
 */
import { log } from "../lib/log.ts";
import type { StepOutcome } from "../ports/model-port.ts";
import { bodyIn, FORMS, mayWantTools, refusesRequest } from "./history-tools.ts";
import type { Attempt, KnownForm, Upstreams } from "./upstream/upstreams.ts";

/** A client names the model. */
const MAX_KNOWN = 64;
/** Then it is asked as the client asks: it may have learned to take that, and tools that nobody needs are paid for. */
const KNOWN_MS = 3_600_000;

/**
 * What is remembered was an answer to one client's request: where another's is refused in that form, the others are tried as well,
 * and what is told is what was said of the request as it came: what is wrong with a form that nobody chose helps nobody.
 * @param made a request's body without tools. @param once asks with a body; a failure of it has told the client nothing.
 */
export async function inToolForms<T>(
  { health: { toolForms: forms }, pace }: Pick<Upstreams, "health" | "pace">,
  key: string,
  made: string,
  once: (body: string) => Promise<Attempt<T, StepOutcome>>,
): Promise<Attempt<T, StepOutcome>> {
  const kept = forms.get(key);
  const known = kept && pace.now() - kept.since < KNOWN_MS ? kept.form : "none";
  let own: Attempt<T, StepOutcome> | undefined;
  for (const form of [known, ...FORMS.filter((one) => one !== known)]) {
    const body = bodyIn(form, made);
    if (body === undefined) break;
    const result = await once(body);
    if (result.kind === "done" && form !== known) remember(forms, key, { form, since: pace.now() });
    if (result.kind === "done" || !refusesRequest(result.told)) return result;
    if (form !== "none") continue;
    own = result;
    if (!mayWantTools(result.told)) break;
  }
  return own ?? once(made);
}

function remember(forms: Upstreams["health"]["toolForms"], key: string, found: KnownForm): void {
  const { form } = found;
  forms.delete(key);
  if (form === "none") return;
  const [oldest] = forms.keys();
  if (forms.size >= MAX_KNOWN && oldest !== undefined) forms.delete(oldest);
  forms.set(key, found);
  log("info", "upstream_wants_tools", { upstream: key, form });
}
