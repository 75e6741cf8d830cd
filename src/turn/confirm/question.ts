/**
 * The question about a call: what a person must know of it, who may be asked and how, and the reply that asks. UserGuard decides
 * whether a person is asked, and makes the approval.
 */
import type { Approval, CodeDemand } from "../../approvals/approval.ts";
import { readCodes } from "../../approvals/codes.ts";
import { closeMarkup } from "../../approvals/disclosure/close-markup.ts";
import type { Disclosure, UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { discloseCall } from "../../approvals/disclosure/disclosure.ts";
import { type FrameSettings, frameText } from "../../approvals/disclosure/frame.ts";
import { mayHide } from "../../approvals/disclosure/raw-html.ts";
import { shownTool } from "../../approvals/disclosure/title.ts";
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import { propertyNames } from "../../lib/json/property-names.ts";
import { redactForRecord } from "../../lib/redact.ts";
import { type LocalText, oneForm } from "../../lib/text/languages.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { WorkSpent } from "../../lib/work-budget.ts";
import type { Facts } from "../../policy/facts.ts";
import type { Offer } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { asksOfEveryCall } from "../../policy/rules/conditions.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { denied, type PureDecision, vetCall } from "../../policy/vet.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { Question } from "../../ports/turns/question.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { textOf } from "../../wire/conversation.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { taskWords, turnLanguage } from "../open/task-words.ts";
import { holdsUntrusted } from "../open/untrusted.ts";
import type { Arguments } from "../step/read-arguments.ts";
import { instructionAround, resultInstructions } from "../step/result-instructions.ts";
import type { Turn } from "../turn.ts";
import { recordWaiting } from "../turn-log.ts";
import { linkTo } from "./question-links.ts";

/** What calls are vetted against now. */
export interface CurrentOffer {
  readonly facts: Facts;
  readonly offer: Offer;
}

/** @param undoes the call that it takes back. */
export function discloseFor(
  turn: Turn,
  traits: ToolTraits,
  reasons: readonly Reason[],
  undoes?: UndoneCall,
): Disclosure {
  const untrusted = reasons.find((reason) => reason.code === "argument_untrusted")?.arguments;
  const isFound = reasons.some(({ code }) => code === "instructions_found");
  return discloseCall({
    traits,
    schema: schemaOf(turn, traits.name),
    language: turnLanguage(turn),
    suspicious: reasons.find((reason) => reason.code === "arguments_suspicious"),
    untrusted,
    // A text of an earlier task makes no call ask by itself; the approver of its values must know of its orders.
    instructions: instructionAround(turn, untrusted ?? []) ?? (isFound ? resultInstructions(turn)[0] : undefined),
    conditions: reasons.find((reason) => reason.code === "condition_asks")?.say.map((say) => policyText(traits, say)),
    undoes,
    persistsGate: turn.input.policy.gates.persistApprovals,
  });
}

/** A condition's words in all their languages. @param say in the form that reasons have. */
export const policyText = ({ conditions }: Pick<ToolTraits, "conditions">, say: string): LocalText =>
  conditions.find((one) => oneForm(one.say) === say)?.say ?? say;

/** The policy's, else that of the definition; null where there is none. */
export function schemaOf({ input, tools }: Turn, tool: string): unknown {
  const { policy } = input;
  return traitsOf(policy, tool).parameters ?? tools.find(({ name }) => name === tool)?.parameters ?? null;
}

/** UTF-16 units of JSON. A larger schema makes no form that anybody would fill in. */
const MAX_SCHEMA = 64 * 1024;

const mayAsk = ({ effect, counted }: PureDecision): boolean =>
  effect !== "deny" && (effect === "confirm" || counted.gate !== undefined || counted.confirmation !== undefined);

/**
 * A call that may be asked about, or that the gateway runs itself, in the form that it would run in: a person who approves must
 * have seen all of it, what the schema fills in for itself too. Where that form would be refused, the call's own stands, unless
 * a condition of the policy refuses it.
 */
export function completeCall(
  turn: Turn,
  { offer, facts }: CurrentOffer,
  call: ModelCall,
  vetted: PureDecision,
  value: Arguments,
): { readonly vetted: PureDecision; readonly value: Arguments } {
  const isManaged = turn.input.managed?.names.has(call.name) === true;
  // A condition is about the arguments that the tool runs with, and its schema's defaults are among them.
  const isConditional = traitsOf(turn.input.policy, call.name).conditions.length > 0;
  if (vetted.effect === "deny" || !(isManaged || isConditional || mayAsk(vetted))) return { vetted, value };
  const schema = schemaOf(turn, call.name);
  if (schema === null) return { vetted, value };
  const filled = filledIn(turn, schema, value);
  if (filled === undefined) return { vetted: tooCostly(call.name), value };
  if (filled === value) return { vetted, value };
  const again = vetCall(
    turn.input.policy,
    facts,
    offer,
    { id: call.id, tool: call.name, arguments: filled },
    turn.input.work,
  );
  const isRefused = again.effect === "deny" && !again.reasons.some(({ code }) => code === "condition_denies");
  return isRefused ? { vetted, value } : { vetted: again, value: filled };
}

/** Undefined where that would cost too much. */
function filledIn({ input }: Turn, schema: unknown, value: Arguments): Arguments | undefined {
  try {
    return fillDefaults(schema, value, input.work);
  } catch (error) {
    if (error instanceof WorkSpent) return undefined;
    throw error;
  }
}

const tooCostly = (tool: string): PureDecision =>
  denied({ code: "arguments_invalid", tool, issues: [{ path: "", message: new WorkSpent().message }] });

/**
 * A program reads the reply: words of ours are no part of it. The call is refused, the model goes on without it, and the question
 * is in the reply's data: once it is answered, the same request again gets the call.
 */
export const asksAsDataOnly = ({ input }: Turn): boolean => input.channel === "inline" && input.request.jsonMode;

/** Absent where no rule asks. */
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
  const channel = asksAsDataOnly(turn) ? "native" : turn.input.channel;
  const traits = traitsOf(policy, tool);
  const schema = schemaOf(turn, tool);
  return {
    channel,
    disclosure: discloseFor(turn, traits, reasons, undoes),
    words: taskWords(turn),
    recorded: redactForRecord(value, traits.redact, { known: propertyNames(schema) }),
    schema: schema !== null && JSON.stringify(schema).length <= MAX_SCHEMA ? schema : null,
    editable: isEditable(traits),
    // A grant answers nothing else: not what looks like an attack, nor a first use. It changes nothing where each call needs a question.
    grantable:
      policy.confirmation.grants.enabled && traits.asks && !asksOfEveryCall(traits.conditions, turn.principal.role),
    endorsable: policy.confirmation.grants.enabled ? vetted.endorsable : undefined,
    ...(channel === "inline" ? { typedFor: codeDemand(turn, [], wordsBefore(turn)) } : {}),
    expiresAt: now + (channel === "hold" ? holdMs(turn, traits) : policy.confirmation.inlineExpiresAfter),
  };
}

