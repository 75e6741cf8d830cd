/** One part of an answer (`yes K7QF` of `yes K7QF, no 3M2P`) and the calls that it means. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Approval, GrantTerms } from "../approval.ts";
import { grantsLater } from "../disclosure/frame.ts";
import { fillWords } from "../words/fill-words.ts";
import type { Words } from "../words/words.ts";
import { fieldList, readChanges } from "./read-changes.ts";
import type { ResolvedAnswer, ResolveSettings } from "./resolution.ts";
import type { SaidPart } from "./said.ts";
import { tellMore, tellPreview } from "./tell-more.ts";

export interface Told {
  readonly settings: ResolveSettings;
  readonly words: Words;
  readonly pending: readonly Approval[];
  /** Answered elsewhere, expired or cancelled. */
  readonly settled: readonly Approval[];
}

type Resolved = Result<readonly ResolvedAnswer[], string>;

/** @returns the text of a reply where it is no answer that can be taken. */
export function resolvePart(part: SaidPart, told: Told): Resolved {
  const { words, pending, settled } = told;
  const known = new Map([...settled, ...pending].map((approval) => [approval.code, approval]));
  const wrong = part.codes.find((code) => !known.has(code));
  if (wrong !== undefined) return err(fillWords(words.replies.wrongCode, { code: `\`${wrong}\`` }));
  const named = part.codes.flatMap((code) => known.get(code) ?? []);
  const meant = named.length > 0 ? named : pending;
  switch (part.action) {
    case "preview":
      return err(tellPreview(meant, words));
    case "learn_more":
      return err(tellMore(meant, words));
    case "code":
      return err(fillWords(words.replies.codeAlone, { code: part.codes.map((code) => `\`${code}\``).join(", ") }));
    case "unread":
      return err(words.replies.unread);
    case "continue":
      return settled.length > 0 ? ok([]) : err(words.replies.stillWaiting);
    default:
      return decide(part, meant, told);
  }
}

function decide(part: SaidPart, meant: readonly Approval[], { words, pending, settled, settings }: Told): Resolved {
  const { replies, frame } = words;
  const decided =
    part.codes.length > 0 ? meant.filter((one) => !pending.includes(one)) : pending.length === 0 ? settled : [];
  // A no is the caller's to heed: the call must not run because somebody said yes elsewhere.
  const changes = part.action !== "approve" && part.action !== "deny";
  if (changes && decided.some(({ status }) => status === "approved")) {
    return err(fillWords(replies.decidedElsewhere, { yes: `\`${frame.options.yes}\`` }));
  }
  const open = meant.filter((one) => pending.includes(one));
  if (part.codes.length === 0 && !part.all && open.length > 1) return err(replies.whichOne);
  if (settings.typedCode && part.codes.length === 0 && part.action !== "deny" && open.length > 0)
    return err(replies.typeCode);
  const answers: ResolvedAnswer[] = [];
  for (const approval of open) {
    const others = pending.flatMap((one) => (one === approval ? [] : [one.code]));
    const answer = answerTo(approval, part, words, settings, others);
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return ok(answers);
}

function answerTo(
  approval: Approval,
  part: SaidPart,
  words: Words,
  settings: ResolveSettings,
  others: readonly string[],
): Result<ResolvedAnswer, string> {
  const { replies } = words;
  switch (part.action) {
    case "always": {
      // Enabled is not granted: what asks with each call goes on asking, until that is allowed in its turn.
      if (approval.asks.includes("first_use")) return ok({ approval, action: "approve", enables: true });
      if (!settings.grants || !grantsLater(approval)) return err(replies.noGrant);
      return ok({ approval, action: "approve", grant: grantHere(settings) });
    }
    case "deny":
      return ok({ approval, action: "deny", ...(part.reason === null ? {} : { reason: part.reason }) });
    case "edit": {
      if (!approval.editable) return err(replies.notEditable);
      if (part.edit === "") return err(howToEdit(approval, words));
      const changes = readChanges(part.edit, approval, words, others);
      return changes.ok ? ok({ approval, action: "edit", changes: changes.value }) : changes;
    }
    default:
      return ok({ approval, action: "approve" });
  }
}

/** What the question says of `always`: this tool, any arguments, this session. */
const grantHere = ({ now, longestGrant }: ResolveSettings): GrantTerms => ({
  session: true,
  expiresAt: longestGrant === undefined ? null : now + longestGrant,
  arguments: {},
});

function howToEdit(approval: Approval, { replies, frame }: Words): string {
  const example = `\`${frame.options.edit} ${frame.field}\``;
  return `${fillWords(replies.howToEdit, { example })}\n\n${fieldList(approval)}`;
}
