/** The modes and intents that are added, removed, narrowed or widened, and by which tools and roles. Pure. */
import type { Piecework } from "../../lib/concurrency.ts";
import type { CheckedPolicy } from "../check.ts";
import type { CompiledMode } from "../compile.ts";
import type { PolicyDocument } from "../document/document.ts";
import { builtInIntents } from "../intent-guard/built-in-intents.ts";
import { effectiveIntent } from "../intent-guard/effective-intents.ts";
import { type CompiledIntent, familyAccess } from "../intents.ts";
import { forbiddenBy, permittedBy, type ToolTraits, traitsOf } from "../traits.ts";
import {
  type Change,
  changeOf,
  differingFields,
  gainsAndLosses,
  isEmpty,
  isSameJson,
  type JsonFields,
} from "./json-fields.ts";
import type { Limited } from "./limited.ts";
import { systemFirstView } from "./system-first-view.ts";

export type NamedChange<K extends "mode" | "intent"> = { readonly [name in K]: string } & {
  /** `changed` also where not all tools were compared. */
  readonly change: Change;
  /** Tools and roles (`role:admin`) that it permits from then on, or no longer. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** The settings that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
};

const MAX_NAMES = 100;
/** One tool compared with one entry, a pattern being a quarter of it. Some ten of them take a microsecond. */
const MAX_LOOKS = 1_000_000;

/** How the entries of one kind are compared. */
interface Kind<T> {
  readonly entries: (version: CheckedPolicy) => ReadonlyMap<string, T>;
  readonly view: (version: CheckedPolicy, name: string) => JsonFields;
  readonly permits: (entry: T, tool: ToolTraits) => boolean;
  readonly roles: (entry: T, all: readonly string[]) => ReadonlySet<string>;
  /** Selectors that are tried for each tool. */
  readonly patterns: (entry: T) => number;
}

const intents: Kind<CompiledIntent> = {
  entries: ({ policy }) => policy.intents,
  view: ({ document, policy }, name) => ({
    ...(intentView(document, name) ?? { description: policy.intents.get(name)?.description }),
    ...systemFirstView(document, policy.intents.get(name)),
  }),
  permits: (intent, tool) =>
    (intent.tools === undefined || permittedBy(intent.tools, tool)) && familyAccess(intent, tool) !== "blocked",
  roles: () => new Set(),
  patterns: (intent) => intent.tools?.patterns.length ?? 0,
};

const modes: Kind<CompiledMode> = {
  entries: ({ policy }) => policy.modes,
  // A document without a mode `default` gets this one.
  view: ({ document }, name) =>
    (Object.hasOwn(document.modes, name) ? document.modes[name] : undefined) ?? { allow: ["*"], deny: [] },
  permits: (mode, tool) => permittedBy(mode.allow, tool) && !forbiddenBy(mode.deny, tool),
  roles: (mode, all) => mode.roles ?? new Set(all),
  patterns: (mode) => mode.allow.patterns.length + mode.deny.patterns.length,
};

/** Without the hundreds of built-in phrases, which nobody wrote. */
function intentView(document: PolicyDocument, name: string): JsonFields | undefined {
  const intent = effectiveIntent(document, name);
  const builtIn = document.intentGuard?.enabled ? builtInIntents.get(name)?.phrases : undefined;
  if (!intent || !builtIn) return intent;
  const phrases = new Map<string, unknown>(Object.entries(builtIn));
  return Object.fromEntries(
    Object.entries(intent).filter(([field, value]) => !phrases.has(field) || !isSameJson(value, phrases.get(field))),
  );
}

export const compareIntents = (...compared: Compared) => compareNamed("intent", intents, ...compared);
export const compareModes = (...compared: Compared) => compareNamed("mode", modes, ...compared);

type Compared = [before: CheckedPolicy, after: CheckedPolicy, tools: readonly string[], limited: Limited];

function* compareNamed<K extends "mode" | "intent", T>(
  field: K,
  kind: Kind<T>,
  ...[before, after, all, limited]: Compared
): Piecework<readonly NamedChange<K>[]> {
  const [beforeEntries, afterEntries] = [kind.entries(before), kind.entries(after)];
  const entries = [...beforeEntries.values(), ...afterEntries.values()];
  const looks = entries.reduce((sum, entry) => sum + 1 + kind.patterns(entry) / 4, 0);
  const tools = limited.first(all, Math.max(1, Math.floor(MAX_LOOKS / looks)));
  const allRoles = [...new Set([...before.policy.roles, ...after.policy.roles])];
  const toolsOf = ({ policy }: CheckedPolicy, entry: T | undefined) =>
    new Set(entry ? tools.filter((tool) => kind.permits(entry, traitsOf(policy, tool))) : []);
  const rolesOf = (entry: T | undefined) => (entry ? kind.roles(entry, allRoles) : new Set<string>());
  const changes: NamedChange<K>[] = [];
  for (const name of [...new Set([...beforeEntries.keys(), ...afterEntries.keys()])].sort()) {
    const [was, is] = [beforeEntries.get(name), afterEntries.get(name)];
    const fields = differingFields(was ? kind.view(before, name) : {}, is ? kind.view(after, name) : {});
    const ofTools = gainsAndLosses(toolsOf(before, was), toolsOf(after, is));
    const ofRoles = gainsAndLosses(rolesOf(was), rolesOf(is));
    const gained = [...ofTools.gained, ...ofRoles.gained.map((role) => `role:${role}`)];
    const lost = [...ofTools.lost, ...ofRoles.lost.map((role) => `role:${role}`)];
    yield 100 + 2 * tools.length + allRoles.length;
    const isSame = isEmpty(fields.before) && isEmpty(fields.after) && gained.length + lost.length === 0;
    if (was && is && isSame) continue;
    const isCut = was && is && tools.length < all.length;
    const change = isCut ? "changed" : changeOf(was, is, { gained, lost });
    const told = { change, gained: gained.slice(0, MAX_NAMES), lost: lost.slice(0, MAX_NAMES), ...fields };
    changes.push({ [field]: name, ...told } as unknown as NamedChange<K>);
  }
  return changes;
}
