/** The kinds of intents that a drafted policy has, and the verbs by which users ask for each. */
import type { Effect } from "../../../policy/infer/effects.ts";

export type IntentKind =
  | "find"
  | "open"
  | "create"
  | "change"
  | "remove"
  | "send"
  | "publish"
  | "pay"
  | "access"
  | "run";

const kinds: Readonly<Record<Effect, IntentKind>> = {
  read: "find",
  reach: "open",
  note: "create",
  create: "create",
  change: "change",
  destroy: "remove",
  send: "send",
  pay: "pay",
  access: "access",
  execute: "run",
};

export const kindOf = (effect: Effect): IntentKind => kinds[effect];

const verbs: Readonly<Record<IntentKind, string>> = {
  find: "find, show, list, check, look up, search, read, get, tell me, summarize, see, give me, what is, which",
  open: "open, visit, go to, browse, load, read, look at, summarize, check, fetch",
  create: "create, add, make, set up, put, write, schedule, save, insert, append, plan, upload",
  change: "change, update, edit, move, rename, reschedule, modify, set, adjust, correct, turn, mark, replace, switch",
  remove: "delete, remove, cancel, get rid of, discard, drop, clear, erase, call off",
  send: "send, share, forward, reply, write, post, tell, invite, notify, publish, answer, mail",
  publish: "post, publish, put, write, submit, upload, update, comment, leave, create, add",
  pay: "pay, transfer, send, buy, order, book, reserve, refund, purchase, schedule",
  access: "change, reset, update, grant, give, unlock, revoke, allow, invite, set, add",
  run: "run, execute, start, launch, trigger, restart, deploy, call",
};

export const spokenVerbs = (kind: IntentKind): readonly string[] => verbs[kind].split(", ");

/** Verbs that users take for one another, whatever the tool is called: who has a table booked reserves it. */
const SAME = ["book, reserve, rent, hire", "checkout, check out, buy, purchase, order, pay", "order, buy, purchase"];

export const sameVerbs = (verb: string): readonly string[] =>
  SAME.map((verbs) => verbs.split(", ")).find(
    (verbs) => verbs[0] === verb || (verb !== "order" && verbs.includes(verb)),
  ) ?? [];
