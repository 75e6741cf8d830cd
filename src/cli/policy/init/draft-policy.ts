/**
 * A policy drafted from a list of tools: a document and, beside it, the reason of each guess. Pure.
 * It is a proposal. Whoever puts it in force reads the comments and corrects what the words of the tools do not tell.
 */
import { argumentEvidence, argumentsOf } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { familyOfNoun } from "../../../policy/infer/nouns.ts";
import { mcpToolName } from "../../../policy/mcp-tools.ts";
import { amountLimitLines } from "./amount-limits.ts";
import { type AuthorityArgument, authorityArguments, statedArguments } from "./authority-arguments.ts";
import { type DraftIntent, type DraftTool, draftIntents } from "./draft-intents.ts";
import type { Comments } from "./jsonc-text.ts";
import { findsOwnRecords, type KeptRecords, keptRecords } from "./kept-records.ts";
import { type DraftedSettings, idFields, readerSettings, type Settings } from "./reader-settings.ts";
import { withFamilies } from "./tool-families.ts";

interface DraftPolicy {
  readonly document: Settings;
  readonly comments: Comments;
}

/** Uses of a tool, an hour and a user: above what a busy person asks for, below what a runaway model does. */
const LIMIT = 120;
/** Of what pays, gives access, destroys or runs something. */
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
 * The examples of a draft are alike. So the layer that learns from them sets its own bar higher than other people's sentences reach; at
 * this one it still hears less that nobody wanted than patterns alone do (`drafted-wishes.test.ts`).
 */
const SELECT_AT = 0.6;

const DETECTION_COMMENT =
  "`semantic` learns from the examples, in English, German, Spanish, Chinese and Japanese; they are general ones: replace those of an intent with what your users write";

/** @param server runs the tools, where the gateway can reach it; absent: the client runs them. */
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
  const settings = tools.map((tool): [string, Settings] => {
    const { values, reasons, advice = [] } = settingsOf(tool, kept);
    // What happens first, then whose it is, then the words that say so.
    const why = `because ${tool.inferred.reasons.join("; ")}`;
    comments.set(`/tools/${tool.inferred.name}`, [...reasons, why, ...advice]);
    const limits = amountLimitLines(tool.words, tool.inferred);
    if (limits.length > 0) comments.set(`/tools/${tool.inferred.name}/category`, limits);
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
  return { document, comments };
}

function handshakeName(names: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!names.has(`select_intent_${number}`)) return `select_intent_${number}`;
}

function familiesOf(tools: readonly DraftTool[]): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>();
  for (const { family, inferred } of tools) families.set(family, [...(families.get(family) ?? []), inferred.name]);
  return families;
}

function settingsOf(tool: DraftTool, kept: KeptRecords): DraftedSettings {
  const { words, inferred, family } = tool;
  const { category } = inferred;
  const secrets = argumentsOf(words.parameters).flatMap(({ name }) => (SECRET.test(name) ? [name] : []));
  const redact = secrets.length > 0 ? { redact: secrets } : {};
  const drafted =
    category === "read_only"
      ? readerSettings(words, inferred, { family, isOwn: findsOwnRecords(tool, kept) })
      : actorSettings(words, inferred);
  const closed = closedToGuests(tool, kept);
  return {
    ...drafted,
    values: { category, ...(closed ? { roles: KNOWN_CALLERS } : {}), ...drafted.values, ...redact },
    reasons: [
      ...(category === "read_only" ? ["runs unasked: it only reads"] : []),
      ...drafted.reasons,
      ...(closed ? [`not for guests (${closed})`] : []),
    ],
  };
}

/**
 * Why a guest may not have it done, asked or not: a guest is whoever writes. Undefined for what only looks up what anybody may know: not
 * what the same server writes, and not what its description alone names.
 */