/** Source: reference/human-centered-tool-calling.md. What is sent elsewhere is sent as it was proposed, or not. */
const isEditable = ({ category }: ToolTraits): boolean => category !== "external";

const holdMs = ({ input }: Turn, { timeoutSeconds }: ToolTraits): number =>
  (timeoutSeconds ?? input.policy.confirmation.timeoutSeconds) * 1_000;

interface AskOptions {
  /** The model's own, which stand before the question in a reply that is not streamed. */
  readonly words?: string;
  /** Ours, about an answer that could not be taken. */
  readonly notice?: string;
  /** The question stands whole above. */
  readonly brief?: boolean;
}

export function askPeople(
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  { words = "", notice = "", brief = false }: AskOptions = {},
): Ending {
  recordWaiting(turn.log, approvals);
  storeExchanges(turn, [], approvals);
  return awaitingEnding(frameOfChannel(turn, approvals, now, { notice, brief }), words);
}

/** A reply of the gateway's own while calls wait: nothing has changed. */
export const awaitingEnding = (text: string, words = ""): Ending => ({
  kind: "stop",
  stopReason: "awaiting_approval",
  finishReason: "stop",
  text,
  words,
});

/** A client that knows approvals gets them as data; it gets in words only what the data leaves out. */
function frameOfChannel(
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  { notice, brief }: { readonly notice: string; readonly brief: boolean },
): string {
  if (turn.input.channel === "native") return notice;
  if (asksAsDataOnly(turn)) return [notice, stillWaiting(approvals)].filter((part) => part !== "").join("\n\n");
  // What the model's words leave open would hide what the yes is to.
  const closing = closeMarkup(turn.log.text).trimStart();
  return [closing, notice, frameOf(turn, approvals, now, { brief })].filter((part) => part !== "").join("\n\n");
}

const stillWaiting = (approvals: readonly Approval[]): string => {
  const tools = [...new Set(approvals.map(({ tool }) => codeSpan(shownTool(tool))))].join(", ");
  return `Toolgate: ${tools} waits for a person. Have the approvals in \`toolgate.approvals\` answered, then send this request again.`;
};

/** How to answer is explained once in a conversation, as far as the request shows it, and where `explained` says no. */
export const frameOf = (
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  more: Pick<FrameSettings, "brief" | "explained"> = {},
): string =>
  frameText(approvals, {
    ...typedCodeOf(turn, approvals, wordsBefore(turn)),
    explained: wasAsked(turn),
    linkTo: linkTo(turn),
    now,
    ...more,
  });

const wasAsked = ({ input }: Turn): boolean =>
  input.request.messages.some(({ role, content }) => role === "assistant" && readCodes(textOf(content)).length > 0);

interface WordsBefore {
  /** The codes that stand in the reply. */
  readonly codes: readonly string[];
  /** The words before the question. */
  readonly before: string;
}

const wordsBefore = ({ log }: Turn): WordsBefore => ({ codes: readCodes(log.text), before: log.text });

/**
 * Whether a mere "yes" is not enough. What demanded the code when the question was asked is kept with it: a client may send back other
 * words than it showed.
 */
export function typedCodeOf(
  turn: Turn,
  approvals: readonly Approval[],
  shown: WordsBefore,
): Pick<FrameSettings, "typedCode" | "whyTyped"> {
  const demand =
    approvals.find(({ typedFor }) => typedFor !== undefined)?.typedFor ?? codeDemand(turn, approvals, shown);
  return { typedCode: demand !== undefined, whyTyped: demand };
}

/**
 * Somebody else's text in the conversation may have led the user to a "yes", or the model has put a frame of its own beside the
 * question, or HTML or a mark before it that may hide it, so that nobody can tell what the "yes" is to.
 */
function codeDemand(
  { input, log }: Turn,
  approvals: readonly Approval[],
  { codes, before }: WordsBefore,
): CodeDemand | undefined {
  const { typedCode } = input.policy.confirmation;
  if (codes.some((code) => !approvals.some((approval) => approval.code === code))) return "otherCode";
  if (typedCode === "always") return "policy";
  const isAfterUntrusted = typedCode === "afterUntrusted";
  if (isAfterUntrusted && (log.untrusted || holdsUntrusted(input.policy, input.request.messages))) return "untrusted";
  return mayHide(before) ? "markup" : undefined;
}
