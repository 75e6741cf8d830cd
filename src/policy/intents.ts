/** Intents, and what the held ones permit. Pure. Source: reference/intent-detection-and-safe-tools.md, intent-guard.md. */
import type { PolicyDocument } from "./document/document-schema.ts";
import { compileSelectors, type Selectable, type SelectorSet } from "./selectors.ts";

type IntentDocument = PolicyDocument["intents"][string];

export interface IntentFamilies {
  readonly allowed: ReadonlySet<string>;
  readonly soft: ReadonlySet<string>;
  readonly softBlockAfter: number;
  readonly requiredSuccess: readonly string[];
  readonly noFallback: boolean;
  readonly failTaskIfUnmet: boolean;
  /** Whether the model is reminded once before the task fails. */
  readonly remind: boolean;
}

export interface CompiledIntent {
  readonly name: string;
  readonly description: string;
  /** Absent: not narrowed by tools. Empty: no tools at all. */
  readonly tools?: SelectorSet;
  readonly noTools: boolean;
  /** Present where the document's `families` are enabled. */
  readonly families?: IntentFamilies;
  readonly primaryTool?: string;
  readonly keywords: readonly string[];
  readonly patterns: readonly string[];
  readonly examples: readonly string[];
  readonly entities: readonly string[];
  /** The policy's own, where the intent does not say otherwise. */
  readonly execution: Pick<PolicyDocument["execution"], "strategy" | "systemFirstShare">;
}

export type FamilyVerdict = "allowed" | "soft" | "blocked";

/** By name, in the document's order; `general`, which narrows nothing, where the document has none. */
export function compileIntents(
  intents: PolicyDocument["intents"],
  { strategy, systemFirstShare }: PolicyDocument["execution"],
): Map<string, CompiledIntent> {
  const execution = { strategy, systemFirstShare };
  const entries = Object.entries(intents);
  if (entries.length === 0) return new Map([["general", { ...general, execution }]]);
  return new Map(
    entries.map(([name, intent]) => [
      name,
      { ...compileIntent(name, intent), execution: { ...execution, ...intent.execution } },
    ]),
  );
}

const general: Omit<CompiledIntent, "execution"> = {
  name: "general",
  description: "work on what the user asks",
  noTools: false,
  keywords: [],
  patterns: [],
  examples: [],
  entities: [],
};

function compileIntent(name: string, intent: IntentDocument): Omit<CompiledIntent, "execution"> {
  const { families } = intent;
  return {
    name,
    description: intent.description,
    tools: intent.tools && compileSelectors(intent.tools),
    noTools: intent.tools?.length === 0,
    families: families?.enabled
      ? {
          allowed: new Set(families.allowedFamilies),
          soft: new Set(families.softAllowedFamilies),
          softBlockAfter: families.softBlockAfter,
          requiredSuccess: families.requiredSuccessFamilies,
          noFallback: families.noFallback,
          failTaskIfUnmet: families.failTaskIfUnmet,
          remind: families.remind,
        }
      : undefined,
    primaryTool: intent.primaryTool,
    keywords: intent.keywords,
    patterns: intent.patterns,
    examples: intent.examples,
    entities: intent.entities,
  };
}

/** A tool in an allowed and a softly allowed family is allowed; one in no family is blocked. */
export function judgeFamilies(intent: CompiledIntent, tool: Selectable): FamilyVerdict {
  if (intent.families === undefined) return "allowed";
  let verdict: FamilyVerdict = "blocked";
  for (const family of tool.families) {
    if (intent.families.allowed.has(family)) return "allowed";
    if (intent.families.soft.has(family)) verdict = "soft";
  }
  return verdict;
}
