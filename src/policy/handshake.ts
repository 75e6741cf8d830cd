/**
 * The handshake tool, by which the model selects an intent. It is Toolgate's own: no client sees its calls. Pure.
 * Source: reference/proactive-tool-filtering.md.
 */
import { err, ok, type Result } from "../lib/result.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { PolicyDocument } from "./document/document-schema.ts";
import type { ToolDefinition } from "./facts.ts";
import { type CompiledIntent, familyAccess, keyFamilies } from "./intents.ts";
import type { Reason } from "./reasons.ts";
import { type Selector, selects } from "./selectors.ts";
import type { ToolTraits } from "./traits.ts";

export interface HandshakeOffer {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** In the policy's order; never empty. */
  readonly intents: readonly string[];
  /** Left out because the user's words do not ask for them. */
  readonly notDetected: readonly string[];
}

/** Longer descriptions are cut: the definition is sent with every step. */
const maxDescription = 120;

/**
 * @param tools the request's tools that all rules permit, except perhaps those about the task (state and intents).
 * @param selectable as in `Facts`.
 * @returns undefined if the policy has no handshake, or no intent that the principal could act under and the model
 * may select.
 */
export function offerHandshake(
  policy: CompiledPolicy,
  tools: readonly ToolTraits[],
  selectable?: ReadonlySet<string>,
): HandshakeOffer | undefined {
  if (policy.handshake.select === "off") return undefined;
  const reach = reachOf(tools);
  const possible = [...policy.intents.values()].filter((intent) => canActUnder(intent, reach));
  // An intent without tools unlocks nothing, so it may always be selected.
  const isOpen = ({ noTools, name }: CompiledIntent) => selectable === undefined || noTools || selectable.has(name);
  const intents = possible.filter(isOpen);
  if (intents.length === 0) return undefined;
  const { tool: name } = policy.handshake;
  const namesOf = (list: readonly CompiledIntent[]) => list.map((intent) => intent.name);
  const notDetected = namesOf(possible.filter((intent) => !isOpen(intent)));
  const definition = define(name, intents, notDetected.length > 0);
  return { name, definition, intents: namesOf(intents), notDetected };
}

/**
 * @param args as the model gave them: `intents`, a list; `intent` is accepted too.
 * @returns the intents that the model chose, each once. One that was not offered refuses them all.
 */
export function readHandshake(offer: HandshakeOffer, args: unknown): Result<readonly string[], Reason> {
  const chosen = new Set([...namesIn(args, "intents"), ...namesIn(args, "intent")]);
  const refused = [...chosen].find((name) => typeof name !== "string" || !offer.intents.includes(name));
  if (chosen.size > 0 && refused === undefined) return ok([...chosen] as readonly string[]);
  const intent = typeof refused === "string" ? refused.slice(0, 128) : "";
  const code =
    typeof refused === "string" && offer.notDetected.includes(refused) ? "intent_not_detected" : "intent_unknown";
  return err({ code, intent, intents: offer.intents });
}

/** A model may give one name instead of a list. */
function namesIn(args: unknown, key: string): readonly unknown[] {
  if (typeof args !== "object" || args === null || !Object.hasOwn(args, key)) return [];
  const value = (args as Readonly<Record<string, unknown>>)[key];
  // `null` is no name: it would otherwise mean a key that was left out.
  return Array.isArray(value) ? value : [value];
}

interface Reach {
  readonly byName: ReadonlyMap<string, ToolTraits>;
  readonly tools: readonly ToolTraits[];
  /** The tools that a selector selects. Policies repeat their selectors, so each is evaluated once. */
  readonly selected: (selector: Selector) => readonly ToolTraits[];
}

function reachOf(tools: readonly ToolTraits[]): Reach {
  const memo = new Map<string, readonly ToolTraits[]>();
  return {
    tools,
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    selected(selector) {
      const key = JSON.stringify(selector);
      const known = memo.get(key);
      if (known) return known;
      const found = tools.filter((tool) => selects(selector, tool) && selects(selector, tool.base));
      memo.set(key, found);
      return found;
    },
  };
}

