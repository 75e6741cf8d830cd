/** Why a drafted tool asks each time, even if the user's own words ask for it. Pure. */

import { memberOf } from "../../../lib/json/json-value.ts";
import { argumentEvidence, argumentsOf } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { MONEY } from "../../../policy/infer/nouns.ts";
import { isGesture } from "../../../policy/infer/reviewed-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import { amountOf } from "./amount-limits.ts";

/** @returns undefined if the user's own words are enough. */
export function askedAlways(tool: ToolWords, inferred: InferredTool, hasAuthority: boolean): string | undefined {
  const { effect, effects, reasons } = inferred;
  if (runsGiven(tool, effects)) return "it runs what it is given";
  if (reasons.some((reason) => reason.startsWith("no verb"))) return "nothing says what it does";
  const words = nameWords(tool.name).map(singular);
  if (words.some((word) => RIGHTS.has(word))) return "it changes who may do what";
  if (words.some((word) => EXPELS.has(word)) && words.some((word) => PERSONS.has(word)))
    return "it shuts somebody out or lets somebody in";
  if (effects.has("pay") && amountOf(tool)?.list !== undefined)
    return "it moves money, and no single number says how much";
  if (effects.has("pay") && amountOf(tool) === undefined) return "it moves money, and no number says how much";
  if (words.includes("approve") && words.some((word) => BINDING.has(word) || MONEY.has(word)))
    return "money is due after it";
  if (mayCost(tool)) return "it may cost money";
  if (endsWhole(words, effects)) return "it ends or stops what holds many records";
  if (saysDestructive(tool) && !isGesture(tool) && !deletesOne(tool, inferred))
    return "its server says that it may destroy something";
  // Mail that a change causes goes to whom the record names; a tool that sends must say to whom.
  const grave =
    (["destroy", "pay", "commit", "access"] as const).find((one) => effects.has(one)) ?? (effect === "send" && effect);
  return grave && !hasAuthority ? `no argument says on what it acts (${grave})` : undefined;
}

/** Verbs that run something of the operator's own: `restart_service(service)`, `start_vacuum(room)`. */
const OPERATES: ReadonlySet<string> = new Set("start launch restart reboot deploy shutdown kill rollback".split(" "));

/** Runs what an argument says: a command, code, a query. */
function runsGiven({ name, description, parameters }: ToolWords, effects: ReadonlySet<InferredEffect>): boolean {
  if (!effects.has("execute")) return false;
  const takesCode = argumentEvidence(parameters, { isReader: false, believesChoices: true, text: description }).some(
    ({ effect }) => effect === "execute",
  );
  return takesCode || !OPERATES.has(nameWords(name)[0] ?? "");
}

const RIGHTS: ReadonlySet<string> = new Set(
  "role permission privilege owner ownership admin administrator access acl iam rbac collaborator grant revoke impersonate".split(
    " ",
  ),
);
const EXPELS: ReadonlySet<string> = new Set("ban unban kick expel".split(" "));
const PERSONS: ReadonlySet<string> = new Set("member user person participant guest player account".split(" "));
const BINDING: ReadonlySet<string> = new Set(
  "timesheet payroll invoice order purchase budget leave quote reimbursement".split(" "),
);

const COSTS = /^(?:confirm_)?(?:costs?|billing|price_plan)(?:_id)?$/;
const mayCost = ({ parameters }: ToolWords): boolean =>
  argumentsOf(parameters).some(({ name }) => COSTS.test(nameWords(name).join("_")));

/** Each of these holds records of its own, which are deleted with it. */
const WHOLES: ReadonlySet<string> = new Set(
  `project repository repo branch database schema server cluster namespace bucket volume instance environment workspace organization organisation
  team channel folder directory drive account domain site mailbox calendar store index collection disk vm service tenant`.split(
    /\s+/,
  ),
);
const STOPS: ReadonlySet<string> = new Set("pause suspend disable deactivate freeze shutdown merge".split(" "));

/** The last word says what it is: `delete_channel`, and not `delete_project_member`. */
function endsWhole(words: readonly string[], effects: ReadonlySet<InferredEffect>): boolean {
  if (!WHOLES.has(words.at(-1) ?? "")) return false;
  const verb = words.find((word) => verbOf(word) !== undefined || STOPS.has(word)) ?? "";
  return STOPS.has(verb) || (effects.has("destroy") && verbOf(verb)?.effect === "destroy");
}

const saysDestructive = ({ annotations }: ToolWords): boolean =>
  memberOf(annotations, "destructiveHint") === true && memberOf(annotations, "readOnlyHint") !== true;

/** Its name says that it deletes, and a call says which one. */
function deletesOne({ name, parameters }: ToolWords, { effects }: InferredTool): boolean {
  const words = nameWords(name);
  const required = argumentsOf(parameters).filter(({ required }) => required);
  const others: readonly InferredEffect[] = ["execute", "access", "send", "commit", "pay"];
  return (
    words.some((word) => DELETES.has(word)) &&
    required.some(({ name }) => /(?:id|key|path|name|number|slug)$/i.test(name)) &&
    !required.some(({ name }) => /s$/i.test(name)) &&
    !others.some((one) => effects.has(one))
  );
}
const DELETES: ReadonlySet<string> = new Set(["delete", "remove", "trash", "archive"]);
