/**
 * Adds tools for an upstream that refuses calls in the messages of a request without `tools`. It gets only their names: no schema, no
 * description of what a policy withholds. None of them was offered, so a call of one is refused. Pure.
 */

import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { log } from "../lib/log.ts";
import { HOUR_MS } from "../lib/time.ts";
import type { StepOutcome } from "../ports/model-port.ts";
import { parseBody } from "../wire/chat-request.ts";
import type { StepAttempt } from "./upstream/step-attempt.ts";
import type { KnownForm, ToolForm, Upstreams } from "./upstream/upstreams.ts";

/** In the order in which they are tried. */
const FORMS: readonly ToolForm[] = ["none", "forbidden", "named"];

type RefusedStep = Extract<StepOutcome, { readonly kind: "refused" }>;

const refusesRequest = (reply: StepOutcome): reply is RefusedStep =>
  reply.kind === "refused" && (reply.status === 400 || reply.status === 422);

/** A refusal that may be for lack of tools: providers word it in many ways. */
const mayWantTools = (reply: StepOutcome): boolean => refusesRequest(reply) && /tool/i.test(reply.body);

/** Providers take no more, and a client writes the history. */
const MAX_TOOLS = 128;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @returns the body in that form; undefined if it has tools of its own, or its messages hold no calls. */
function bodyIn(form: ToolForm, made: string): string | undefined {
  if (form === "none") return made;
  const read = parseBody(made);
  if (!read.ok) return undefined;
  const body = read.value;
  if (body.tools !== undefined || !Array.isArray(body.messages)) return undefined;
  const names = [...new Set(body.messages.flatMap(namesIn))].slice(0, MAX_TOOLS);
  if (names.length === 0) return undefined;
  const choice = form === "forbidden" ? { tool_choice: "none" } : {};
  return JSON.stringify({ ...body, tools: names.map(toolNamed), ...choice });
}

function namesIn(message: unknown): string[] {
  const calls = isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.flatMap((call: unknown) => {
    const name = isObject(call) && isObject(call.function) ? call.function.name : undefined;
    return typeof name === "string" && NAME.test(name) ? [name] : [];
  });
}

const toolNamed = (name: string): JsonObject => ({
  type: "function",
  function: { name, description: "Not available now.", parameters: { type: "object", properties: {} } },
});

/** Bounded, because a client names the model. */
const MAX_KNOWN = 64;
/** After this the upstream gets the request as the client wrote it again: it may take that by now, and unneeded tools cost money. */
const KNOWN_MS = HOUR_MS;

/**
 * Sends a body in the form that this upstream took last. That form was learned from another request: if it is refused here, the other forms
 * are tried too, and the client gets the refusal of its own request, because a refusal of a form that it did not choose would not help it.
 * @param made a request's body without tools. @param once sends a body; if it fails, the client has received nothing.
 */
export async function inToolForms(
  { health: { toolForms: forms }, clock }: Pick<Upstreams, "health" | "clock">,
  key: string,
  made: string,
  once: (body: string) => Promise<StepAttempt>,
): Promise<StepAttempt> {
  const kept = forms.get(key);
  const known = kept && clock.now() - kept.since < KNOWN_MS ? kept.form : "none";
  let own: StepAttempt | undefined;
  for (const form of [known, ...FORMS.filter((one) => one !== known)]) {
    const body = bodyIn(form, made);
    if (body === undefined) break;
    const result = await once(body);
    if (result.kind === "done" && form !== known) remember(forms, key, { form, since: clock.now() });
    if (result.kind === "done" || !refusesRequest(result.reply)) return result;
    if (form !== "none") continue;
    own = result;
    if (!mayWantTools(result.reply)) break;
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
