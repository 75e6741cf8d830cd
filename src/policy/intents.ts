/** Compiled intents, and what they permit. Pure. Source: reference/intent-detection-and-safe-tools.md, intent-guard.md. */

import type { PolicyDocument } from "./document/document-schema.ts";
import type { FamilySettings } from "./intent-guard/guard-schema.ts";
import { compileSelectors, type Selectable, type SelectorSet } from "./selectors.ts";

type Intent = PolicyDocument["intents"][string];

export interface IntentFamilies extends FamilySettings {
  readonly allowed: ReadonlySet<string>;
  readonly soft: ReadonlySet<string>;
}

export interface CompiledIntent extends Omit<Intent, "tools" | "families" | "execution"> {
  readonly name: string;
  /** Absent: not narrowed by tools. Empty: no tools at all. */
  readonly tools?: SelectorSet;
  readonly noTools: boolean;
  /** Present if the document's `families` are enabled. */
  readonly families?: IntentFamilies;
  /** The policy's own, unless the intent sets others. */
  readonly execution: Pick<PolicyDocument["execution"], "strategy" | "systemFirstShare">;
}

export type FamilyAccess = "allowed" | "soft" | "blocked";

const words = { keywords: [], patterns: [], examples: [], entities: [] };
const general: Intent = { description: "work on what the user asks", ...words };

/** By name, in the document's order; only `general`, which narrows nothing, if the document has none. */
export function compileIntents(
  intents: PolicyDocument["intents"],
  { strategy, systemFirstShare }: PolicyDocument["execution"],
): Map<string, CompiledIntent> {
  const entries = Object.entries(Object.keys(intents).length > 0 ? intents : { general });
  return new Map(
    entries.map(([name, { tools, families, execution, ...intent }]) => [
      name,
      {
        ...intent,
        name,
        tools: tools && compileSelectors(tools),
        noTools: tools?.length === 0,
        families: families?.enabled
          ? { ...families, allowed: new Set(families.allowedFamilies), soft: new Set(families.softAllowedFamilies) }
          : undefined,
        execution: { strategy, systemFirstShare, ...execution },
      },
    ]),
  );
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

/** The call that the system could make first for an intent. */
export interface PrimaryCall {
  readonly intent: CompiledIntent;
  readonly tool: string;
}

/** @param managed names of the tools that the gateway runs now; undefined if there are none. */
export function primaryCall(
  intents: ReadonlyMap<string, CompiledIntent>,
  [name, ...others]: readonly string[],
  managed: ReadonlySet<string> | undefined,
): PrimaryCall | undefined {
  if (!managed || name === undefined || others.length > 0) return undefined;
  const intent = intents.get(name);
  const tool = intent?.primaryTool;
  return intent && tool !== undefined && managed.has(tool) ? { intent, tool } : undefined;
}

/** The families that an intent cannot do without: those required, or those allowed if none is required. */
export function keyFamilies({ requiredSuccessFamilies, allowedFamilies }: IntentFamilies): readonly string[] {
  return requiredSuccessFamilies.length > 0 ? requiredSuccessFamilies : allowedFamilies;
}
