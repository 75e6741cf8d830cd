/** Reads a question from a part of a message. The part is untrusted input: every field is checked. Pure. */
import { isObject, type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import { shownLine } from "../../lib/text/visible-text.ts";
import { wholeValue } from "../../lib/text/whole-value.ts";

export interface ApprovalRequest {
  readonly id: string;
  readonly tool: string;
  /** Names the act: "Delete `old.txt`?" Untrusted text is between backticks. */
  readonly question: string;
  /** Its effects, a sentence each. */
  readonly effects: readonly string[];
  readonly arguments: readonly ApprovalArgument[];
  /** False if it cannot be undone. */
  readonly reversible: boolean;
  readonly editable: boolean;
  readonly grantable: boolean;
  /** What the answer's `enable` does: the tool is enabled for this session, or until that is withdrawn. */
  readonly enables: "session" | "withdrawn" | undefined;
  /** The tool whose result the answer's `endorse` lets the rest of the task use values of. */
  readonly endorses: string | undefined;
  readonly expiresAt: Date | undefined;
  /** The question's language. */
  readonly language: string | undefined;
  /** The person's answer; undefined while the question waits. */
  readonly answer: "approved" | "denied" | undefined;
}

export interface ApprovalArgument {
  readonly name: string;
  readonly value: unknown;
  /** The whole value, so that two different ones never look the same: invisible characters are written as escapes. */
  readonly text: string;
  /** Any value but a text. */
  readonly isJson: boolean;
  /** The policy hides it from the approver. */
  readonly isHidden: boolean;
  /** Records leave it out: show it on demand. */
  readonly isPrivate: boolean;
}

export interface ApprovalGrant {
  /** `session`, `withdrawn`, or a duration such as `8h`. */
  readonly until: string;
  readonly arguments?: Readonly<Record<string, { readonly equals: unknown } | { readonly matches: string }>>;
}

export type ApprovalAnswer =
  | {
      readonly action: "approve";
      readonly enable?: boolean;
      readonly endorse?: boolean;
      readonly grant?: ApprovalGrant;
    }
  | {
      readonly action: "edit";
      /** Members to replace. */
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly unset?: readonly string[];
      readonly enable?: boolean;
      readonly grant?: ApprovalGrant;
    }
  /** The assistant gets the reason. */
  | { readonly action: "deny"; readonly reason?: string };

/** @returns undefined if the part asks nothing, or its question is settled. */
export function approvalOf(part: unknown): ApprovalRequest | undefined {
  if (!isObject(part) || (part.state !== "approval-requested" && part.state !== "approval-responded")) return undefined;
  const { approval } = part;
  if (!isObject(approval) || typeof approval.id !== "string") return undefined;
  const view = isObject(approval.descriptor) ? approval.descriptor : {};
  const details = isObject(view.details) ? view.details : {};
  const tool = textIn(view.tool) ?? textIn(part.toolName) ?? String(part.type).replace(/^tool-/, "");
  const first = isObject(view.first_use) ? view.first_use.enables : undefined;
  const endorsable = isObject(view.endorsable) ? textIn(view.endorsable.tool) : undefined;
  const expires = new Date(textIn(view.expires_at) ?? "");
  return {
    id: approval.id,
    tool,
    question: textIn(view.question) ?? textIn(approval.requestReason) ?? `\`${tool}\`?`,
    effects: objectsIn(details.effects).flatMap(({ text }) => textIn(text) ?? []),
    arguments: argumentsOf(isObject(view.arguments) ? view.arguments : part.input, objectsIn(details.arguments)),
    reversible: view.reversible === true,
    editable: view.editable === true,
    grantable: view.grantable === true,
    enables: first === "session" || first === "withdrawn" ? first : undefined,
    endorses: endorsable,
    expiresAt: Number.isNaN(expires.getTime()) ? undefined : expires,
    language: textIn(details.language),
    answer: part.state === "approval-requested" ? undefined : approval.approved === true ? "approved" : "denied",
  };
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function argumentsOf(values: unknown, disclosed: readonly JsonObject[]): ApprovalArgument[] {
  if (!isObject(values)) return [];
  const placeOf = (name: string) => {
    const at = disclosed.findIndex((one) => one.name === shownLine(name).text);
    return at === -1 ? disclosed.length : at;
  };
  return Object.entries(values)
    .sort(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([name, value]) => {
      const known = disclosed[placeOf(name)];
      const { text, isJson } = wholeValue(value);
      return { name, value, text, isJson, isHidden: known?.redacted === true, isPrivate: known?.private === true };
    });
}
