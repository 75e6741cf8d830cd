/** Asks a program, or a person without a window: one line in, one answer. */
import { createInterface } from "node:readline";
import type { AnswerBody, ApprovalView } from "../../api-views/approval-views.ts";
import { askedIn } from "../../approvals/answers/acts.ts";
import { onlyPraises } from "../../approvals/answers/praise.ts";
import { type AnswerPart, readAnswer } from "../../approvals/answers/read-answer.ts";
import { splitFields } from "../../approvals/answers/read-changes.ts";
import { saysOtherAct } from "../../approvals/answers/repeats-question.ts";
import { membersOf } from "../../approvals/disclosure/members.ts";
import { coerceChange } from "../../approvals/edit/coerce-change.ts";
import { changedArguments, fieldSchemas, misplacedField } from "../../approvals/edit/fields.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type Answers, type Asker, lastingAnswer, type NativeAnswer } from "./asker.ts";
import { moreSections, questionLines } from "./question-box.ts";
import type { Screen } from "./screen.ts";

export function linesAsker(screen: Screen, prompt: string): Asker {
  const reader = createInterface({ input: process.stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    if (prompt !== "") process.stdout.write(prompt);
    const { done, value } = await lines.next();
    return done ? undefined : value;
  };
  return {
    async message() {
      for (;;) {
        const line = await next();
        if (line === undefined || line.trim() !== "") return line;
      }
    },
    answers: (approvals, problem) => askAll(screen, next, approvals, problem),
    holdKeys: () => () => {},
  };
}

/** One line may answer all: `yes K7QF, no 3M2P`. */
async function askAll(
  screen: Screen,
  next: () => Promise<string | undefined>,
  approvals: readonly ApprovalView[],
  problem: string | undefined,
): Promise<Answers> {
  const given = new Map<string, AnswerBody>();
  if (problem !== undefined) screen.aside(problem);
  for (const approval of approvals)
    for (const line of questionLines(approval, { style: screen.style, now: Date.now() })) screen.line(line);
  for (;;) {
    const open = approvals.filter(({ id }) => !given.has(id));
    if (open.length === 0) return { kind: "answers", answers: answersOf(approvals, given) };
    const line = await next();
    if (line === undefined) return { kind: "left" };
    const read = readLine(line, open);
    if (read === undefined) return { kind: "message", text: line };
    if (!read.ok) {
      screen.aside(read.error);
      continue;
    }
    for (const { approval, answer } of read.value) {
      if (answer) given.set(approval.id, answer);
      else for (const row of moreSections(approval, screen.style).flat()) screen.line(row);
    }
  }
}

const answersOf = (
  approvals: readonly ApprovalView[],
  given: ReadonlyMap<string, AnswerBody>,
): readonly NativeAnswer[] => approvals.map(({ id }) => ({ id, ...given.get(id) }) as NativeAnswer);

interface LineAnswer {
  readonly approval: ApprovalView;
  /** Undefined: the person wants to know more. */
  readonly answer: AnswerBody | undefined;
}

/** Undefined if the line is no answer. The words are those of a chat: `yes`, `no: reason`, `edit path=b.txt`, `always`. */
export function readLine(
  line: string,
  open: readonly ApprovalView[],
): Result<readonly LineAnswer[], string> | undefined {
  const parts = readAnswer(/^\s*\?\s*$/.test(line) ? "learn more" : line);
  if (parts === undefined) return undefined;
  if (parts.some(({ action }) => action === "unread"))
    return err("that could not be read as an answer: nothing was done, and nothing was cancelled");
  const out: LineAnswer[] = [];
  for (const part of parts) {
    const meant = callsOf(part, open);
    if (!meant.ok) return meant;
    for (const approval of meant.value) {
      const answer = answerOf(part, approval);
      if (!answer.ok) return answer;
      out.push({ approval, answer: answer.value });
    }
  }
  return ok(out);
}

function callsOf({ codes, all }: AnswerPart, open: readonly ApprovalView[]): Result<readonly ApprovalView[], string> {
  if (all) return ok(open);
  if (codes.length === 0)
    return open.length === 1 ? ok(open) : err("several calls wait: say which one by its code, or `yes all`");
  const named = codes.map((code) => open.find((approval) => approval.code === code));
  const unknown = codes.find((_, index) => named[index] === undefined);
  return unknown === undefined
    ? ok(named.filter((one) => one !== undefined))
    : err(`no call with the code \`${unknown}\` waits here`);
}

function answerOf(part: AnswerPart, approval: ApprovalView): Result<AnswerBody | undefined, string> {
  switch (part.action) {
    case "approve":
      return approvalOf(part.words, approval);
    case "always":
      return ok(lastingAnswer(approval));
    case "endorse":
      return approval.endorsable
        ? ok({ action: "approve", endorse: true })
        : err("there is no result whose values could be used: write `yes` or `no`");
    case "deny":
      return ok({ action: "deny", ...(part.reason === null ? {} : { reason: part.reason }) });
    case "edit":
      return editOf(part.edit, approval);
    case "preview":
    case "learn_more":
      return ok(undefined);
    default:
      return err("write `yes`, `no`, `edit FIELD=VALUE` or `?`");
  }
}

/** "Enable it", where the question is whether to disable something, and "perfect", where it is whether to delete it, are no yes. */
function approvalOf(words: string | undefined, { question, tool }: ApprovalView): Result<AnswerBody, string> {
  const asked = askedIn(question, tool);
  if (words !== undefined && saysOtherAct(words, asked))
    return err("that is another act than the one in question: write `yes` or `no`");
  if (words !== undefined && onlyPraises(words, tool, asked))
    return err("that may be said of the thing itself: write `yes` or `no`");
  return ok({ action: "approve" });
}

function editOf(text: string, approval: ApprovalView): Result<AnswerBody, string> {
  if (!approval.editable) return err("the arguments of this call cannot be edited");
  const json = text.startsWith("{") ? parseStrictJson(text) : undefined;
  if (json) {
    if (!json.ok || !isObject(json.value)) return err("that is no JSON object: nothing was changed");
    const stray = misplacedField(approval, json.value);
    if (stray !== undefined) return err(`\`${stray}\` cannot be changed beside the object that it belongs into`);
    return ok({ action: "edit", arguments: changedArguments(approval, json.value) });
  }
  const { tool, arguments: args } = approval;
  const names = Object.keys(membersOf(tool, args));
  const schemas = new Map<string, unknown>([
    ...names.map((name) => [name, undefined] as const),
    ...fieldSchemas(approval),
  ]);
  const set = new Map<string, unknown>();
  for (const { name, value } of splitFields(text, new Set(schemas.keys()))) {
    if (!schemas.has(name)) return err(`there is no argument \`${name}\`; there are ${[...schemas.keys()].join(", ")}`);
    const read = coerceChange(value, schemas.get(name));
    if (!read.ok) return err(`\`${name}\`: ${read.error}`);
    set.set(name, read.value);
  }
  if (set.size === 0) return err("write what to change: `edit FIELD=VALUE`");
  return ok({ action: "edit", arguments: changedArguments(approval, Object.fromEntries(set)) });
}
