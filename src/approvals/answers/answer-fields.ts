/**
 * The fields of a person's answer to an approval, whichever request brings them. Pure. Nothing is passed over: an answer misread
 * would run a call that nobody meant. `null` says nothing.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import { type AnswerAction, answerActions } from "../approval.ts";
import type { Changes } from "../edit/edit.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface AnswerFields {
  /** Undefined where the answer has none: the request decides whether it must. */
  readonly action: AnswerAction | undefined;
  /** With `edit`; never empty. */
  readonly changes: Changes | undefined;
  /** With `deny` alone. */
  readonly reason: string | null;
  /** Not checked yet: that takes the call. */
  readonly grant: unknown;
  /** The tool is enabled beyond this call, where its first use is asked about. */
  readonly enables: boolean;
}

export interface FieldFault {
  readonly field: string;
  /** To be written behind the field's name. */
  readonly message: string;
  readonly unknown?: true;
}

/** UTF-16 units of the person's own words, which the model is told. */
export const MAX_REASON = 1_000;
/** More members than any call that a person could look through. */
const MAX_UNSET = 200;

const NAMES: ReadonlySet<string> = new Set(["action", "arguments", "unset", "reason", "grant", "enable"]);

const fault = (field: string, message: string): Result<never, FieldFault> => err({ field, message });

export function readAnswerFields(fields: Fields): Result<AnswerFields, FieldFault> {
  const unknown = Object.keys(fields).find((name) => !NAMES.has(name));
  if (unknown !== undefined)
    return err({ field: unknown, message: `is no field of an answer: it has ${[...NAMES].join(", ")}`, unknown: true });
  const action = answerActions.find((one) => one === fields.action);
  if (fields.action != null && action === undefined)
    return fault("action", `must be ${answerActions.map((one) => `\`${one}\``).join(", ")}`);
  const changes = readChanges(fields, action);
  if (!changes.ok) return changes;
  const reason = readReason(fields, action);
  if (!reason.ok) return reason;
  const grant = fields.grant ?? undefined;
  if (grant !== undefined && action !== "approve" && action !== "edit")
    return fault("grant", "is for the actions `approve` and `edit`: leave it out, or approve");
  const { enable = null } = fields;
  if (enable !== null && typeof enable !== "boolean") return fault("enable", "must be true or false");
  if (enable && action !== "approve" && action !== "edit")
    return fault("enable", "is for the actions `approve` and `edit`: leave it out, or approve");
  return ok({ action, changes: changes.value, reason: reason.value, grant, enables: enable === true });
}

function readChanges(
  { arguments: set, unset }: Fields,
  action: AnswerAction | undefined,
): Result<Changes | undefined, FieldFault> {
  if (action !== "edit") {
    const extra = set != null ? "arguments" : unset != null ? "unset" : undefined;
    return extra === undefined ? ok(undefined) : fault(extra, 'is for `"action": "edit"`: send that, or leave it out');
  }
  if (set != null && !isFields(set)) return fault("arguments", "must be an object: the arguments to change, by name");
  const names = unset == null ? [] : readNames(unset);
  if (names === undefined) return fault("unset", `must be a list of at most ${MAX_UNSET} names of arguments`);
  const members = Object.keys(set ?? {});
  if (members.length === 0 && names.length === 0)
    return fault("arguments", "or `unset` must say what the edit changes; to change nothing, approve");
  const both = names.find((name) => members.includes(name));
  if (both !== undefined) return fault("unset", `names \`${both.slice(0, 64)}\`, which \`arguments\` sets: choose one`);
  return ok({ set: set ?? {}, unset: names });
}

function readNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_UNSET) return undefined;
  return value.every((name): name is string => typeof name === "string") ? [...new Set(value)] : undefined;
}

function readReason({ reason }: Fields, action: AnswerAction | undefined): Result<string | null, FieldFault> {
  if (reason == null) return ok(null);
  if (action !== "deny") return fault("reason", 'is for `"action": "deny"`: leave it out');
  const words = typeof reason === "string" && reason.length <= MAX_REASON && reason.isWellFormed() ? reason.trim() : "";
  return words === "" ? fault("reason", `must be text of 1 to ${MAX_REASON} characters`) : ok(words);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
