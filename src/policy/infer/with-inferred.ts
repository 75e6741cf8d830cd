/**
 * `unlistedTools: "infer"`: the categories of the unlisted tools of a request, inferred as in `infer-tool.ts`. Pure.
 *
 * The client, or the author of an MCP server that the client has linked, writes every word that is read here. So a word may always tighten,
 * and loosens only one thing:
 *  - If a tool's name and description both say that it reads, and no other evidence contradicts them, the demands of `read_only` apply: its
 *    calls run without a question. To all others the demands of `modification` apply, and to those that reach other people also those of
 *    `external`. There is no `note_taking`: a note takes free text, and only a person can know who gets the text.
 *  - The class stays `destructive`: the tool is offered only under an intent, and a call whose arguments come from untrusted text asks.
 *  - It is never trusted, no directory, not reversible. Selectors that permit (`category:read_only` in a mode or an intent) see it as
 *    `modification`: a name must not open what an operator opened for readers.
 *  - Tools of MCP servers in the policy are not inferred: their servers' hints count, as far as the policy trusts them.
 *  - Two tools of one name, and a tool with an odd name, count as unsure.
 *
 * What remains: an author who lies in every word ("get_weather: Returns the weather", and it posts its argument somewhere) gets a
 * call before untrusted text is there, with what the model writes into its arguments. Operators who cannot accept that list the tools.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { isObject, memberOf } from "../../lib/json/json-value.ts";
import { REQUEST_WORK, type WorkBudget, WorkSpent, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { ToolDefinition } from "../facts.ts";
import type { Category } from "../selectors.ts";
import { inferTool } from "./infer-tool.ts";

const asReader: readonly Category[] = ["read_only"];
const asChange: readonly Category[] = ["modification"];
const asExternal: readonly Category[] = ["modification", "external"];
/** The categories that may be inferred for a tool. */
export const inferredCategories: readonly (readonly Category[])[] = [asReader, asChange, asExternal];

/** The categories whose demands apply, all of them. */
function demandedBy({ name, description, parameters }: ToolDefinition): readonly Category[] {
  if (isTooLong(description ?? "", parameters)) return asExternal;
  const { category, effects, sure } = inferTool({ name, description, parameters });
  const isPlain = /^[\w.-]{1,128}$/.test(name);
  if (category === "read_only" && sure && isPlain && effects.size === 1) return asReader;
  return category === "external" ? asExternal : asChange;
}

/**
 * A text that is not read whole is not believed, and a request full of such texts would block the isolate.
 */
const MAX_DESCRIPTION = 1_000;
const MAX_ARGUMENTS = 40;

function isTooLong(description: string, parameters: unknown): boolean {
  const properties = memberOf(parameters, "properties");
  return (
    description.length > MAX_DESCRIPTION || (isObject(properties) && Object.keys(properties).length > MAX_ARGUMENTS)
  );
}

/** A definition costs 0.1 ms. Those beyond the budget of a request ask this time; the next request finds the others here. */
const known = boundedCache<readonly Category[]>({ maxBytes: CACHE_BYTES.inferredTools });

/** The caches of a policy are kept by the object: a frontend that sends the same tools again must get the same one. */
const derived = new WeakMap<CompiledPolicy, Map<string, CompiledPolicy>>();
const MAX_DERIVED = 32;

/** @returns the policy with `inferred`; the same object if it infers nothing, and for the same tools. */
export function withInferred(policy: CompiledPolicy, definitions: readonly ToolDefinition[]): CompiledPolicy {
  if (!policy.infersUnlisted) return policy;
  const inferred = new Map<string, readonly Category[]>();
  const work = workBudget(2 * REQUEST_WORK);
  for (const definition of definitions) {
    const { name } = definition;
    if (policy.tools.has(name) || policy.discovered?.has(name)) continue;
    inferred.set(name, inferred.has(name) ? asExternal : cached(definition, work));
  }
  const key = JSON.stringify([...inferred].sort(([one], [other]) => (one < other ? -1 : 1)));
  const ofPolicy = derived.get(policy) ?? new Map<string, CompiledPolicy>();
  derived.set(policy, ofPolicy);
  const found = ofPolicy.get(key) ?? { ...policy, inferred };
  ofPolicy.delete(key);
  ofPolicy.set(key, found);
  for (const oldest of ofPolicy.keys()) {
    if (ofPolicy.size <= MAX_DERIVED) break;
    ofPolicy.delete(oldest);
  }
  return found;
}

function cached(definition: ToolDefinition, work: WorkBudget): readonly Category[] {
  const key = JSON.stringify([definition.name, definition.description, definition.parameters]);
  const before = known.get(key);
  if (before) return before;
  try {
    work.spend(500 + 4 * key.length);
  } catch (error) {
    if (error instanceof WorkSpent) return asExternal;
    throw error;
  }
  const demanded = demandedBy(definition);
  known.set(key, demanded, 50);
  return demanded;
}
