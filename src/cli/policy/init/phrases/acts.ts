/** The acts that people ask of a tool, finer than its effect: a request to move a booking is not one to change it otherwise. Pure. */

import { keysByWord } from "../../../../lib/acts/read-table.ts";
import { isOpposing } from "../../../../lib/acts/tool-verb.ts";
import { argumentsOf } from "../../../../policy/infer/arguments.ts";
import { nameWords, singular } from "../../../../policy/infer/name-words.ts";
import { MONEY, spokenNouns } from "../../../../policy/infer/nouns.ts";
import { verbOf } from "../../../../policy/infer/verbs.ts";
import type { DraftTool, IntentKind } from "../intent-kinds.ts";
import { isKnownNoun } from "./nouns.ts";

/** English verbs that have sentences here; their effects are in `src/lib/acts`. */
const verbs = {
  find: "",
  open: "",
  create: "create add make new register log raise generate insert append upload file",
  change: "change update edit modify set correct rename mark adjust put patch",
  move: "move reschedule postpone shift delay rebook",
  cancel: "cancel terminate unsubscribe",
  delete: "delete remove erase destroy drop purge clear empty trash discard wipe archive",
  mail: "email mail forward",
  tell: "notify tell message text ping inform alert announce contact remind",
  reply: "reply respond answer",
  post: "post publish tweet",
  comment: "comment",
  note: "note",
  pay: "pay settle",
  transfer: "transfer wire remit",
  refund: "refund reimburse",
  book: "book reserve rent hire buchen bucht reservieren reserviert reservar reserva yoyaku yuding",
  buy: "buy order purchase checkout",
  prescribe: "prescribe dispense administer verschreiben verschreibt verordnen verordnet recetar receta",
  enrol: "enrol enroll admit anmelden immatrikulieren matricular matricula",
  sign: "sign countersign unterschreiben unterschreibt firmar firma",
  ship: "ship",
  employ: "employ recruit appoint einstellen contratar contrata",
  discharge: "discharge",
  run: "run execute start launch restart reboot trigger deploy",
  share: "share",
  invite: "invite",
  allow: "grant allow authorize permit",
  assign: "assign reassign delegate",
  close: "close resolve complete finish",
  block: "block freeze suspend",
  on: "enable activate",
  off: "disable deactivate",
  set: "",
  unlock: "unlock",
  lock: "lock",
  play: "play",
  remind: "",
  return: "return",
  exchange: "exchange swap",
  count: "",
  discount: "",
  measure: "",
};
export type Act = keyof typeof verbs;

const actOfVerb = keysByWord(verbs);

/** A commitment that has no sentences here is requested by its own verb alone. */
const actOfKind: Readonly<Partial<Record<IntentKind, Act>>> = {
  find: "find",
  open: "open",
  create: "create",
  change: "change",
  remove: "delete",
  send: "tell",
  publish: "post",
  pay: "pay",
  buy: "buy",
  book: "book",
  refund: "refund",
  access: "allow",
  run: "run",
};

const MAILS: ReadonlySet<string> = new Set(["email", "mail", "inbox", "newsletter"]);
const DATED: ReadonlySet<string> = new Set(["booking", "calendar", "flight", "hotel", "restaurant", "ride", "task"]);
const DEVICES: ReadonlySet<string> = new Set("thermostat temperature heating heater brightness volume".split(" "));
/** Things of which people ask how much or how high: they do not ask how high an order is. */
const MEASURED: ReadonlySet<string> = new Set("device weather balance rate stock".split(" "));
const CLOSED: ReadonlySet<string> = new Set(["issue", "ticket", "task", "case", "incident", "deal"]);

/** To hire a person is not to book one: `hire_candidate`. */
const PEOPLE = /employee|worker|staff|candidate|applicant|contractor|freelancer|nurse|teacher|developer/i;

/** A commitment that takes a place, a time or a thing for a while, whatever its verb is (`schedule_viewing`). */
export function isBooked(tool: string): boolean {
  const [verb = ""] = nameWords(tool);
  if (verb === "hire") return !PEOPLE.test(tool);
  return verbOf(verb)?.effect !== "commit" || verb === "rebook" || actOfVerb.get(verb) === "book";
}

