/**
 * A policy drafted from a list of tools: a document and, beside it, the reason of each guess. Pure.
 * It is a proposal. Whoever puts it in force reads the comments and corrects what the words of the tools do not tell.
 */
import { othersTextIn } from "../../../policy/document/checks/trust-warnings.ts";
import { argumentEvidence, argumentsOf } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { type InferredTool, inferTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { familyOfNoun, meansAnother } from "../../../policy/infer/nouns.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import { mcpToolName } from "../../../policy/mcp-tools.ts";
import { type AuthorityArgument, authorityArguments } from "./authority-arguments.ts";
import { type DraftIntent, type DraftTool, draftIntents } from "./draft-intents.ts";

type Settings = Readonly<Record<string, unknown>>;

interface DraftPolicy {
  readonly document: Settings;
  /** Comments by JSON pointer: each stands before the member that it is about. */
  readonly comments: ReadonlyMap<string, string>;
}

/** Uses an hour and a user: above what a person asks for in conversation, below what a runaway model does. */
const LIMITS: Readonly<Record<string, number>> = {
  "category:external": 60,
  "category:modification": 120,
  "category:note_taking": 120,
};

/**
 * The examples of a draft are alike. So the layer that learns from them sets its own bar higher than other people's sentences reach; at
 * this one it still hears less that nobody asked for than patterns alone do (`drafted-wishes.test.ts`).
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
  const comments = new Map<string, string>();
  const names = new Set(tools.map((tool) => tool.inferred.name));
  const settings = tools.map((tool): [string, Settings] => {
    const { values, reasons } = settingsOf(tool);
    comments.set(`/tools/${tool.inferred.name}`, reasons.join("; "));
    return [tool.inferred.name, values];
  });
  for (const { name, why } of intents) comments.set(`/intents/${name}`, why);
  comments.set(
    "/mcpServers",
    "the gateway runs these; add `headers` with `{{secret.NAME}}` where the server wants a key",
  );
  comments.set("/unlistedTools", "a tool that is not below is asked about");
  comments.set("/rateLimits", "for each user; the tools of a category share a limit");
  const used = new Set(settings.map(([, { category }]) => `category:${category}`));
  const limits = Object.entries(LIMITS).filter(([selector]) => used.has(selector));
  // The trained layer tells intents apart: there must be two.
  const learns = intents.length > 1;
  const handshake = {
    ...(names.has("select_intent") ? { tool: handshakeName(names) } : {}),
    ...(learns ? { selectAt: SELECT_AT } : {}),
  };
  if (learns) comments.set("/detection", DETECTION_COMMENT);
  const document = {
    name,
    ...(Object.keys(handshake).length > 0 ? { handshake } : {}),
    ...(server ? { mcpServers: { [server.name]: { url: server.url, tools: words.map((tool) => tool.name) } } } : {}),
    families: Object.fromEntries(familiesOf(tools)),
    tools: Object.fromEntries(settings),
    unlistedTools: "modification",
    rateLimits: Object.fromEntries(limits.map(([selector, max]) => [selector, [{ max, window: "1h" }]])),
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

/** How many words begin all names: those of a toolkit or a server, `slack_post_message`, and no verb. Each name keeps one. */
function sharedWords(names: readonly (readonly string[])[]): number {
  const [first = []] = names;
  const isShared = (word: string, at: number) =>
    verbOf(word) === undefined && names.every((words) => words[at] === word && words.length > at + 1);
  const end = first.findIndex((word, at) => !isShared(word, at));
  return names.length < FEWEST ? 0 : Math.max(0, end);
}
/** Fewer tools may share their object. */
const FEWEST = 3;

/** Of the nouns of a tool the one that most of its neighbours share; known families before all others. */
function withFamilies(named: readonly ToolWords[]): readonly DraftTool[] {
  const shared = sharedWords(named.map(({ name }) => nameWords(name)));
  const inferred = named.map((tool) => {
    const words = shared === 0 ? tool : { ...tool, name: nameWords(tool.name).slice(shared).join("_") };
    return { words, inferred: { ...inferTool(words), name: tool.name } };
  });
  const counts = new Map<string, number>();
  for (const {
    inferred: { nouns },
  } of inferred)
    for (const noun of nouns) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  return inferred.map(({ words, inferred }) => {
    const known = inferred.nouns.find(
      (noun) => familyOfNoun(noun) !== undefined && !meansAnother(noun, inferred.effect),
    );
    const shared = [...inferred.nouns].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0];
    return { words, inferred, family: (known && familyOfNoun(known)) ?? shared ?? "general" };
  });
}

