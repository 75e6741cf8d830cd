/** Warnings about intents: how they are detected, what their families demand, and whether the system can act first. Pure. */
import { mayBeNamed } from "../../../intent/entities/fill-arguments.ts";
import { foldWords } from "../../../intent/lexical/fold.ts";
import { valueAt } from "../../../lib/json/json-value.ts";
import { canDetect } from "../../handshake.ts";
import { effectiveIntents, guardedDetection } from "../../intent-guard/effective-intents.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { builtInEntities } from "../entity-parts.ts";
import type { IssuePath, WarningCheck, WarningFinding } from "../policy-issue.ts";
import { parametersOf } from "./declared-arguments.ts";
import { someOf } from "./tool-warnings.ts";

type Intent = PolicyDocument["intents"][string];
type Execution = Pick<PolicyDocument["execution"], "strategy" | "systemFirstShare">;

/** `mustMatchDetected` is written down, and there is nothing that could match. */
export const warnDetection: WarningCheck = (document, input) => {
  const path = ["handshake", "mustMatchDetected"];
  const isInForce =
    document.handshake.mustMatchDetected === "never" ||
    canDetect(guardedDetection(document).layers, Object.values(effectiveIntents(document)));
  const text = "is not in force: no layer has words to detect an intent by, so the handshake may select any intent";
  return [["detection_without_words", path, valueAt(input, path) !== undefined && !isInForce && text]];
};

/** Words for a layer that the policy does not use. */
export const warnLayers: WarningCheck = ({ detection, intents }) =>
  (["keywords", "patterns"] as const).map((layer): WarningFinding => {
    const isUnused = !detection.layers.includes(layer) && Object.values(intents).some((one) => one[layer].length > 0);
    const text = `does not list \`${layer}\`, so the ${layer} of intents have no effect`;
    return ["layer_not_asked", ["detection", "layers"], isUnused && text];
  });

/** Shared keywords are allowed, since an author may mean them: both intents are found, and their tools united. */
export const warnKeywords: WarningCheck = ({ intents }) => {
  const owners = new Map<string, string>();
  return Object.entries(intents).flatMap(([name, { keywords }]) =>
    keywords.map((keyword, index): WarningFinding => {
      const { exact } = foldWords(keyword);
      const path = ["intents", name, "keywords", index];
      if (exact === "") return ["keyword_empty", path, "holds nothing that could be found"];
      const owner = owners.get(exact) ?? name;
      owners.set(exact, owner);
      return ["keyword_shared", path, owner !== name && `is also a keyword of \`${owner}\`: it detects both intents`];
    }),
  );
};

/** A fallback needs no words: it stands for a message in which nothing was found. */
export const warnWordless: WarningCheck = (document) => {
  const { fallback } = guardedDetection(document);
  const intents = effectiveIntents(document);
  return Object.keys(document.intents).map((name): WarningFinding => {
    const { description = "", keywords = [], patterns = [], examples = [] } = intents[name] ?? {};
    const isWordless = description === "" && keywords.length + patterns.length + examples.length === 0;
    const text = "has neither a `description` nor words, so nothing can detect or select it well: add one of them";
    return ["intent_without_words", ["intents", name], isWordless && name !== fallback && text];
  });
};

export const warnGeneralIntent: WarningCheck = (document) => {
  const applies = Object.keys(effectiveIntents(document)).length === 0 && document.handshake.select !== "off";
  const text = "is absent, so there is one intent, `general`, which offers all tools that the mode permits";
  return [["intent_general", ["intents"], applies && text]];
};

/** Settings of families that demand the impossible, or nothing. */
export const warnFamilies: WarningCheck = (document) => {
  const guard = document.intentGuard;
  const ofIntents = Object.entries(effectiveIntents(document)).flatMap(([name, { families }]): WarningFinding[] => {
    const own = Object.hasOwn(document.intents, name) && document.intents[name]?.families !== undefined;
    const guarded = guard?.enabled && Object.hasOwn(guard.intents, name) ? guard.intents[name] : undefined;
    const guardPath = ["intentGuard", "intents", name];
    const rests = guarded && !own && guarded.enabled === undefined && !families?.enabled;
    return [
      ...(families?.enabled ? demandFindings(families, own ? ["intents", name, "families"] : guardPath) : []),
      ["guard_overridden", guardPath, guarded && own && "has no effect: the intent's own `families` replace it"],
      ["guard_not_in_force", guardPath, rests && "is not in force: set `enabled` to true, or to false to confirm it"],
    ];
  });
  const older = guard?.browser && "is the older form, write `intents.browser_access`";
  return [...ofIntents, ["guard_older_form", ["intentGuard", "browser"], older]];
};