/** The likeliest first. */
export function actsOf(tool: DraftTool, kind: IntentKind): readonly Act[] {
  if (kind === "find") return MEASURED.has(tool.family) ? ["find", "measure"] : ["find"];
  if (kind === "open") return ["open"];
  const words = nameWords(tool.words.name).map(singular);
  const has = (...some: readonly string[]) => some.some((word) => words.includes(word));
  const [verb = ""] = words;
  if (isOpposing(verb) && !actOfVerb.has(verb)) return [];
  const own = verb === "hire" && kind === "commit" ? "employ" : actOfVerb.get(verb);
  if (verb === "turn" || verb === "switch" || verb === "toggle")
    return has("off") ? ["off"] : has("on") ? ["on"] : ["on", "off"];
  if (own === "change" && has(...DEVICES)) return ["set"];
  if (has("alarm", "reminder") && (kind === "create" || own === "change")) return ["remind"];
  if (has("refund") && kind !== "remove") return ["refund"];
  if (has("comment") && own === "create") return ["comment"];
  if (has("note") && own === "create") return ["note", "create"];
  if (has("member", "participant", "collaborator", "attendee") && own === "create") return ["invite"];
  if (kind === "send" && own !== "reply" && own !== "share" && (MAILS.has(tool.family) || has(...MAILS)))
    return ["mail"];
  if (verb === "send" && has(...MONEY)) return ["transfer"];
  if (verb === "open" && has("door", "gate", "garage")) return ["unlock"];
  if (own === "create" && has("discount", "coupon", "voucher", "promo")) return ["discount"];
  const arranges = own === "create" || verb === "schedule";
  if (arranges && has("appointment", "meeting", "event", "booking", "reservation")) return ["book", "create"];
  if (own === "change" && kind === "change") return changes(tool);
  if (kind === "send" && own === undefined && !SPEAKING.has(tool.family)) return ["share"];
  return [own ?? actOfKind[kind]].filter((act) => act !== undefined);
}

/** Things to which words are sent; of others, the thing itself is sent. */
const SPEAKING: ReadonlySet<string> = new Set(["message", "contact", "customer", "patient", "account"]);

/** A change of a date alone is a move, and one of a state may be the end. */
function changes({ words, family }: DraftTool): readonly Act[] {
  const names = argumentsOf(words.parameters).map(({ name }) => name.toLowerCase());
  const counts = names.some((name) => /^(?:new_)?(?:quantity|qty|stock|count|level|on_?hand|units)$/.test(name));
  if (counts && family === "stock") return ["count"];
  const dates = names.filter((name) => /(?:^|_)(?:date|time|day|start|when|slot)/.test(name));
  const others = names.filter((name) => !dates.includes(name) && !/(?:^|_)id$/.test(name));
  const moves = dates.length > 0 && DATED.has(family);
  if (moves && others.length === 0) return ["move"];
  const nouns = nameWords(words.name).map(singular);
  const closes = names.includes("status") && nouns.some((noun) => CLOSED.has(noun));
  return ["change", ...(moves ? ["move" as const] : []), ...(closes ? ["close" as const] : [])];
}

/** Words for the same thing, as people change between them. */
const SAME_THING = [
  ["booking", "reservation", "trip"],
  ["appointment", "meeting"],
  ["event", "appointment", "meeting"],
  ["email", "mail"],
  ["invoice", "bill"],
  ["stock", "inventory"],
  ["inventory", "stock"],
  ["discount code", "coupon", "voucher"],
  ["coupon", "voucher", "discount code"],
  ["voucher", "coupon", "gift card"],
  ["promo code", "discount code", "coupon"],
  ["issue", "ticket", "bug"],
  ["task", "todo"],
  ["light", "lamp"],
  ["file", "document"],
  ["customer", "client"],
  ["parcel", "package"],
  ["music", "song"],
  ["page", "website"],
  ["thermostat", "heating"],
];

/** The things that the tool works on, as people call them: the longest known words of its name, else its own words. */
export function thingsOf({ words, inferred, family }: DraftTool): readonly string[] {
  const own = nameWords(words.name).map(singular).slice(1);
  const phrases = own.flatMap((_, at) => [own.slice(at).join(" "), own.slice(0, own.length - at).join(" ")]);
  const candidates = [...phrases, ...own.toReversed(), ...inferred.nouns, ...spokenNouns(family)];
  const known = candidates.find(isKnownNoun);
  const named = inferred.nouns[0];
  // A word of the tool's own before one of its family that it does not have.
  const thing =
    known !== undefined && (own.length === 0 || phrases.concat(own).includes(known)) ? known : (named ?? known);
  if (thing === undefined) return [family];
  if (thing === "account" && isOfPerson(words)) return ["user account"];
  // A page that the same tools write is not called a website.
  if (thing === "page" && family === "page") return ["page"];
  return SAME_THING.find(([first]) => first === thing) ?? [thing.replaceAll("_", " ")];
}

/** A user's account of a service, and none at a bank. */
const isOfPerson = ({ name, description = "" }: DraftTool["words"]): boolean =>
  /\busers?\b|\bsign(?:ed)?[ -](?:in|up)\b|\blog(?:ged)?[ -]?in\b|\bprofiles?\b/i.test(
    `${nameWords(name).join(" ")} ${description}`,
  ) && !/\b(?:banks?|iban|balances?|money|payments?|transfers?|savings)\b/i.test(description);