function familiesOf(tools: readonly DraftTool[]): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>();
  for (const { family, inferred } of tools) families.set(family, [...(families.get(family) ?? []), inferred.name]);
  return families;
}

interface DraftedSettings {
  readonly values: Settings;
  readonly reasons: readonly string[];
}

function settingsOf({ words, inferred, family }: DraftTool): DraftedSettings {
  const { category, reasons } = inferred;
  const secrets = argumentsOf(words.parameters).flatMap(({ name }) => (SECRET.test(name) ? [name] : []));
  const redact = secrets.length > 0 ? { redact: secrets } : {};
  const drafted = category === "read_only" ? readerSettings(words, inferred, family) : actorSettings(words, inferred);
  const grave = GRAVE.find((effect) => inferred.effects.has(effect));
  return {
    values: { category, ...(grave ? { roles: KNOWN_CALLERS } : {}), ...drafted.values, ...redact },
    reasons: [
      ...reasons,
      ...drafted.reasons,
      ...(grave ? [`not for guests, whom nobody has identified (${grave})`] : []),
    ],
  };
}

/** What a guest may not have done, asked or not: a guest is whoever writes. */
const GRAVE: readonly InferredEffect[] = ["destroy", "pay", "access", "execute"];
/** The roles of a policy that lists none, but for the weakest. */
const KNOWN_CALLERS = ["user", "premium", "admin"];

const SECRET = /(?:password|passcode|secret|token|api_?key|pin|cvv|card_?number)$/i;

/** Fields of a record that its keeper's system makes up; nobody writes prose into them. */
const RECORD_IDS = ["/*/id", "/*/id_", "/*/*/id"];
const RECORD_FIELDS = [
  ...RECORD_IDS,
  ...["/*_id", "/*Id", "/*/*_id", "/*/*Id", "/*/*/*_id", "/*/*/*Id"],
  ...["amount", "price", "total", "balance", "currency", "date", "status", "quantity", "created_at"].map(
    (field) => `/${field}`,
  ),
];

/** What a system calls the id that it gave: Python writes `id_`, where `id` is taken. */
const idFields = (nouns: readonly string[]): readonly string[] => [
  ...["/id", "/_id", "/id_", "/uuid"],
  ...nouns
    .filter((noun) => /^[a-z]+$/.test(noun))
    .slice(0, 2)
    .flatMap((noun) => [`/${noun}_id`, `/${noun}Id`]),
];

/** The number or code that the keeper of records gives each: `flight_number`. The number of an account or a phone is somebody's. */
const recordNumbers = (nouns: readonly string[]): readonly string[] =>
  nouns
    .slice(0, 2)
    .filter((noun) => /^[a-z]+$/.test(noun) && !SOMEBODYS.has(noun))
    .flatMap((noun) => ["number", "code", "reference"].map((word) => `/${noun}_${word}`));
const SOMEBODYS: ReadonlySet<string> = new Set("account phone card contact member payment transfer user".split(" "));

/** Stores of the user's own, whose system gives each record its id. What a page, a shop or a file's text holds is others' choice. */
const OWN_STORES: ReadonlySet<string> = new Set(["email", "message", "calendar", "file", "note", "task", "issue"]);

/** It returns records, and not the text of one. */
const listsRecords = (name: string): boolean => {
  const words = nameWords(name);
  return (
    words.some((word) => ["list", "search", "find"].includes(word)) || words.some((word) => singular(word) !== word)
  );
};

/** Names of the places of the user's own workspace: who lists them has a list to choose from. */
const PLACES: ReadonlySet<string> = new Set(
  "channel folder calendar label group team workspace project board mailbox playlist collection category notebook".split(
    " ",
  ),
);

