/** Decides one call in one situation, by the functions of a turn. Pure. */
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import { addVerdicts } from "../decision.ts";
import type { InvariantEffect } from "../document/invariant-parts.ts";
import type { Facts } from "../facts.ts";
import { type Offer, offerTools } from "../offer.ts";
import { countedVerdicts } from "../rules/counted.ts";
import { foldRules } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import { vetCall } from "../vet.ts";
import type { Caller } from "./callers.ts";
import type { TaskSituation, TextSituation } from "./situations.ts";
import type { ToolKind } from "./tool-kinds.ts";

export interface CallSituation {
  readonly tool: ToolKind;
  readonly caller: Caller;
  readonly task: TaskSituation;
  readonly text: TextSituation;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Judgement {
  /** Undefined: refused, or withheld. */
  readonly effect: Exclude<InvariantEffect, "offer"> | undefined;
  /** Undefined: not judged. */
  readonly grounded: boolean | undefined;
}

const REFUSED: Judgement = { effect: undefined, grounded: undefined };

function factsOf({ tool, caller, task, text }: Omit<CallSituation, "arguments">): Facts {
  const { after } = tool.traits;
  return {
    now: 0,
    ...caller,
    ...task,
    ...text.facts,
    changedDefinitions: new Set(),
    // Every demanded earlier call has been made, and no forbidden one.
    history: after.length === 0 ? undefined : { succeeded: after.flatMap((one) => namesFor(tool, one)), read: [] },
  };
}

/** A tool of the policy that the selector means; unmet if there is none. */
function namesFor({ policy }: ToolKind, selector: string): readonly string[] {
  if (policy.tools.has(selector)) return [selector];
  return selector.includes("*") || selector.includes(":") ? [...policy.tools.keys()] : [selector];
}

export function isOffered(situation: Omit<CallSituation, "arguments">, work: WorkBudget): boolean {
  const { policy, traits, definition } = situation.tool;
  return foldRules(rules, { policy, facts: factsOf(situation), traits, definition, work }).effect !== "deny";
}

/** The same rules judge the offer and the call, so an offer of this tool alone is enough. */
export function judgeSituation(situation: CallSituation): Judgement {
  const { definition } = situation.tool;
  return vetted(situation, { offered: [definition], withheld: [], callable: new Set([definition.name]) });
}

/** With the offer as a turn makes it: a shortcut must not cause a counterexample. */
export function isConfirmed(situation: CallSituation, effects: ReadonlySet<InvariantEffect>): boolean {
  const { policy, definition } = situation.tool;
  const offer = offerTools(policy, factsOf(situation), [definition], workBudget());
  if (!offer.callable.has(definition.name)) return false;
  const { effect } = vetted(situation, offer);
  return effects.has("offer") || (effect !== undefined && effects.has(effect));
}

/** A first use and a call that needs an approval count as `confirm`, even if an earlier consent or grant answers it. */
function vetted(situation: CallSituation, offer: Offer): Judgement {
  const { policy, definition } = situation.tool;
  const call = { id: "call_1", tool: definition.name, arguments: situation.arguments };
  const pure = vetCall(policy, factsOf(situation), offer, call, workBudget());
  if (pure.effect === "deny") return REFUSED;
  const { effect, reasons } = addVerdicts(
    pure,
    countedVerdicts(call.tool, pure.counted, {
      now: 0,
      windows: pure.counted.windows.map(() => ({ used: 0, freesAt: 0 })),
      limits: (pure.counted.limits ?? []).map(() => 0),
      gateOpen: false,
      softUses: 0,
      askable: true,
      granted: false,
    }),
  );
  if (effect === "deny") return REFUSED;
  const isJudged = situation.text.trust === "untrusted";
  return { effect, grounded: isJudged ? !reasons.some(({ code }) => code === "argument_untrusted") : undefined };
}
