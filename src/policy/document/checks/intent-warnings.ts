/** Warnings about intents: how they are detected, what their families demand, and whether the system can act first. Pure. */
import { mayBeNamed } from "../../../intent/entities/fill-arguments.ts";
import { foldWords } from "../../../intent/lexical/fold.ts";
import { valueAt } from "../../../lib/json/json-value.ts";
import { canDetect } from "../../handshake.ts";
import { effectiveIntents, guardedDetection } from "../../intent-guard/effective-intents.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { builtInEntities } from "../entity-parts.ts";
import type { IssuePath, Warnings } from "../policy-issue.ts";
import { parametersOf } from "./declared-arguments.ts";
import { someOf } from "./tool-warnings.ts";

type Intent = PolicyDocument["intents"][string];
type Execution = Pick<PolicyDocument["execution"], "strategy" | "systemFirstShare">;

/** `mustMatchDetected` is set, and there is nothing that could match. */
export function* warnDetection(document: PolicyDocument, input: unknown): Warnings {
  const path = ["handshake", "mustMatchDetected"];
  const isInForce =
    document.handshake.mustMatchDetected === "never" ||
    canDetect(guardedDetection(document).layers, Object.values(effectiveIntents(document)));
  const text = "is not in force: no layer has words to detect an intent by, so the handshake may select any intent";
  yield ["detection_without_words", path, valueAt(input, path) !== undefined && !isInForce && text];
}

/** Words for a layer that the policy does not use. */
export function* warnLayers({ detection, intents }: PolicyDocument): Warnings {
  for (const layer of ["keywords", "patterns"] as const) {
    const isUnused = !detection.layers.includes(layer) && Object.values(intents).some((one) => one[layer].length > 0);
    const text = `does not list \`${layer}\`, so the ${layer} of intents have no effect`;
    yield ["layer_not_asked", ["detection", "layers"], isUnused && text];
  }
}

/** Shared keywords are allowed, since an author may mean them: both intents are found, and their tools united. */
export function* warnKeywords({ intents }: PolicyDocument): Warnings {
  const owners = new Map<string, string>();
  for (const [name, { keywords }] of Object.entries(intents))
    for (const [index, keyword] of keywords.entries()) {
      const path = ["intents", name, "keywords", index];
      const { exact } = foldWords(keyword);
      const owner = owners.get(exact) ?? name;
      if (exact === "") yield ["keyword_empty", path, "holds nothing that could be found"];
      else owners.set(exact, owner);
      yield ["keyword_shared", path, owner !== name && `is also a keyword of \`${owner}\`: it detects both intents`];
    }
}

/** A fallback needs no words: it represents a message in which nothing was found. */
export function* warnWordless(document: PolicyDocument): Warnings {
  const { fallback } = guardedDetection(document);
  const intents = effectiveIntents(document);
  for (const name of Object.keys(document.intents)) {
    const { description = "", keywords = [], patterns = [], examples = [] } = intents[name] ?? {};
    const isWordless = description === "" && keywords.length + patterns.length + examples.length === 0;
    const text = "has neither a `description` nor words, so nothing can detect or select it well: add one of them";
    yield ["intent_without_words", ["intents", name], isWordless && name !== fallback && text];
  }
}

export function* warnGeneralIntent(document: PolicyDocument): Warnings {
  const applies = Object.keys(effectiveIntents(document)).length === 0 && document.handshake.select !== "off";
  const text = "is absent, so there is one intent, `general`, which offers all tools that the mode permits";
  yield ["intent_general", ["intents"], applies && text];
}

/** Settings of families that demand the impossible, or nothing. */
export function* warnFamilies(document: PolicyDocument): Warnings {
  const guard = document.intentGuard;
  yield [
    "guard_older_form",
    ["intentGuard", "browser"],
    guard?.browser && "is the older form, write `intents.browser_access`",
  ];
  for (const [name, { families }] of Object.entries(effectiveIntents(document))) {
    const own = Object.hasOwn(document.intents, name) && document.intents[name]?.families !== undefined;
    const guarded = guard?.enabled && Object.hasOwn(guard.intents, name) ? guard.intents[name] : undefined;
    const path = ["intentGuard", "intents", name];
    if (families?.enabled) yield* warnDemands(families, own ? ["intents", name, "families"] : path);
    yield ["guard_overridden", path, guarded && own && "has no effect: the intent's own `families` replace it"];
    const rests = guarded && !own && guarded.enabled === undefined && !families?.enabled;
    yield ["guard_not_in_force", path, rests && "is not in force: set `enabled` to true, or to false to confirm it"];
  }
}

