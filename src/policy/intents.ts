/** Intents, and what the held ones permit. Pure. Source: reference/intent-detection-and-safe-tools.md, intent-guard.md. */

import type { CompiledPolicy } from "./compile.ts";
import type { PolicyDocument } from "./document/document-schema.ts";
import type { FamilySettings } from "./intent-guard/guard-schema.ts";
import { compileSelectors, type Selectable, type SelectorSet } from "./selectors.ts";

type IntentDocument = PolicyDocument["intents"][string];

export interface IntentFamilies extends FamilySettings {
  readonly allowed: ReadonlySet<string>;
  readonly soft: ReadonlySet<string>;
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

export type FamilyAccess = "allowed" | "soft" | "blocked";

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
      ? { ...families, allowed: new Set(families.allowedFamilies), soft: new Set(families.softAllowedFamilies) }
      : undefined,
    primaryTool: intent.primaryTool,
    keywords: intent.keywords,
    patterns: intent.patterns,
    examples: intent.examples,
    entities: intent.entities,
  };
}

/** An allowed family of the tool beats a softly allowed one. A tool without a family is blocked. */
export function familyAccess(intent: CompiledIntent, tool: Selectable): FamilyAccess {
  if (intent.families === undefined) return "allowed";
  let access: FamilyAccess = "blocked";
  for (const family of tool.families) {
    if (intent.families.allowed.has(family)) return "allowed";
    if (intent.families.soft.has(family)) access = "soft";
  }
  return access;
}

export interface PrimaryCall {
  readonly intent: CompiledIntent;
  readonly tool: string;
}

/** @param managed names of the tools that the gateway runs now; undefined where there are none. */
export function primaryCall(
  policy: CompiledPolicy,
  [name, ...others]: readonly string[],
  managed: ReadonlySet<string> | undefined,
): PrimaryCall | undefined {
  if (!managed || name === undefined || others.length > 0) return undefined;
  const intent = policy.intents.get(name);
  const tool = intent?.primaryTool;
  return intent && tool !== undefined && managed.has(tool) ? { intent, tool } : undefined;
}

/** The families that an intent cannot do without: those required, or those allowed where none is. */
export function keyFamilies({ requiredSuccessFamilies, allowedFamilies }: IntentFamilies): readonly string[] {
  return requiredSuccessFamilies.length > 0 ? requiredSuccessFamilies : allowedFamilies;
}
