/** The kinds of intents that a drafted policy has, and the verbs by which users ask for each. */
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";

export type IntentKind =
  | "find"
  | "open"
  | "create"
  | "change"
  | "remove"
  | "send"
  | "publish"
  | "pay"
  | "buy"
  | "book"
  | "commit"
  | "refund"
  | "access"
  | "run";

const kinds: Readonly<Record<InferredEffect, IntentKind>> = {
  read: "find",
  reach: "open",
  note: "create",
  create: "create",
  change: "change",
  destroy: "remove",
  send: "send",
  commit: "commit",
  pay: "pay",
  access: "access",
  execute: "run",
};

export const kindOf = (effect: InferredEffect): IntentKind => kinds[effect];

const verbs: Readonly<Record<IntentKind, string>> = {
  find: "find, show, list, check, look up, search, read, get, tell me, summarize, see, give me, what is, which",
  open: "open, visit, go to, browse, load, read, look at, summarize, check, fetch",
  create:
    "create, add, make, set up, put, write, schedule, save, insert, append, plan, upload, open, start, file, raise",
  change:
    "change, update, set, edit, move, turn, fix, adjust, make, put, switch, rename, reschedule, modify, correct, mark, replace, bump, push, postpone, raise, lower",
  remove: "delete, remove, cancel, get rid of, drop, clear, kick, throw, discard, erase, call off",
  send: "send, share, forward, reply, write, post, invite, notify, publish, answer",
  publish: "post, publish, put, write, submit, upload, update, comment, leave, create, add, reply, answer, respond",
  pay: "pay, transfer, send, buy, order, purchase, refund, settle",
  buy: "order, buy, purchase, reorder, restock, get me, get us",
  book: "book, reserve, schedule, get me, get us",
  // A user who asks to prescribe says so: no verb represents all of these.
  commit: "",
  refund: "refund, reimburse, repay, pay back, give back",
  access: "change, reset, update, grant, give, unlock, revoke, allow, invite, set, add, let",
  run: "run, execute, start, launch, trigger, restart, reboot, bounce, kick off, deploy, roll out, ship, call",
};

export const spokenVerbs = (kind: IntentKind): readonly string[] => verbs[kind].split(", ").filter(Boolean);

/** Verbs that users take for one another, whatever the tool is called: to have a table booked is to reserve it. */
const SAME = [
  "book, reserve, rent, hire",
  "checkout, check out, buy, purchase, order, pay",
  "order, buy, purchase",
  "return, send back, give back",
  "apply, use, redeem",
  "transition, close, reopen, resolve",
  "play, put on",
  "turn, switch, dim",
  "prescribe, write a prescription",
  "enroll, enrol, sign up",
  "enrol, enroll, sign up",
  "sign, countersign",
  "ship, dispatch, send out",
  "discharge, release",
];

export const sameVerbs = (verb: string): readonly string[] =>
  SAME.map((verbs) => verbs.split(", ")).find(
    (verbs) => verbs[0] === verb || (verb !== "order" && verbs.includes(verb)),
  ) ?? [];

const THINGS: ReadonlySet<string> = new Set(
  "email e-mail mail message text reply answer post comment share transfer refund purchase order book charge deposit invoice".split(
    " ",
  ),
);

/** Whether a verb also names what people read about: "the last email from Jo", "the refund of order 12". */
export const isThing = (verb: string): boolean => THINGS.has(verb);

export interface DraftTool {
  readonly words: ToolWords;
  readonly inferred: InferredTool;
  readonly family: string;
}