function* warnDemands(families: NonNullable<Intent["families"]>, path: IssuePath): Warnings {
  const { requiredSuccessFamilies: required, allowedFamilies, softAllowedFamilies, failTaskIfUnmet } = families;
  for (const [index, family] of required.entries()) {
    const isAllowed = allowedFamilies.includes(family) || softAllowedFamilies.includes(family);
    const text = `\`${family}\` is not allowed, so no tool of it can succeed`;
    yield ["family_not_allowed", [...path, "requiredSuccessFamilies", index], !isAllowed && text];
  }
  const isIdle = failTaskIfUnmet && required.length === 0;
  const text = "has no effect without `requiredSuccessFamilies`";
  yield ["fail_without_required", [...path, "failTaskIfUnmet"], isIdle && text];
}

/** With fewer examples the meaning of an intent is a guess; ten are better. */
const ENOUGH_EXAMPLES = 5;

export function* warnSemantic(document: PolicyDocument): Warnings {
  const { layers, fallback } = guardedDetection(document);
  if (!layers.includes("semantic")) return;
  const path = ["detection", "layers"];
  const taught = Object.entries(effectiveIntents(document)).filter(
    ([name, { description, keywords, examples }]) =>
      examples.length > 0 || (name !== fallback && (description !== "" || keywords.length > 0)),
  );
  const poor = taught.filter(([, { examples }]) => examples.length < ENOUGH_EXAMPLES).map(([name]) => name);
  if (taught.length < 2) {
    const text = "the layer `semantic` has nothing to compare: give `examples` to at least two intents";
    yield ["semantic_untaught", path, text];
  } else if (poor.length > 0) {
    const text = `the layer \`semantic\` has little to learn from: fewer than ${ENOUGH_EXAMPLES} examples in ${someOf(poor)}`;
    yield ["semantic_few_examples", path, text];
  }
}

/** System-first execution that is set, and can never apply. */
export function* warnSystemFirst(document: PolicyDocument): Warnings {
  const { execution, handshake, intents } = document;
  const selects = handshake.select !== "model";
  let applies = false;
  for (const [name, intent] of Object.entries(intents)) {
    const path = ["intents", name];
    if (!isSystemFirst({ ...execution, ...intent.execution })) continue;
    const obstacle = selects ? obstacleOf(document, intent) : ONLY_THE_MODEL;
    if (obstacle === undefined) applies = true;
    else if (intent.execution && isSystemFirst({ strategy: "llm_first", systemFirstShare: 0, ...intent.execution }))
      yield ["system_first_never", [...path, "execution"], `can never apply: ${obstacle}`];
    else if (selects && intent.primaryTool !== undefined)
      yield ["system_first_never", [...path, "primaryTool"], `the system never calls it first: ${obstacle}`];
  }
  const setting = execution.strategy === "system_first" ? "strategy" : "systemFirstShare";
  const why = selects ? "no intent has a `primaryTool` that the system could call" : ONLY_THE_MODEL;
  yield [
    "system_first_never",
    ["execution", setting],
    !applies && isSystemFirst(execution) && `can never apply: ${why}`,
  ];
}

const ONLY_THE_MODEL = "with `handshake.select` `model` no message selects an intent by itself";

/** Whether the system may act first for some users. */
export const isSystemFirst = ({ strategy, systemFirstShare }: Execution): boolean =>
  strategy === "system_first" || systemFirstShare > 0;

/** Whether the gateway runs the tool, as far as the document says: only the server knows which tools it has. */
export function isManaged({ tools, mcpServers }: PolicyDocument, name: string): boolean {
  if (Object.hasOwn(tools, name) && tools[name]?.run !== undefined) return true;
  return Object.keys(mcpServers).some((server) => name.startsWith(mcpToolName(server, "")));
}

function obstacleOf(document: PolicyDocument, { primaryTool: tool }: Intent): string | undefined {
  if (tool === undefined) return "the intent has no `primaryTool`";
  if (!isManaged(document, tool)) return `only the client runs \`${tool}\`: it has no \`run\` and no MCP server has it`;
  const settings = Object.hasOwn(document.tools, tool) ? document.tools[tool] : undefined;
  const schema = settings && parametersOf(tool, settings);
  const required: readonly unknown[] = schema && Array.isArray(schema.required) ? schema.required : [];
  const entities = [...Object.keys(document.entities), ...builtInEntities];
  const unnamed = required.find((name) => typeof name === "string" && !mayBeNamed(schema, name, entities));
  return unnamed === undefined ? undefined : `no entity gives \`${unnamed}\`, which \`${tool}\` requires: add one`;
}
