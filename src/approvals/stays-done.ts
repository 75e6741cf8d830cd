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
  if (given === undefined || given.names.some((name) => people.test(wordsIn(name)))) return true;
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

/** `turn_on`, `set_volume`, `play_song`: the name says that it only operates something, which is set back as simply. */
function operatesThing(disclosure: Disclosure): boolean {
  const verb = verbOf(disclosure);
  if (verb === undefined || !operating.has(verb)) return false;
  return switching.has(verb) || things.test(wordsIn(disclosure.tool));
}

interface GivenArguments {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

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
        if (isNew && isEmpty(member)) continue;
        names.push(name);
        left.push(member);
      }
  }
  return { names, values };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** It is about what gives access or protects: by the words of its name and of its arguments, and by which thing it switches. */
function isGuarded(disclosure: Disclosure, { names, values }: GivenArguments): boolean {
  const own = wordsIn(disclosure.tool);
  if (guarded.test(own) || owning.test(own) || (positions.test(own) && !things.test(own))) return true;
  if (names.some((name) => guarded.test(wordsIn(name).replace(keysOfThings, "")))) return true;
  return operatesThing(disclosure) && values.some((value) => value.length > 200 || guarded.test(wordsIn(value)));
}

/** Without the server that the tool is from. */
const wordsIn = (name: string): string => nameWords(name.split("__").at(-1) ?? "").join(" ");

/** Any of these words, also in the plural. */
const anyOf = (words: string, end = ""): RegExp => new RegExp(`\\b(?:${words.replaceAll(" ", "|")})s?\\b${end}`);

const guarded = anyOf(
  "role permission privilege access admin credential key apikey token secret password passphrase passkey ssh webhook forward forwarding " +
    "filter rule policy policies protection visibility public private iban bank fa mfa totp factor firewall port dns backup alarm lock door " +
    "garage campaign vm server paid",
);
/** Of shares. An argument's may be a place in a list. */
const positions = anyOf("position");
/** An argument's is the owner of a repository. */
const owning = anyOf("owner collaborator");
/** They name an issue, or a page of a list. */
const keysOfThings = /\b(?:issue|ticket|task|project|or|idempotency|page|recurrence) (?:key|token|rule)s?\b/;
const people = anyOf("attendee invitee guest participant recipient cc bcc");
/** To assign a member is to give access, and to stop a service may end what runs on it. */
const graveNouns = anyOf("member account payment subscription order invoice instance database service");
const marks = anyOf("label tag star pin flag reaction assignee", "$");
const things = anyOf(
  "light lamp bulb cover blind shutter curtain awning volume brightness color colour temperature thermostat climate heating heater fan " +
    "player playback media music song track playlist speaker tv television radio vacuum plug outlet scene timer sprint",
);

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
