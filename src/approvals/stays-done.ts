/** Whether what a call does stays done: a hasty yes to it cannot be taken back. Pure. */
import { type Verb, verbOf } from "../lib/acts/tool-verb.ts";
import { authorityOf } from "../policy/origin/authority.ts";
import { finalActs, toolEffects } from "../policy/origin/roles/tool-verbs.ts";
import { type Approval, holdsOrders } from "./approval.ts";
import type { Disclosure } from "./disclosure/disclosed.ts";
import { nounOf } from "./disclosure/title-object.ts";

/** Or a result that gives orders to the model may have chosen it. */
export function staysDone(approval: Pick<Approval, "disclosure">): boolean {
  const { disclosure } = approval;
  return !("listed" in disclosure) || holdsOrders(approval) || actStaysDone(disclosure);
}

/** It deletes, pays, commits, gives access, runs something or sends data away; or nothing says what it does. */
export function actStaysDone(disclosure: Disclosure): boolean {
  const { category, destination, description, listed, reversible, tool } = disclosure;
  if (!listed || destination !== null) return true;
  if (canBeSetBack(disclosure)) return false;
  const effects = toolEffects(tool, description ?? "");
  if (effects.has("change") && access.test(nounOf(tool)) && !reversible) return true;
  return (authorityOf({ category, class: "destructive", effects }).isGrave && !reversible) || effects.has("send");
}

/** The opposite act, or another value, undoes it: a lamp, a label, an assignee, a ticket's state. */
function canBeSetBack({ tool, category }: Disclosure): boolean {
  const verb = verbOf({ tool, category });
  const noun = nounOf(tool);
  if (verb === undefined || access.test(noun) || graveNouns.test(noun)) return false;
  return verb === "remove" ? marks.test(noun) : setBack.has(verb) && finalActs(tool).size === 0;
}

const setBack: ReadonlySet<Verb> = new Set([
  "archive",
  "assign",
  "close",
  "label",
  "lock",
  "mark",
  "move",
  "open",
  "pause",
  "pin",
  "play",
  "rename",
  "resume",
  "set",
  "start",
  "stop",
  "toggle",
  "turnOff",
  "turnOn",
]);
const marks = /\b(?:labels?|tags?|stars?|pins?|flags?|reactions?|assignees?)$/;
const access = /\b(?:roles?|permissions?|access|admins?|privileges?)\b/;
/** To assign a role is to give access, and to stop a server may end what runs on it. */
const graveNouns =
  /\b(?:owners?|members?|collaborators?|accounts?|payments?|subscriptions?|orders?|invoices?|servers?|instances?|databases?|services?)\b/;
