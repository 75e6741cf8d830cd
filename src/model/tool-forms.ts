/**
 * Asking an upstream that takes no calls in the messages where the request has no `tools`: once more with tools of their names, and
 * from then on, in this isolate, at once.
 */
import { log } from "../lib/log.ts";
import { bodyIn, mayWantTools, nextForm } from "./history-tools.ts";
import type { StepOutcome } from "./model-port.ts";
import type { Attempt, ToolForm, Upstreams } from "./upstreams.ts";

/** A client names the model. */
const MAX_KNOWN = 64;

/** @param made a request's body without tools. @param once asks with a body; a failure of it has told the client nothing. */
export async function inToolForms<T>(
  forms: Upstreams["health"]["toolForms"],
  key: string,
  made: string,
  once: (body: string) => Promise<Attempt<T, StepOutcome>>,
): Promise<Attempt<T, StepOutcome>> {
  const known = forms.get(key) ?? "none";
  let form: ToolForm | undefined = known;
  let body = bodyIn(known, made);
  if (body === undefined) return once(made);
  let first: Attempt<T, StepOutcome> | undefined;
  while (form !== undefined && body !== undefined) {
    const result = await once(body);
    if (result.kind === "done") {
      if (form !== known) remember(forms, key, form);
      return result;
    }
    const { told } = result;
    if (!mayWantTools(told)) return told.kind === "refused" && told.status === 400 ? (first ?? result) : result;
    // What is wrong with a form that the client has not chosen helps nobody.
    first ??= result;
    form = nextForm[form];
    body = form && bodyIn(form, made);
  }
  forms.delete(key);
  return first as Attempt<T, StepOutcome>;
}

function remember(forms: Upstreams["health"]["toolForms"], key: string, form: ToolForm): void {
  const [oldest] = forms.keys();
  if (forms.size >= MAX_KNOWN && oldest !== undefined) forms.delete(oldest);
  forms.set(key, form);
  log("info", "upstream_wants_tools", { upstream: key, form });
}
