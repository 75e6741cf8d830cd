/**
 * All intents of a document: its own, and with `intentGuard` the built-in ones. Pure. Source: reference/intent-guard.md (3.1, 5, 9).
 * `intents.X` wins over `intentGuard.intents.X`, and both win over the built-in intent X. A list (`keywords`, `patterns`,
 * `examples`) that the document fills replaces the built-in list.
 */
import type { PolicyDocument } from "../document/document-schema.ts";
import { type BuiltInIntent, builtInIntents } from "./built-in-intents.ts";
import { type FamilySettings, familySettings, type IntentGuard } from "./guard-schema.ts";

type Intents = PolicyDocument["intents"];
type Intent = Intents[string];

type Source = Pick<PolicyDocument, "intents" | "intentGuard">;

/** The document's own first, in its order. */
export function effectiveIntents(document: Source): Intents {
  const { intents, intentGuard } = document;
  if (!intentGuard?.enabled) return intents;
  const names = new Set([...Object.keys(intents), ...builtInIntents.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const intent = effectiveIntent(document, name);
      return intent ? [[name, intent]] : [];
    }),
  );
}

export function effectiveIntent({ intents, intentGuard }: Source, name: string): Intent | undefined {
  const own = Object.hasOwn(intents, name) ? intents[name] : undefined;
  if (!intentGuard?.enabled) return own;
  const builtIn = builtInIntents.get(name);
  return own || builtIn ? merge(own, builtIn, guardedFamilies(name, intentGuard)) : undefined;
}

/** The settings of `intentGuard` for one intent. The newer form wins over the older, setting by setting. */
function guardedFamilies(name: string, guard: IntentGuard): FamilySettings | undefined {
  const newer = Object.hasOwn(guard.intents, name) ? guard.intents[name] : undefined;
  const older = name === "browser_access" ? guard.browser : undefined;
  const builtIn = builtInIntents.get(name)?.families;
  if (!newer && !older && !builtIn) return undefined;
  const softBlockAfter = guard.softBlockAfter === undefined ? {} : { softBlockAfter: guard.softBlockAfter };
  return familySettings().parse({ enabled: false, ...builtIn, ...softBlockAfter, ...older, ...newer });
}

function merge(
  own: Intent | undefined,
  builtIn: BuiltInIntent | undefined,
  families: FamilySettings | undefined,
): Intent {
  const list = (field: "keywords" | "patterns" | "examples"): string[] =>
    own && own[field].length > 0 ? own[field] : [...(builtIn?.phrases[field] ?? [])];
  return {
    ...own,
    description: own?.description || (builtIn?.description ?? ""),
    keywords: list("keywords"),
    patterns: list("patterns"),
    examples: list("examples"),
    entities: own?.entities ?? [],
    families: own?.families ?? families,
  };
}

/** With `detector: "model"` the model detects last, and if nothing is found, the intent is `general`. */
export function guardedDetection({ detection, intentGuard }: PolicyDocument): PolicyDocument["detection"] {
  if (!intentGuard?.enabled) return detection;
  const asksModel = intentGuard.detector === "model" && !detection.layers.includes("model");
  return {
    ...detection,
    layers: asksModel ? [...detection.layers, "model"] : detection.layers,
    fallback: detection.fallback ?? "general",
  };
}
