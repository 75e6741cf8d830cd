/** The body's own field `toolgate`: what a client that knows approvals answers to calls that wait for a person. Pure. */
import { type AnswerAction, answerActions } from "../approvals/approval.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { isObject, type JsonObject } from "./read-chunk.ts";
import type { RequestFault } from "./request-fault.ts";

/** As it came, checked for its shape alone: what it is worth is told by the approval that it names. */
export interface ApprovalAnswer {
  readonly id: string;
  /** Absent: the call was answered elsewhere, and what became of it is collected. */
  readonly action: AnswerAction | undefined;
  readonly arguments: JsonObject | undefined;
  readonly unset: readonly string[];
  readonly reason: string | undefined;
  readonly grant: JsonObject | undefined;
  /** The tool is enabled beyond this call. */
  readonly enable: boolean;
}

const MAX_ANSWERS = 50;
const MAX_ID = 128;
/** UTF-16 units. */
const MAX_REASON = 1_000;
const MAX_UNSET = 256;
const KEYS: ReadonlySet<string> = new Set(["id", "action", "arguments", "unset", "reason", "grant", "enable"]);

const fault = (param: string, message: string): Result<never, RequestFault> =>
  err({ param, message: `\`${param}\` ${message}`, code: "invalid_request" });

/** @returns undefined where the request answers nothing. */
export function readApprovalAnswers(toolgate: unknown): Result<readonly ApprovalAnswer[] | undefined, RequestFault> {
  if (toolgate == null) return ok(undefined);
  if (!isObject(toolgate)) return fault("toolgate", 'must be an object, such as `{ "approvals": [] }`');
  const strange = Object.keys(toolgate).find((key) => key !== "approvals");
  if (strange !== undefined)
    return fault("toolgate", `holds \`${strange.slice(0, 64)}\`, but may hold only \`approvals\``);
  const { approvals } = toolgate;
  if (approvals == null) return ok(undefined);
  if (!Array.isArray(approvals)) return fault("toolgate.approvals", "must be a list");
  if (approvals.length > MAX_ANSWERS) return fault("toolgate.approvals", `may hold at most ${MAX_ANSWERS} answers`);
  const answers: ApprovalAnswer[] = [];
  const ids = new Set<string>();
  for (const [index, value] of approvals.entries()) {
    const read = readOne(value, `toolgate.approvals[${index}]`);
    if (!read.ok) return read;
    if (ids.has(read.value.id)) return fault(`toolgate.approvals[${index}].id`, "is answered twice");
    ids.add(read.value.id);
    answers.push(read.value);
  }
  return ok(answers.length > 0 ? answers : undefined);
}

function readOne(value: unknown, at: string): Result<ApprovalAnswer, RequestFault> {
  if (!isObject(value)) return fault(at, "must be an object with an `id`");
  const strange = Object.keys(value).find((key) => !KEYS.has(key));
  if (strange !== undefined)
    return fault(at, `holds \`${strange.slice(0, 64)}\`, but may hold only ${list([...KEYS])}`);
  const { id, action, reason, grant, enable } = value;
  if (typeof id !== "string" || id === "" || id.length > MAX_ID)
    return fault(`${at}.id`, `must be the id of an approval, a text of 1 to ${MAX_ID} characters`);
  if (action != null && !isAction(action)) return fault(`${at}.action`, `must be ${list(answerActions)}`);
  const isEdit = action === "edit";
  const changes = readChanges(value, at);
  if (!changes.ok) return changes;
  const { set, unset } = changes.value;
  if (!isEdit && (set || unset)) return fault(at, "may hold `arguments` and `unset` only where `action` is `edit`");
  if (isEdit && !set && !unset) return fault(at, "must say with `arguments` or `unset` what the edit changes");
  if (reason != null && (typeof reason !== "string" || reason.length > MAX_REASON))
    return fault(`${at}.reason`, `must be a text of at most ${MAX_REASON} characters`);
  if (reason != null && action !== "deny") return fault(`${at}.reason`, "belongs to the action `deny`");
  if (grant != null && !isObject(grant)) return fault(`${at}.grant`, "must be an object");
  if (grant != null && action !== "approve" && !isEdit)
    return fault(`${at}.grant`, "belongs to the actions `approve` and `edit`");
  if (enable != null && typeof enable !== "boolean") return fault(`${at}.enable`, "must be true or false");
  if (enable === true && action !== "approve" && !isEdit)
    return fault(`${at}.enable`, "belongs to the actions `approve` and `edit`");
  return ok({
    id,
    action: action == null ? undefined : (action as AnswerAction),
    arguments: set,
    unset: unset ?? [],
    reason: typeof reason === "string" ? reason : undefined,
    grant: grant == null ? undefined : (grant as JsonObject),
    enable: enable === true,
  });
}

interface Changes {
  readonly set: JsonObject | undefined;
  readonly unset: readonly string[] | undefined;
}

function readChanges({ arguments: set, unset }: JsonObject, at: string): Result<Changes, RequestFault> {
  if (set != null && !isObject(set)) return fault(`${at}.arguments`, "must be an object: the arguments that change");
  const isNames =
    unset == null ||
    (Array.isArray(unset) && unset.length <= MAX_UNSET && unset.every((name) => typeof name === "string"));
  if (!isNames) return fault(`${at}.unset`, "must be a list of names of arguments");
  return ok({ set: set == null ? undefined : set, unset: unset == null ? undefined : (unset as string[]) });
}

const isAction = (value: unknown): value is AnswerAction => (answerActions as readonly unknown[]).includes(value);
const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