/** It lists all of them: `list_channels`, `getAllFolders`, and not `read_channel` or `list_messages_of_channel`. */
function listsPlaces({ name, parameters }: ToolWords): boolean {
  const words = nameWords(name);
  const last = words.at(-1) ?? "";
  return (
    ["list", "get", "show"].includes(words[0] ?? "") &&
    last !== singular(last) &&
    PLACES.has(singular(last)) &&
    argumentsOf(parameters).every(({ required }) => !required)
  );
}

function readerSettings(tool: ToolWords, { origin, nouns }: InferredTool, family: string): DraftedSettings {
  const { name } = tool;
  if (listsPlaces(tool))
    return {
      values: { trusted: ["/*", "/name", ...idFields(nouns), ...RECORD_IDS] },
      reasons: ["the names and ids of the user's own places are trusted, and nothing else that it returns"],
    };
  const isPlain = othersTextIn(name, "", origin === "directory") === undefined;
  if (origin === "own" && isPlain) return { values: { trusted: true }, reasons: [] };
  if (origin === "directory" && isPlain) return { values: { directory: true }, reasons: [] };
  if (origin !== "others")
    return {
      values: { trusted: [...idFields(nouns), ...recordNumbers(nouns), ...RECORD_FIELDS] },
      reasons: ["of its records only these fields are trusted: others may write the rest"],
    };
  if (OWN_STORES.has(family) && listsRecords(name))
    return {
      values: { trusted: [...idFields(nouns), ...RECORD_IDS] },
      reasons: ["of its records only the ids are trusted: the system gives them, and others may write the rest"],
    };
  return { values: {}, reasons: [] };
}

/** Verbs that run something of the operator's own: `restart_service(service)`, `start_vacuum(room)`. */
const OPERATES: ReadonlySet<string> = new Set("start launch restart reboot deploy shutdown kill rollback".split(" "));

/** Runs what an argument says: a command, code, a query. */
function runsGiven({ name, parameters }: ToolWords, effects: ReadonlySet<InferredEffect>): boolean {
  if (!effects.has("execute")) return false;
  const takesCode = argumentEvidence(parameters, false).some(({ effect }) => effect === "execute");
  return takesCode || !OPERATES.has(nameWords(name)[0] ?? "");
}

/** What acts: asks where what it acts on is not the user's own choice; always, where nothing tells what it acts on. */
function actorSettings(words: ToolWords, { effect, effects, category, reasons, nouns }: InferredTool): DraftedSettings {
  const authority = authorityArguments(words, category, effect === "send");
  const unknown = reasons.some((reason) => reason.startsWith("no verb"));
  // Mail that a change causes goes to whom the record names; a tool that sends must say to whom.
  const grave =
    (["destroy", "pay", "access"] as const).find((one) => effects.has(one)) ?? (effect === "send" && effect);
  const because = runsGiven(words, effects)
    ? "it runs what it is given, so it asks each time"
    : unknown
      ? "unsure, so it asks each time"
      : grave && authority.length === 0
        ? `no argument says on what it acts (${grave}), so it asks each time`
        : undefined;
  if (because !== undefined)
    return {
      values: { confirm: "ask", ...(category === "external" ? { sensitive: true } : {}) },
      reasons: [because],
    };
  const named =
    authority.length > 0
      ? `: ${authority.map(({ key, role, because }) => `\`${key}\` is the ${role} (${because})`).join(", ")}`
      : "";
  return {
    // The destination of each call is looked at, so its first use needs no consent of its own.
    values: {
      confirm: "ungrounded",
      ...(category === "external" ? { firstTime: false } : {}),
      ...rolesIn(authority),
      // What the tool made has an id that its own system gave it; the rest of its result repeats what the model wrote.
      ...(effect === "create" || effect === "note" ? { trusted: idFields(nouns) } : {}),
    },
    reasons: [`${effect}: it asks where what it acts on comes from somebody else's text${named}`],
  };
}

/** Written down so that an operator sees and corrects them; a guess that the policy repeats is the same guess. */
function rolesIn(authority: readonly AuthorityArgument[]): Settings {
  const roles = Object.fromEntries(authority.map(({ key, role }) => [key, { role }]));
  return authority.length > 0 ? { arguments: roles } : {};
}
