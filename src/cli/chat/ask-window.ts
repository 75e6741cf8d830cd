/** Asks a person who looks at a window: keys for questions, a form for edits, a line for messages. */
import { isCancel, SelectKeyPrompt, TextPrompt } from "@clack/core";
import { text } from "@clack/prompts";
import type { AnswerBody, ApprovalView } from "../../api-views/approval-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { type Answers, type Asker, lastingAnswer, type NativeAnswer } from "./asker.ts";
import { editForm } from "./edit-form.ts";
import { dropTyped, holdKeys, untilLeft } from "./hold-keys.ts";
import { keysOf, moreSections, type QuestionKey, questionSections } from "./question-box.ts";
import type { Screen } from "./screen.ts";

export function windowAsker(screen: Screen): Asker {
  return {
    message: () => askMessage(screen),
    answers: (approvals, problem) => askAll(screen, approvals, problem),
    holdKeys,
  };
}

async function askMessage(screen: Screen): Promise<string | undefined> {
  for (;;) {
    const mark = screen.style.paint("bold", screen.style.unicode ? "›" : ">");
    const leave = new AbortController();
    const prompt = new TextPrompt({
      signal: leave.signal,
      render() {
        const done = this.state === "submit" || this.state === "cancel";
        return `${mark} ${done ? this.userInput : this.userInputWithCursor}`;
      },
    });
    prompt.on("key", (_, key) => {
      if (key.ctrl && key.name === "d" && prompt.userInput === "") leave.abort();
    });
    const message = await prompt.prompt();
    // A half-written line is discarded first; on an empty line the person leaves.
    if (isCancel(message) || message === undefined) {
      if (prompt.userInput === "") return undefined;
    } else if (message.trim() !== "") return message;
  }
}

async function askAll(
  screen: Screen,
  approvals: readonly ApprovalView[],
  problem: string | undefined,
): Promise<Answers> {
  const answers: NativeAnswer[] = [];
  if (problem !== undefined) screen.line(screen.style.paint("red", problem));
  for (const [index, approval] of approvals.entries()) {
    const place = approvals.length > 1 ? `[${index + 1}/${approvals.length}]` : undefined;
    const answer = await askOne(screen, approval, place);
    if (answer === undefined) return { kind: "left" };
    answers.push({ id: approval.id, ...answer });
  }
  return { kind: "answers", answers };
}

/** Undefined if the person leaves it open. */
async function askOne(
  screen: Screen,
  approval: ApprovalView,
  place: string | undefined,
): Promise<AnswerBody | undefined> {
  for (;;) {
    screen.box(questionSections(approval, { style: screen.style, now: Date.now(), place }), "yellow");
    await dropTyped();
    const key = await askKey(screen, keysOf(approval), Date.parse(approval.expires_at));
    const answer = key === undefined ? undefined : await answerOf(screen, approval, key);
    if (key === undefined || answer) return answer;
  }
}

/** Undefined if another question comes first. */
async function answerOf(
  screen: Screen,
  approval: ApprovalView,
  key: QuestionKey["key"],
): Promise<AnswerBody | undefined> {
  switch (key) {
    case "y":
      return { action: "approve" };
    case "n":
      return askReason();
    case "e":
      return editedAnswer(screen, approval);
    case "a":
      return lastingAnswer(approval);
    case "v":
      return { action: "approve", endorse: true };
    case "?":
      screen.box(moreSections(approval, screen.style));
      return undefined;
  }
}

async function askReason(): Promise<AnswerBody> {
  const message = "Why not? The model reads it (Enter: no reason).";
  const reason = await untilLeft((signal) => text({ message, signal }));
  return isCancel(reason) || (reason ?? "").trim() === ""
    ? { action: "deny" }
    : { action: "deny", reason: reason.trim().slice(0, MAX_REASON) };
}

/** As the gateway has it. */
const MAX_REASON = 1_000;

async function editedAnswer(screen: Screen, approval: ApprovalView): Promise<AnswerBody | undefined> {
  const changes = await editForm(approval.schema, isObject(approval.arguments) ? approval.arguments : {});
  if (changes === undefined) {
    screen.line("Nothing was changed.");
    return undefined;
  }
  return { action: "edit", arguments: changes.arguments, unset: changes.unset };
}

async function askKey(
  screen: Screen,
  keys: readonly QuestionKey[],
  expiresAt: number,
): Promise<QuestionKey["key"] | undefined> {
  const names = keys.map(({ key }) => key.toUpperCase()).join("/");
  const end = AbortSignal.timeout(Math.min(Math.max(expiresAt - Date.now(), 0) || 0, 2 ** 31 - 1));
  for (;;) {
    const key = await untilLeft((signal) =>
      new SelectKeyPrompt({
        options: keys.map(({ key: value }) => ({ value })),
        signal: AbortSignal.any([signal, end]),
        render() {
          return `${screen.style.paint("bold", `${names}:`)} ${this.state === "submit" && this.value ? this.value : ""}`;
        },
      }).prompt(),
    );
    if (end.aborted) screen.line("Nobody answered in time: it is not run.");
    if (isCancel(key)) return undefined;
    // Enter alone is no answer.
    if (key !== undefined) return key;
  }
}
