/** Tainted writes: values from untrusted text that a call writes. The store would bring them back as if they were trusted. Pure. */
import { textsIn } from "../../lib/json/json-value.ts";
import { WorkSpent, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { callAuthority } from "../../policy/origin/call-authority.ts";
import { nameWords } from "../../policy/origin/roles/name-words.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { digestsOfWrite, type TaintedWrite } from "../../policy/origin/sources/tainted-values.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { CallToDecide, DecidedCall } from "../../ports/turns/decide-request.ts";
import { trustsAnything } from "../open/tainted-results.ts";
import type { Turn } from "../turn.ts";
import { callSources } from "./call-sources.ts";
import type { Arguments } from "./read-arguments.ts";

/** Texts of one call that are traced; the others count as tainted. */
const MAX_TEXTS = 200;

/** Whether a trusted tool could bring back what a tool writes. */
export function canBeReadBack(policy: CompiledPolicy, tool: string): boolean {
  const traits = traitsOf(policy, tool);
  return trustsAnything(policy) && (traits.class !== "safe" || traits.category !== "read_only");
}

/** Empty if no tool is trusted, nothing is written, or no untrusted text could have chosen the values. */
export function taintedWritesOf(turn: Turn, tool: string, value: Arguments): Pick<CallToDecide, "writes"> {
  if (!canBeReadBack(turn.input.policy, tool)) return {};
  const sources = callSources(turn);
  if (sources === undefined) return {};
  const isFromElsewhere = (text: string, at: number) => at >= MAX_TEXTS || sources.originOf(text) === undefined;
  const recipients = recipientsOf(turn.input.policy, tool, value);
  const written = textsIn(value).filter((text) => !recipients.has(text));
  const writes = digestsOfWrite(written.filter(isFromElsewhere));
  return writes.length > 0 ? { writes } : {};
}

/** A mail address or a phone number. */
const PERSON = /^[^\s@]{1,64}@[^\s@]{1,255}$|^\+?\d[\d ()/-]{5,20}$/;

/**
 * The words in the name of a tool that only sends and keeps nothing: `send_mail`, `notify_customer`. `email_forwarding_rule` keeps the
 * address.
 */
const SENDING: ReadonlySet<string> = new Set(
  (
    "send sends reply replies forward notify email emails mail mails message messages sms text dm letter notification confirmation reminder receipt " +
    "invoice report summary note update updates newsletter proposal certificate attachment appointment booking order payment to all a an the with via by " +
    "direct gmail outlook whatsapp slack chat customer customers client clients user users guest guests patient attendees supplier team " +
    "senden sende schicken schicke nachricht kunde kunden antworten enviar envia responder correo mensaje cliente"
  ).split(" "),
);

/**
 * Recipients of a call that only sends. No reader brings them back because of this call: the customer whose mail was answered is in the
 * list of customers because they are one.
 */
function recipientsOf(policy: CompiledPolicy, tool: string, value: Arguments): ReadonlySet<string> {
  const traits = traitsOf(policy, tool);
  const effects = toolEffects(traits.name, traits.description);
  const isSending = effects.size > 0 && [...effects].every((effect) => effect === "send");
  const words = nameWords(tool.split("__").at(-1) ?? "");
  if (!traits.listed || !isSending || !words.every((word) => SENDING.has(word))) return new Set();
  try {
    const { values } = callAuthority({ traits }, value, workBudget());
    const destinations = values.filter(({ role }) => role.role === "destination").map((one) => String(one.value));
    return new Set(destinations.filter((one) => PERSON.test(one)));
  } catch (error) {
    if (error instanceof WorkSpent) return new Set();
    throw error;
  }
}

/** What released and run calls have written: later results of the same turn may bring it back. */
export const writtenBy = (
  turn: Turn,
  calls: readonly CallToDecide[],
  decided: readonly DecidedCall[],
): readonly TaintedWrite[] =>
  calls.flatMap(({ tool, writes }, index) =>
    writes && decided[index]?.ordinal !== undefined ? [{ tool, session: turn.sessionId, digests: writes }] : [],
  );
