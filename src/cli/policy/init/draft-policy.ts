/**
 * A policy drafted from a list of tools: a document and, beside it, the reason of each guess. Pure.
 * It is a proposal. The operator reads the comments, and corrects what the words of the tools do not tell, before it is put in force.
 */
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { mcpToolName } from "../../../policy/mcp-tools.ts";
import { secretFileConditions } from "./act-conditions.ts";
import { actorSettings } from "./actor-settings.ts";
import { isKey } from "./authority-arguments.ts";
import { type DraftIntent, draftIntents } from "./draft-intents.ts";
import { draftSummary } from "./draft-summary.ts";
import { closedToGuests } from "./guest-access.ts";
import type { DraftTool } from "./intent-kinds.ts";
import type { Comments } from "./jsonc-text.ts";
import { findsOwnRecords, type KeptRecords, keptRecords } from "./kept-records.ts";
import { accountArguments, insideArguments } from "./own-arguments.ts";
import { type DraftedSettings, readerSettings, type Settings } from "./reader-settings.ts";
import { withFamilies } from "./tool-families.ts";

interface DraftPolicy {
  readonly document: Settings;
  readonly comments: Comments;
  /** Lines for the head of the file. */
  readonly summary: readonly string[];
}

/** Uses of a tool, an hour and a user: above what a busy person asks for, below what a runaway model does. */
const LIMIT = 120;
/** The same for tools that pay, give access, destroy or run something. */
const GRAVE_LIMIT = 60;
const GRAVE_EFFECTS: readonly InferredEffect[] = ["pay", "access", "destroy", "execute"];

/** Each acting tool has a limit of its own: one that is used up takes no other tool from the user. */
function limitsOf(tools: readonly DraftTool[]): Settings {
  const acting = tools.filter(({ inferred }) => inferred.category !== "read_only");
  const limits = acting.map(({ inferred: { name, effects } }) => {
    const max = GRAVE_EFFECTS.some((effect) => effects.has(effect)) ? GRAVE_LIMIT : LIMIT;
    return [name, [{ max, window: "1h" }]] as const;
  });
  return { ...Object.fromEntries(limits), "category:modification": [{ max: LIMIT, window: "1h" }] };
}

/**
 * The examples of a draft are alike. So the layer that learns from them sets its own bar higher than users' sentences reach. At this bar it
 * still has fewer false detections than patterns alone (`drafted-wishes.test.ts`).
 */
const SELECT_AT = 0.6;

const DETECTION_COMMENT =
  "`semantic` learns from the examples, in English, German, Spanish, Chinese and Japanese; they are general ones: replace those of an intent with what your users write";

/** @param server runs the tools, if the gateway can reach it; absent: the client runs them. */
export function draftPolicy(
  words: readonly ToolWords[],
  name: string,
  server?: { readonly name: string; readonly url: string },
): DraftPolicy {
  const named = server ? words.map((tool) => ({ ...tool, name: mcpToolName(server.name, tool.name) })) : words;
  const tools = withFamilies(named);
  const intents = draftIntents(tools);
  const comments = new Map<string, readonly string[]>();
  const names = new Set(tools.map((tool) => tool.inferred.name));
  const kept = keptRecords(tools);
  const list: ListFacts = {
    ...{ kept, closed: closedToGuests(tools, kept), accounts: accountArguments(tools.map((tool) => tool.words)) },
    hasKeys: tools.some(({ words }) => argumentsOf(words.parameters).some(({ name }) => isKey(name))),
  };
  const settings = tools.map((tool): [string, Settings] => {
    const { values, reasons, advice = [] } = settingsOf(tool, list);
    // First the effect of the settings, then the reasons of the guess, then advice.
    const why = `because ${tool.inferred.reasons.join("; ")}`;
    comments.set(`/tools/${tool.inferred.name}`, [...reasons, why, ...advice]);
    return [tool.inferred.name, values];
  });
  for (const { name, why } of intents) comments.set(`/intents/${name}`, [why]);
  comments.set("/mcpServers", [
    "the gateway runs these; add `headers` with `{{secret.NAME}}` where the server wants a key",
  ]);
  comments.set("/unlistedTools", ["a tool that is not below is asked about"]);
  comments.set("/rateLimits", [
    "for each user and each tool; `category:modification` is for tools that are not listed here, which share it",
  ]);
  // The trained layer tells intents apart: there must be two.
  const learns = intents.length > 1;
  const handshake = {
    ...(names.has("select_intent") ? { tool: handshakeName(names) } : {}),
    ...(learns ? { selectAt: SELECT_AT } : {}),
  };
  if (learns) comments.set("/detection", [DETECTION_COMMENT]);
  const document = {
    name,
    ...(Object.keys(handshake).length > 0 ? { handshake } : {}),
    ...(server ? { mcpServers: { [server.name]: { url: server.url, tools: words.map((tool) => tool.name) } } } : {}),
    families: Object.fromEntries(familiesOf(tools)),
    tools: Object.fromEntries(settings),
    unlistedTools: "modification",
    rateLimits: limitsOf(tools),
    intents: Object.fromEntries(intents.map(({ name, settings }: DraftIntent) => [name, settings])),
    detection: {
      layers: ["keywords", "patterns", ...(learns ? ["semantic"] : [])],
      ...(learns ? { firmPatterns: true } : {}),
    },
  };
  return { document, comments, summary: draftSummary(tools, new Map(settings)) };
}

function handshakeName(names: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!names.has(`select_intent_${number}`)) return `select_intent_${number}`;
}

function familiesOf(tools: readonly DraftTool[]): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>();
  for (const { family, inferred } of tools) families.set(family, [...(families.get(family) ?? []), inferred.name]);
  return families;
}

interface ListFacts {
  readonly kept: KeptRecords;
  readonly closed: ReadonlyMap<string, string>;
  readonly accounts: ReadonlySet<string>;
  /** Its records have keys that people use, such as `WEB-412`. */
  readonly hasKeys: boolean;
}

function settingsOf(tool: DraftTool, { kept, closed: closedTools, accounts, hasKeys }: ListFacts): DraftedSettings {
  const { words, inferred, family } = tool;
  const { category } = inferred;
  const secrets = argumentsOf(words.parameters).flatMap(({ name }) => (SECRET.test(name) ? [name] : []));
  const redact = secrets.length > 0 ? { redact: secrets } : {};
  const drafted =
    category === "read_only"
      ? readerSettings(words, inferred, { family, isOwn: findsOwnRecords(tool, kept), hasKeys })
      : actorSettings(words, inferred, accounts);
  const closed = closedTools.get(inferred.name);
  const reads = category === "read_only";
  const inside = reads ? insideArguments(words) : {};
  const secretFiles = reads ? secretFileConditions(words, family) : [];
  return {
    ...drafted,
    values: {
      category,
      ...(closed ? { roles: KNOWN_CALLERS } : {}),
      ...drafted.values,
      ...redact,
      ...(Object.keys(inside).length > 0 ? { arguments: inside } : {}),
      ...(secretFiles.length > 0 ? { conditions: secretFiles } : {}),
    },
    reasons: [
      ...(reads ? ["runs unasked: it only reads"] : []),
      ...secretFiles.map(({ say }) => `asks each time where a call has ${say}`),
      ...drafted.reasons,
      ...(closed ? [`not for guests (${closed})`] : []),
    ],
  };
}

/** The roles of a policy that lists none, but for the weakest. */
const KNOWN_CALLERS = ["user", "premium", "admin"];

const SECRET = /(?:password|passcode|secret|token|api_?key|pin|cvv|card_?number)$/i;
