/**
 * The intents that a document has in all: its own, and with `intentGuard` the built-in ones. Pure.
 * Source: reference/intent-guard.md (3.1, 5, 9). What stands in `intents.X` wins over what the guard says of X, and that
 * over what is built in; of `keywords`, `patterns` and `examples` each list that the document fills takes the other's place.
 */
import type { PolicyDocument } from "../document/document-schema.ts";
import { type BuiltInIntent, builtInIntents } from "./built-in-intents.ts";
import type { GuardPolicy, IntentGuard } from "./guard-schema.ts";

type Intents = PolicyDocument["intents"];
type Intent = Intents[string];
type Families = NonNullable<Intent["families"]>;

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
  return own || builtIn ? merge(own, builtIn, guardFamilies(name, intentGuard)) : undefined;
}

/** What the guard says of one intent, the older form included; the newer wins, member by member. */
function guardPolicyOf(name: string, guard: IntentGuard): GuardPolicy | undefined {
  const newer = Object.hasOwn(guard.intents, name) ? guard.intents[name] : undefined;
  const older = name === "browser_access" ? guard.browser : undefined;
  return older || newer ? { ...older, ...given(newer ?? {}) } : undefined;
}

function guardFamilies(name: string, guard: IntentGuard): Families | undefined {
  const said = guardPolicyOf(name, guard);
  const builtIn = builtInIntents.get(name)?.policy;
  if (said === undefined && builtIn === undefined) return undefined;
  const softBlockAfter = said?.softBlockAfter ?? guard.softBlockAfter ?? builtIn?.softBlockAfter ?? 2;
  return { ...nothing, ...copied(builtIn), ...given(said ?? {}), softBlockAfter };
}

const nothing: Families = {
  enabled: false,
  allowedFamilies: [],
  softAllowedFamilies: [],
  softBlockAfter: 2,
  requiredSuccessFamilies: [],
  noFallback: false,
  failTaskIfUnmet: false,
  remind: true,
};

const copied = (policy: BuiltInIntent["policy"] | undefined) =>
  policy && {
    ...policy,
    allowedFamilies: [...policy.allowedFamilies],
    softAllowedFamilies: [...policy.softAllowedFamilies],
    requiredSuccessFamilies: [...policy.requiredSuccessFamilies],
  };

function merge(own: Intent | undefined, builtIn: BuiltInIntent | undefined, families: Families | undefined): Intent {
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

/** A member that is undefined says nothing. */
const given = (policy: GuardPolicy): Partial<Families> =>
  Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
