/**
 * What a person answers to an approval, as a body tells it. Pure. Nothing is passed over: an answer misread would run a
 * call that nobody meant. `null` says nothing.
 */
import { type AnswerAction, answerActions } from "../approvals/approval.ts";
import type { Changes } from "../approvals/edit.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { isObject, type JsonObject } from "../wire/read-chunk.ts";
import { badRequest, type Problem } from "./problem.ts";
import { readStrictObject } from "./strict-body.ts";

export interface AnswerAsked {
  readonly action: AnswerAction;
  /** With `edit`; never empty. */
  readonly changes: Changes | undefined;
  /** With `deny` alone. */
  readonly reason: string | null;
  /** Not checked yet: that takes the call. */
  readonly grant: unknown;
  /** The tool is enabled beyond this call, where its first use is asked about. */
  readonly enables: boolean;
}

/** UTF-16 units of the person's own words: the model is told them. */
const MAX_REASON = 1_000;
/** More members than any call that a person could look through. */
const MAX_UNSET = 200;

const MEMBERS: ReadonlySet<string> = new Set(["action", "arguments", "unset", "reason", "grant", "enable"]);
const EXAMPLE = '`{ "action": "approve" }`, `"deny"` or `"edit"`';

/** JSON that every reader takes alike: what is approved here is what the client runs. */
export function readAnswerAsked(bytes: ArrayBuffer): Result<AnswerAsked, Problem> {
  const body = readStrictObject(bytes, EXAMPLE);
  return body.ok ? readMembers(body.value) : body;
}

function readMembers(body: JsonObject): Result<AnswerAsked, Problem> {
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) {
    const message = `unknown member \`${unknown.slice(0, 64)}\`; an answer has ${[...MEMBERS].join(", ")}`;
    return err(badRequest(unknown.slice(0, 64), message, "unknown_parameter"));
  }
  const action = answerActions.find((one) => one === body.action);
  if (action === undefined) return err(badRequest("action", `\`action\` must be told: send ${EXAMPLE}`));
  const changes = readChanges(body, action);
  if (!changes.ok) return changes;
  const reason = readReason(body, action);
  if (!reason.ok) return reason;
  if (body.grant != null && action === "deny")
    return err(badRequest("grant", "a refusal gives no grant: leave `grant` out, or approve"));
  const { enable = null } = body;
  if (enable !== null && typeof enable !== "boolean")
    return err(badRequest("enable", "`enable` must be true or false"));
  if (enable && action === "deny")
    return err(badRequest("enable", "a refusal enables nothing: leave `enable` out, or approve"));
  const grant = body.grant ?? undefined;
  return ok({ action, changes: changes.value, reason: reason.value, grant, enables: enable === true });
}

function readChanges(body: JsonObject, action: AnswerAction): Result<Changes | undefined, Problem> {
  const { arguments: set, unset } = body;
  if (action !== "edit") {
    const extra = set != null ? "arguments" : unset != null ? "unset" : undefined;
    if (extra === undefined) return ok(undefined);
    return err(badRequest(extra, `\`${extra}\` is for \`"action": "edit"\`: send that, or leave it out`));
  }
  if (set != null && !isObject(set))
    return err(badRequest("arguments", "`arguments` must be an object: the arguments to change, by name"));
  const names = unset == null ? [] : readNames(unset);
  if (names === undefined)
    return err(badRequest("unset", `\`unset\` must be a list of at most ${MAX_UNSET} names of arguments`));
  const members = Object.keys(set ?? {});
  if (members.length === 0 && names.length === 0)
    return err(badRequest("arguments", "an edit changes something: send `arguments`, or `unset`, or approve"));
  const both = names.find((name) => members.includes(name));
  if (both !== undefined) return err(badRequest("unset", `\`${both.slice(0, 64)}\` is both set and unset: choose one`));
  return ok({ set: set ?? {}, unset: names });
}

function readNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_UNSET) return undefined;
  return value.every((name): name is string => typeof name === "string") ? [...new Set(value)] : undefined;
}

function readReason({ reason }: JsonObject, action: AnswerAction): Result<string | null, Problem> {
  if (reason == null) return ok(null);
  if (action !== "deny") return err(badRequest("reason", '`reason` is for `"action": "deny"`: leave it out'));
  const told = typeof reason === "string" && reason.length <= MAX_REASON && reason.isWellFormed() ? reason.trim() : "";
  if (told !== "") return ok(told);
  return err(badRequest("reason", `\`reason\` must be text of 1 to ${MAX_REASON} characters`));
}
