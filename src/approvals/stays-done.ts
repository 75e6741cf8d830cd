/** Whether what a call does stays done: a hasty yes to it cannot be taken back. Questions warn by it, and demand a code. Pure. */
import { snakeCase, type Verb, verbOf, wordsOfName } from "../lib/acts/tool-verb.ts";
import { isObject } from "../lib/json/json-value.ts";
import { verbOf as actVerbOf } from "../policy/infer/verbs.ts";
import { authorityOf } from "../policy/origin/authority.ts";
import { nameWords } from "../policy/origin/roles/name-words.ts";
import { finalActs, toolEffects } from "../policy/origin/roles/tool-verbs.ts";
import { type Approval, holdsOrders } from "./approval.ts";
import type { Disclosure as WholeDisclosure } from "./disclosure/disclosed.ts";
import { membersOf } from "./disclosure/members.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Disclosure = Pick<WholeDisclosure, "tool" | "category" | "listed" | "reversible" | "destination" | "description">;

/** Or a result that gives orders to the model may have chosen it. */
export function staysDone(approval: Pick<Approval, "disclosure" | "arguments">): boolean {
  const { disclosure, arguments: args } = approval;
  if (!("listed" in disclosure) || holdsOrders(approval)) return true;
  return actStaysDone(disclosure, args === "" ? {} : (JSON.parse(args) as Arguments));
}

/**
 * It deletes, pays, commits, overwrites, gives access, weakens a protection, runs something, reaches people or sends data away; or nothing
 * says what it does.
 */
export function actStaysDone(disclosure: Disclosure, args: Arguments): boolean {
  const { category, destination, description, listed, reversible, tool } = disclosure;
  const effects = toolEffects(tool, description ?? "");
  if (!listed || destination !== null || effects.has("send")) return true;
  const isGrave = authorityOf({ category, class: "destructive", effects }).isGrave && !reversible;
  if (category === "read_only") return isGrave;
  const given = givenIn(tool, args);
  if (given === undefined || reachesGuests(tool, given)) return true;
  if (category === "external" && !operatesThing(disclosure)) return true;
  if (reversible) return false;
  if (isGuarded(disclosure, given) || overwrites(disclosure, args)) return true;
  const verb = verbOf(disclosure);
  if (verb !== undefined && runs.has(verb) && !operatesThing(disclosure)) return true;
  return isGrave && !canBeSetBack(disclosure);
}

/** The opposite act, or another value, undoes it: a lamp, a label, an assignee, a ticket's state. */
function canBeSetBack(disclosure: Disclosure): boolean {
  const { tool } = disclosure;
  const verb = verbOf(disclosure);
  if (verb === undefined || graveNouns.test(wordsIn(tool))) return false;
  return verb === "remove" ? marks.test(wordsIn(tool)) : setBack.has(verb) && finalActs(tool).size === 0;
}

/** `turn_on`, `set_volume`, `play_song`, `HassLightSet`: the name says that it only operates something, which is set back as simply. */
function operatesThing(disclosure: Disclosure): boolean {
  const words = wordsIn(disclosure.tool);
  const tool = words.replace(leadingThings, "").trim().replaceAll(" ", "_");
  const verb = verbOf(disclosure) ?? verbOf({ ...disclosure, tool });
  if (verb === undefined || !operating.has(verb)) return false;
  return switching.has(verb) || things.test(words);
}

interface GivenArguments {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** Who is invited gets a mail. */
const reachesGuests = (tool: string, { names, values }: GivenArguments): boolean =>
  names.some((name) => people.test(wordsIn(name))) ||
  (meetings.test(wordsIn(tool)) && values.some((value) => /[^\s@]@[^\s@]+\.[^\s@]/.test(value)));

const MAX_GIVEN = 500;

/** Names and texts at any depth. What is new has nothing that an empty value could remove. Undefined: there are too many to look at. */
function givenIn(tool: string, args: Arguments): GivenArguments | undefined {
  const names: string[] = [];
  const values: string[] = [];
  const left: unknown[] = [args];
  const isNew = onlyCreates(tool);
  while (left.length > 0) {
    const value = left.pop();
    if (left.length + names.length > MAX_GIVEN) return undefined;
    if (typeof value === "string") values.push(value);
    if (Array.isArray(value)) left.push(...(value as unknown[]).slice(0, MAX_GIVEN + 1));
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) {
        if ((isNew && isEmpty(member)) || isTicket(name, member) || staysClosed(name, member)) continue;
        names.push(name);
        left.push(member);
      }
  }
  return { names, values };
}

/** `WEB-9` as a `key` opens nothing. */
const isTicket = (name: string, value: unknown): boolean =>
  /^(?:(?:card|issue|ticket|task|project) )?key$/.test(wordsIn(name)) &&
  typeof value === "string" &&
  /^[A-Z][A-Z\d]{0,9}-\d{1,9}$/.test(value);

