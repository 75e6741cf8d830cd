/**
 * Whether a conversation holds text that may carry a third party's instructions. Pure. Such text is:
 * - a tool result, real or made up by the client, of a tool that the policy does not mark `trusted`, unless it only acknowledges its
 *   call;
 * - what a frontend pasted into a user message, if the policy's `detection.extract` tells it from the user's own words;
 * - a client's summary of what came before.
 */
import { holdsFrontendText } from "../../intent/user-message/user-text.ts";
import { holdsUntrustedReport } from "../../intent/user-message/without-client-text.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { isAcknowledgement } from "../../policy/origin/sources/acknowledgement.ts";
import { type Category, selectsAny } from "../../policy/selectors.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { argumentsOf, callsIn, textOf, textParts, userTextIn } from "../../wire/conversation.ts";

/** The result of a hand-off that only repeats the agent's name, which the tool's name holds: there is nothing in it to obey. */
function saysItsName(tool: string, result: string): boolean {
  const agent = /^\{"assistant":"([^"\\]{1,128})"\}$/.exec(result.replace(/\s+/g, ""))?.[1];
  return agent !== undefined && lettersOf(agent) !== "" && lettersOf(tool).endsWith(lettersOf(agent));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

export const holdsUntrusted = (policy: CompiledPolicy, messages: readonly JsonObject[]): boolean =>
  findUntrusted(policy, messages) !== undefined;

/** @param tools hosted ones whose items are in the conversation. */
export const holdsUntrustedHosted = (policy: CompiledPolicy, tools: readonly string[] = []): boolean =>
  tools.some((name) => !traitsOf(policy, name).trusted);

/** The first tool that brought such text; undefined if none is known by its name. */
export function untrustedTool(policy: CompiledPolicy, messages: readonly JsonObject[]): string | undefined {
  const found = findUntrusted(policy, messages);
  return typeof found === "string" ? found : undefined;
}

/** Undefined if calls of different tools share an id: the result's tool cannot be determined, and a model may do so on purpose. */
function toolsById(message: JsonObject): ReadonlyMap<string, string | undefined> {
  const tools = new Map<string, string | undefined>();
  for (const [id, tool] of callsIn(message)) tools.set(id, !tools.has(id) || tools.get(id) === tool ? tool : undefined);
  return tools;
}

interface ToolMessage {
  /** Undefined if no call before it has its id. */
  readonly tool: string | undefined;
  readonly callId: string;
  readonly message: JsonObject;
  /** The message that has the call. */
  readonly caller: JsonObject | undefined;
}

/**
 * Reads messages in order: the result that a message is, with the tool that the call before it names. Providers repeat ids: a result
 * belongs to the last call before it. A result without a call has no tool.
 */
function resultReader(): (message: JsonObject) => ToolMessage | undefined {
  const calls = new Map<string, { readonly tool: string | undefined; readonly caller: JsonObject }>();
  return (message) => {
    const { role, tool_call_id: id, name } = message;
    if (role === "assistant")
      for (const [called, tool] of toolsById(message)) calls.set(called, { tool, caller: message });
    if (role !== "tool" && role !== "function") return undefined;
    const callId = typeof id === "string" ? id : "";
    const call = calls.get(callId);
    const tool = role === "tool" ? call?.tool : name;
    return { tool: typeof tool === "string" ? tool : undefined, callId, message, caller: call?.caller };
  };
}

/** The results among messages, each with the tool that the call before it names. */
export function resultsIn(messages: readonly JsonObject[]): readonly ToolMessage[] {
  const resultOf = resultReader();
  return messages.flatMap((message) => resultOf(message) ?? []);
}

/** Whether a result that a client brings is trusted. A result for a tool that Toolgate runs is made up. */
export const isTrustedResult = (policy: CompiledPolicy, tool: unknown, message: JsonObject): boolean =>
  typeof tool === "string" &&
  ((traitsOf(policy, tool).trusted && policy.tools.get(tool)?.run === undefined) ||
    (selectsAny(policy.handoffs, traitsOf(policy, tool)) && saysItsName(tool, textOf(message.content))));

/** @returns the tool's name; `true` if there is such text without a known tool. */
function findUntrusted(policy: CompiledPolicy, messages: readonly JsonObject[]): string | true | undefined {
  const resultOf = resultReader();
  // A budget apart from that of the calls: a long conversation must not leave them unchecked.
  const work = workBudget();
  const extracts = policy.detection.extract !== undefined;
  for (const message of messages) {
    const result = resultOf(message);
    if (result && !isTrustedResult(policy, result.tool, message) && !isNothingNew(policy, result))
      return result.tool ?? true;
    if (message.role === "user" && textParts(message.content).some(holdsUntrustedReport)) return true;
    if (message.role === "user" && extracts && holdsFrontendText(policy, userTextIn(message.content), work))
      return true;
  }
  return undefined;
}

/**
 * Only listed client tools: third parties choose the names of the others. Only tools that change something: a reader's result is always
 * content by a third party, however short.
 */
function isNothingNew(policy: CompiledPolicy, { tool, callId, message, caller }: ToolMessage): boolean {
  if (tool === undefined || caller === undefined || message.role !== "tool" || !isPlainText(message.content))
    return false;
  const traits = traitsOf(policy, tool);
  if (
    !traits.listed ||
    policy.tools.get(tool)?.run !== undefined ||
    !changesSomething(traits, policy.tools.get(tool)?.category)
  )
    return false;
  const known = acknowledging.get(message);
  if (known !== undefined) return known;
  const is = isAcknowledgement(tool, () => argumentsOf(caller, callId), textOf(message.content));
  acknowledging.set(message, is);
  return is;
}

/** By the message with the result: a turn asks many times. */
const acknowledging = new WeakMap<JsonObject, boolean>();

/** An image has no text, and may hold anything. */
const isPlainText = (content: unknown): boolean =>
  typeof content === "string" ||
  (Array.isArray(content) &&
    content.every((part) => isObject(part) && part.type === "text" && typeof part.text === "string"));

/** By traits, which live as long as their policy. */
const changing = new WeakMap<ToolTraits, boolean>();

/** @param own the category that the policy gives the tool itself. */
function changesSomething(traits: ToolTraits, own: Category | undefined): boolean {
  const known = changing.get(traits);
  if (known !== undefined) return known;
  const { name, description, category } = traits;
  const effects = [...toolEffects(name, description)];
  // For an unknown verb the operator's own category decides; an external tool may only look something up.
  const named = effects.some((effect) => effect !== "read");
  const said = effects.length === 0 && own !== undefined && own !== "external";
  const changes = category !== "read_only" && (named || said);
  changing.set(traits, changes);
  return changes;
}