function canActUnder(intent: CompiledIntent, reach: Reach): boolean {
  if (!isWithinReach(intent, reach)) return false;
  if (intent.tools === undefined || intent.noTools) return true;
  const passes = (tool: ToolTraits | undefined) => tool !== undefined && familyAccess(intent, tool) !== "blocked";
  for (const name of intent.tools.names) if (passes(reach.byName.get(name))) return true;
  return intent.tools.patterns.some((selector) => reach.selected(selector).some(passes));
}

/** An intent without fallback whose key families are out of reach could only fail. */
function isWithinReach({ families }: CompiledIntent, { tools }: Reach): boolean {
  if (!families?.noFallback) return true;
  const key = keyFamilies(families);
  return tools.some((tool) => key.some((family) => tool.families.has(family)));
}

/** Lets the model explain to the user why it cannot select an intent, and what to do. */
const NARROWED =
  "Only what the user's own words ask for can be selected. If nothing here fits, tell the user so, and that they should say in their own words what to do.";

/** Calls under an intent that was selected before untrusted text was read need no question for that reason. */
const PURPOSE =
  "Say what the user wants: all that the task needs, in one call, before you read anything. The tools for it become available after this call.";

function define(name: string, intents: readonly CompiledIntent[], narrowed: boolean): ToolDefinition {
  const list = intents.map(({ name: intent, description }) => {
    const text = description.length > maxDescription ? `${description.slice(0, maxDescription - 1)}…` : description;
    return text === "" ? `- ${intent}` : `- ${intent}: ${text}`;
  });
  const lines = [PURPOSE, ...list];
  const description = (narrowed ? [...lines, NARROWED] : lines).join("\n");
  const intent = { type: "string", enum: intents.map(({ name }) => name) };
  const parameters = {
    type: "object",
    // Some models call with the single `intent` that other handshakes have: they find it here, too.
    properties: { intents: { type: "array", items: intent, minItems: 1 }, intent },
    additionalProperties: false,
  };
  return { name, description, parameters, wire: { type: "function", function: { name, description, parameters } } };
}

interface MatchFacts {
  /** Detected in the user's words with any confidence; without the fallback, which no words ask for. */
  readonly detected: readonly string[];
  /** The task's intents: to select one of them again unlocks nothing new. */
  readonly held: readonly string[];
  /** Untrusted text may have chosen the intent, and the calls under it need no question each. */
  readonly unconfirmed: boolean;
}

/**
 * After untrusted text the handshake may still select any intent: calls under one that the user's words do not contain are confirmed
 * or denied (`rules/argument-origins.ts`).
 * @returns the intents that the handshake may select, besides those that permit no tools; undefined for any.
 */
export function selectableIntents(
  policy: CompiledPolicy,
  { detected, held, unconfirmed }: MatchFacts,
): ReadonlySet<string> | undefined {
  const { mustMatchDetected } = policy.handshake;
  if (!mustMatch(policy) || (mustMatchDetected === "afterUntrusted" && !unconfirmed)) return undefined;
  return new Set([...detected, ...held]);
}

/** Whether untrusted text makes a difference to what the model selects. */
export const trustMatters = (policy: CompiledPolicy): boolean =>
  policy.handshake.mustMatchDetected === "afterUntrusted" && mustMatch(policy);

/** Whether the rule is in force at all. */
export function mustMatch({ handshake, detection, intents }: CompiledPolicy): boolean {
  if (handshake.select === "off" || handshake.mustMatchDetected === "never") return false;
  return canDetect(detection.layers, intents.values());
}

interface Words {
  readonly keywords: readonly string[];
  readonly patterns: readonly string[];
  readonly examples: readonly string[];
}

/** A policy whose layers have no words detects nothing: a rule that demands a match would block every intent. */
export function canDetect(layers: PolicyDocument["detection"]["layers"], intents: Iterable<Words>): boolean {
  const enabled = new Set(layers);
  if (enabled.has("model")) return true;
  for (const { keywords, patterns, examples } of intents) {
    if (enabled.has("keywords") && keywords.length > 0) return true;
    if (enabled.has("patterns") && patterns.length > 0) return true;
    if (enabled.has("semantic") && keywords.length + examples.length > 0) return true;
  }
  return false;
}