function demandFindings(families: NonNullable<Intent["families"]>, path: IssuePath): WarningFinding[] {
  const { requiredSuccessFamilies: required, allowedFamilies, softAllowedFamilies, failTaskIfUnmet } = families;
  return [
    ...required.map((family, index): WarningFinding => {
      const isAllowed = allowedFamilies.includes(family) || softAllowedFamilies.includes(family);
      const text = `\`${family}\` is not allowed, so no tool of it can succeed`;
      return ["family_not_allowed", [...path, "requiredSuccessFamilies", index], !isAllowed && text];
    }),
    [
      "fail_without_required",
      [...path, "failTaskIfUnmet"],
      failTaskIfUnmet && required.length === 0 && "has no effect without `requiredSuccessFamilies`",
    ],
  ];
}

/** With fewer examples the meaning of an intent is a guess; ten are better. */
const ENOUGH_EXAMPLES = 5;

export const warnSemantic: WarningCheck = (document) => {
  const { layers, fallback } = guardedDetection(document);
  if (!layers.includes("semantic")) return [];
  const path = ["detection", "layers"];
  const taught = Object.entries(effectiveIntents(document)).filter(
    ([name, { description, keywords, examples }]) =>
      examples.length > 0 || (name !== fallback && (description !== "" || keywords.length > 0)),
  );
  if (taught.length < 2) {
    const text = "the layer `semantic` has nothing to compare: give `examples` to at least two intents";
    return [["semantic_untaught", path, text]];
  }
  const poor = taught.filter(([, { examples }]) => examples.length < ENOUGH_EXAMPLES).map(([name]) => name);
  const text = `the layer \`semantic\` has little to learn from: fewer than ${ENOUGH_EXAMPLES} examples in ${someOf(poor)}`;
  return [["semantic_few_examples", path, poor.length > 0 && text]];
};

/** System-first execution that is set, and can never apply. */
export const warnSystemFirst: WarningCheck = (document) => {
  const { execution, handshake, intents } = document;
  const selects = handshake.select !== "model";
  const warnings: WarningFinding[] = [whenMissing(execution, ["execution"])];
  let applies = false;
  for (const [name, intent] of Object.entries(intents)) {
    const path = ["intents", name];
    warnings.push(whenMissing(intent.execution ?? {}, [...path, "execution"]));
    if (!isSystemFirst({ ...execution, ...intent.execution })) continue;
    const obstacle = selects ? obstacleOf(document, intent) : ONLY_THE_MODEL;
    if (obstacle === undefined) applies = true;
    else if (intent.execution && isSystemFirst({ strategy: "llm_first", systemFirstShare: 0, ...intent.execution }))
      warnings.push(["system_first_never", [...path, "execution"], `can never apply: ${obstacle}`]);
    else if (selects && intent.primaryTool !== undefined)
      warnings.push(["system_first_never", [...path, "primaryTool"], `the system never calls it first: ${obstacle}`]);
  }
  const setting = execution.strategy === "system_first" ? "strategy" : "systemFirstShare";
  const why = selects ? "no intent has a `primaryTool` that the system could call" : ONLY_THE_MODEL;
  const never = !applies && isSystemFirst(execution) && `can never apply: ${why}`;
  return [...warnings, ["system_first_never", ["execution", setting], never]];
};

const ONLY_THE_MODEL = "with `handshake.select` `model` no message selects an intent by itself";

const whenMissing = (execution: NonNullable<Intent["execution"]>, path: IssuePath): WarningFinding => {
  const text = "has no effect: where arguments are missing, the model goes on; remove the setting";
  return ["setting_without_effect", [...path, "whenMissing"], execution.whenMissing !== undefined && text];
};

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
