/** Makes the question about a call, and the reply that asks it. UserGuard decides whether a person is asked, and creates the approval. */
import type { Approval, CodeDemand } from "../../approvals/approval.ts";
import { closeMarkup } from "../../approvals/disclosure/close-markup.ts";
import type { UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { shownTool } from "../../approvals/disclosure/title.ts";
import { propertyNames } from "../../lib/json/property-names.ts";
import { redactForRecord } from "../../lib/redact.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { asksOfEveryCall } from "../../policy/rules/conditions.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import type { PureDecision } from "../../policy/vet.ts";
import { type Ending, stopEnding } from "../../ports/turns/ending.ts";
import type { Question } from "../../ports/turns/question.ts";
import { mayAsk } from "../call/complete-call.ts";
import { discloseFor, schemaOf } from "../call/disclose-call.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { taskMessage } from "../open/task-message.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { Turn } from "../turn.ts";
import { updateLog } from "../turn-log.ts";
import { codeDemand, frameOf, wordsBefore } from "./question-frame.ts";

/** UTF-16 units of JSON. A larger schema makes no form that a person would fill in. */
const MAX_SCHEMA = 64 * 1024;

/**
 * In JSON mode a program reads the reply, so it must not hold the gateway's text. The call is refused, the model goes on without it, and
 * the question is in the reply's data: once it is answered, the same request again gets the call.
 */
export const asksOnlyInData = ({ input }: Turn): boolean => input.channel === "inline" && input.request.jsonMode;

/** Absent if no rule asks. */
export function questionFor(
  turn: Turn,
  now: number,
  tool: string,
  { reasons, ...vetted }: PureDecision,
  value: Arguments,
  undoes?: UndoneCall,
): Question | undefined {
  const { policy } = turn.input;
  if (!mayAsk({ reasons, ...vetted })) return undefined;
  const channel = asksOnlyInData(turn) ? "native" : turn.input.channel;
  const traits = traitsOf(policy, tool);
  const schema = schemaOf(turn, tool);
  const disclosure = discloseFor(turn, traits, reasons, undoes);
  return {
    channel,
    disclosure,
    words: taskMessage(turn).excerpt(),
    recorded: redactForRecord(value, traits.redact, { known: propertyNames(schema) }),
    schema: schema !== null && JSON.stringify(schema).length <= MAX_SCHEMA ? schema : null,
    editable: isEditable(traits),
    // A grant cannot replace a question about a likely attack or a first use. It is useless if each call needs a question.
    grantable:
      policy.confirmation.grants.enabled &&
      traits.needsConfirmation &&
      !asksOfEveryCall(traits.conditions, turn.principal.role),
    endorsable: policy.confirmation.grants.enabled ? vetted.endorsable : undefined,
    ...(channel === "inline" ? { typedFor: demandFor(turn, { disclosure, reasons }, value) } : {}),
    expiresAt: now + (channel === "hold" ? holdMs(turn, traits) : policy.confirmation.inlineExpiresAfter),
  };
}

/** Stored with the question: the client may cut its history before the answer. */
function demandFor(
  turn: Turn,
  { disclosure, reasons }: Pick<Question, "disclosure"> & Pick<PureDecision, "reasons">,
  value: Arguments,
): CodeDemand | undefined {
  const call = { disclosure, asks: reasons.map(({ code }) => code), arguments: JSON.stringify(value) };
  return codeDemand(turn, [call], wordsBefore(turn));
}

/** Source: reference/human-centered-tool-calling.md. A call that sends something out is made as proposed, or not at all. */
const isEditable = ({ category }: ToolTraits): boolean => category !== "external";

const holdMs = ({ input }: Turn, { timeoutSeconds }: ToolTraits): number =>
  (timeoutSeconds ?? input.policy.confirmation.timeoutSeconds) * 1_000;

interface AskOptions {
  /** The model's text, which comes before the question in a reply that is not streamed. */
  readonly words?: string;
  /** The gateway's text about an answer that could not be taken. */
  readonly notice?: string;
  /** The question is complete above. */
  readonly brief?: boolean;
}

export function askPeople(
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  { words = "", notice = "", brief = false }: AskOptions = {},
): Ending {
  updateLog(turn.log, { waiting: approvals });
  storeExchanges(turn, [], approvals);
  return awaitingEnding(frameOfChannel(turn, approvals, now, { notice, brief }), words);
}

/** A reply of the gateway's own while calls wait: nothing has changed. */
export const awaitingEnding = (text: string, words = ""): Ending => ({
  ...stopEnding("awaiting_approval", text),
  words,
});

/** A client that supports approvals gets them as data; its text holds only what the data leaves out. */
function frameOfChannel(
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  { notice, brief }: { readonly notice: string; readonly brief: boolean },
): string {
  if (turn.input.channel === "native") return notice;
  if (asksOnlyInData(turn)) return [notice, stillWaiting(approvals)].filter((part) => part !== "").join("\n\n");
  // Markup that the model's text leaves open would hide what the "yes" is to.
  const closing = closeMarkup(turn.log.text).trimStart();
  return [closing, notice, frameOf(turn, approvals, now, { brief })].filter((part) => part !== "").join("\n\n");
}

const stillWaiting = (approvals: readonly Approval[]): string => {
  const tools = [...new Set(approvals.map(({ tool }) => codeSpan(shownTool(tool))))].join(", ");
  return `Toolgate: ${tools} waits for a person. Have the approvals in \`toolgate.approvals\` answered, then send this request again.`;
};