function closedToGuests({ words, inferred, family }: DraftTool, kept: KeptRecords): string | undefined {
  const { effect, effects, nouns } = inferred;
  const grave = GRAVE.find((one) => effects.has(one));
  if (grave !== undefined) return grave;
  if (effect !== "read" && effect !== "reach") return effect;
  const acts = [...effects].find((one) => one !== "read" && one !== "reach");
  if (acts !== undefined) return acts;
  if (LETTERS.has(family)) return "it reads mail or messages";
  if (PEOPLE.has(family) || nouns.some((noun) => PERSONS.has(noun))) return "it reads records of people";
  const named = nameWords(words.name).map(singular);
  const isNamed = named.some((word) => familyOfNoun(word) === family) && !named.some((word) => OWN.has(word));
  return PUBLIC.has(family) && isNamed && !kept.families.has(family)
    ? undefined
    : "nothing says that anybody may read it; if so, remove `roles`";
}
/** Whose it is. */
const OWN: ReadonlySet<string> = new Set(["my", "me", "our", "own"]);
/** Named before the effect that a tool is called after. */
const GRAVE: readonly InferredEffect[] = ["destroy", "pay", "commit", "access", "execute"];
/** Families that hold what people wrote to one another. */
const LETTERS: ReadonlySet<string> = new Set(["email", "message"]);
/** Families of records about people. */
const PEOPLE: ReadonlySet<string> = new Set(["patient", "customer", "contact", "account"]);
const PERSONS: ReadonlySet<string> = new Set(
  "student pupil tenant resident applicant candidate donor client employee guest passenger owner".split(" "),
);
/** Families of what anybody may know. */
const PUBLIC: ReadonlySet<string> = new Set(
  "product review hotel flight restaurant ride web post weather time rate music video stock".split(" "),
);
/** The roles of a policy that lists none, but for the weakest. */
const KNOWN_CALLERS = ["user", "premium", "admin"];

const SECRET = /(?:password|passcode|secret|token|api_?key|pin|cvv|card_?number)$/i;

/** Verbs that run something of the operator's own: `restart_service(service)`, `start_vacuum(room)`. */
const OPERATES: ReadonlySet<string> = new Set("start launch restart reboot deploy shutdown kill rollback".split(" "));

/** Runs what an argument says: a command, code, a query. */
function runsGiven({ name, parameters }: ToolWords, effects: ReadonlySet<InferredEffect>): boolean {
  if (!effects.has("execute")) return false;
  const takesCode = argumentEvidence(parameters, { isReader: false, believesChoices: true }).some(
    ({ effect }) => effect === "execute",
  );
  return takesCode || !OPERATES.has(nameWords(name)[0] ?? "");
}

/** What acts: asks where what it acts on is not the user's own choice; always, where nothing tells what it acts on. */
function actorSettings(words: ToolWords, inferred: InferredTool): DraftedSettings {
  const { effect, effects, category, reasons, nouns } = inferred;
  // Its verb is none that asks for an object; what destroys must say what, and it says so in an id or a path.
  const destroysMore = effects.has("destroy") && effect !== "send" && !effects.has("pay") && !effects.has("execute");
  const authority = authorityArguments(words, category, { sends: effect === "send", destroysMore });
  const unknown = reasons.some((reason) => reason.startsWith("no verb"));
  // Mail that a change causes goes to whom the record names; a tool that sends must say to whom.
  const grave =
    (["destroy", "pay", "commit", "access"] as const).find((one) => effects.has(one)) ?? (effect === "send" && effect);
  const because = runsGiven(words, effects)
    ? "asks each time: it runs what it is given"
    : unknown
      ? "asks each time: nothing says what it does"
      : grave && authority.length === 0
        ? `asks each time: no argument says on what it acts (${grave})`
        : undefined;
  if (because !== undefined)
    return {
      values: { confirm: "ask", ...(category === "external" ? { sensitive: true } : {}) },
      reasons: [because],
    };
  const held = [...authority, ...statedArguments(words, inferred)];
  return {
    // The destination of each call is looked at, so its first use needs no consent of its own.
    values: {
      confirm: "ungrounded",
      ...(category === "external" ? { firstTime: false } : {}),
      ...rolesIn(held),
      // What the tool made has an id that its own system gave it; the rest of its result repeats what the model wrote.
      ...(effect === "create" || effect === "note" ? { trusted: idFields(nouns) } : {}),
    },
    reasons: [
      `runs unasked where the user asks for it (${effect}), and asks where what it acts on comes from somebody else's text`,
      ...held.map(heldReason),
    ],
  };
}

const heldReason = ({ key, role, because }: AuthorityArgument): string =>
  role === "amount" ? `\`${key}\` must be what the user says (${because})` : `\`${key}\` is the ${role} (${because})`;

/** Written down so that an operator sees and corrects them; a guess that the policy repeats is the same guess. */
function rolesIn(authority: readonly AuthorityArgument[]): Settings {
  const roles = Object.fromEntries(authority.map(({ key, role }) => [key, { role }]));
  return authority.length > 0 ? { arguments: roles } : {};
}