/** `public: false` gives nobody access, and `visibility: "default"` neither. */
const staysClosed = (name: string, value: unknown): boolean =>
  (/^(?:is )?public$|^guests? can\b/.test(wordsIn(name)) && value === false) ||
  (wordsIn(name) === "visibility" && (value === "default" || value === "private"));

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** It is about what gives access or protects: by the words of its name and of its arguments, and by which thing it switches. */
function isGuarded(disclosure: Disclosure, { names, values }: GivenArguments): boolean {
  const own = wordsIn(disclosure.tool);
  if (guarded.test(own) || owning.test(own) || (positions.test(own) && !things.test(own))) return true;
  if (names.some((name) => guarded.test(wordsIn(name).replace(keysOfThings, "")))) return true;
  const verb = verbOf(disclosure) ?? "";
  // What is played has any title.
  const isThing = /^(?:open|close)$/.test(verb) || (operatesThing(disclosure) && !/^(?:play|pause|resume)$/.test(verb));
  return values.some(
    (value) => (isThing || entity.test(value)) && !lights.test(value) && (value.length > 200 || protects(value)),
  );
}

const protects = (value: string): boolean => guarded.test(wordsIn(value)) || guardedThings.test(value);

/** As Home Assistant names them: `lock.front`. */
const entity = /^[a-z_]{2,30}\.[a-z\d_]{1,80}$/;
/** `light.garage` is a light, and nothing beside it. */
const lights = /^light\.[a-z\d_]+$/;
/** The alarm, the door, the lock, the gate and the garage where people name their things in another language. */
const guardedThings =
  /alarm|sirene|tür|schloss|einfahrt|\btor\b|porte|serrure|portail|puerta|cerradura|cerrojo|portón|garaje|警报|警報|报警|門|门|锁|鎖|车库|車庫|アラーム|ドア|鍵|玄関|シャッター|ガレージ|경보|현관|문|잠금|차고/iu;

/** Without the server that the tool is from. */
const wordsIn = (name: string): string => nameWords(name.split("__").at(-1) ?? "").join(" ");

/** Any of these words, also in the plural. */
const anyOf = (words: string, end = ""): RegExp => new RegExp(`\\b(?:${words.replaceAll(" ", "|")})s?\\b${end}`);

const guarded = anyOf(
  "role permission privilege access admin credential key apikey token secret password passphrase passkey ssh webhook forward forwarding " +
    "filter rule policy policies protection visibility public private iban bank fa mfa totp factor firewall port dns backup alarm lock door " +
    "garage gate camera detector smoke siren campaign vm server paid group acl scope sharing nameserver",
);
/** Of shares. An argument's may be a place in a list. */
const positions = anyOf("position");
/** An argument's is the owner of a repository, or whom a task is for. */
const owning = anyOf("owner collaborator user license licence");
/** They name an issue, or a page of a list. */
const keysOfThings = /\b(?:issue|ticket|task|project|or|idempotency|page|recurrence) (?:key|token|rule)s?\b/;
const people = anyOf("attendee invitee invite guest participant recipient cc bcc");
const meetings = anyOf("event meeting appointment");
/** To assign a member is to give access, and to stop a service may end what runs on it. */
const graveNouns = anyOf("member account payment subscription order invoice instance database service");
const marks = anyOf("label tag star pin flag reaction assignee", "$");
const THINGS =
  "light lamp bulb cover blind shutter curtain awning volume brightness color colour temperature thermostat climate heating heater fan " +
  "player playback media music song track playlist speaker tv television radio vacuum plug outlet scene timer sprint";
const things = anyOf(THINGS);

/** `climate_set_temperature`, `HassVacuumStart`. */
const leadingThings = new RegExp(`^(?:(?:hass|hvac|${THINGS.replaceAll(" ", "|")}) )+`);

const verbs = (words: string): ReadonlySet<Verb> => new Set(words.split(" ") as Verb[]);
/** Their names say nothing of what they switch. */
const switching = verbs("turnOn turnOff toggle");
/** Of anything but a thing in a room nobody knows what they set going, or end. */
const runs = verbs("start stop play pause resume");
const operating = verbs("turnOn turnOff toggle set open close start stop play pause resume");
const setBack = verbs(
  "archive assign close label mark move open pause pin play rename resume set start stop toggle turnOff turnOn",
);

/** A file's or a document's former content is lost; another value of a record can simply be set again. */
function overwrites({ tool, category }: Disclosure, args: Arguments): boolean {
  if (["overwrite", "force", "replace"].some((name) => membersOf(tool, args)[name] === true)) return true;
  const verb = verbOf({ tool, category });
  const mayChange = verb === undefined || /^(?:edit|write|save|upload|copy|append)$/.test(verb);
  const holdsFile = Object.keys(membersOf(tool, args)).some((name) =>
    /^(?:.*_)?(?:path|file|filename|filepath)$/i.test(snakeCase(name)),
  );
  return mayChange && !onlyCreates(tool) && (holdsFile || documents.test(snakeCase(tool).replaceAll("_", " ")));
}

const documents =
  /\b(?:files?|documents?|docs?|pages?|notes?|contents?|text|cells?|notebook|wiki|sheet)\b|^(?:multi )?(?:write|edit)$/;

/** `create_branch`, and not `create_or_update_file`. */
export function onlyCreates(tool: string): boolean {
  const [verb = "", ...others] = actIn(tool);
  return /^(?:create|new|make|mkdir)$/.test(verb) && !others.some((word) => word === "or" || replaces.has(word));
}

export const actIn = (tool: string): readonly string[] =>
  wordsOfName(tool.slice(0, 80), (word) => actVerbOf(word) !== undefined);

const replaces: ReadonlySet<string> = new Set(
  "and update edit change replace overwrite upsert set delete remove".split(" "),
);
