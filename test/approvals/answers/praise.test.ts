/** Mere praise is asked about again before what deletes, cancels or pays, and is a yes to anything else. */
import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { isPlainYes } from "../../../src/approvals/answers/read-answer.ts";
import { resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { approvalOf } from "../samples.ts";

function readingOf(name: string, text: string, waits = 1): string {
  const waiting = ["K7QF", "3M2P"]
    .slice(0, waits)
    .map((code) => approvalOf(code, { traits: { name }, arguments: { id: code } }));
  const codes = waiting.map(({ code }) => code);
  const settings = { typedCode: false, now: 1_000 };
  const said = answerInMessage(text, codes, frameText(waiting, settings));
  if (said === undefined) return "cancels";
  const resolution = resolveAnswers(said, waiting, { ...settings, language: "en", grants: true });
  return resolution.kind === "reply" ? "asks" : resolution.answers.map(({ action }) => action).join(" ");
}

const praise =
  "great|excellent|Great, thanks!|perfect|good|spot on|perfekt|super|sehr gut|prima, danke|genial|perfecto|muy bien|génial|parfait|très bien|完美|很好|不错|完璧|いいね|좋아요|완벽해요|perfect, that one".split(
    "|",
  );
const grave = ["delete_file", "cancel_order", "pay_invoice", "refund_order", "purge_cache"];

describe("mere praise", () => {
  it.each(praise)("lets nothing run that takes away or costs: %s", (text) => {
    for (const tool of grave) expect([tool, readingOf(tool, text)]).toEqual([tool, "asks"]);
    expect(readingOf("delete_file", "great, both", 2)).toBe("asks");
  });

  it.each(praise)("is a yes to anything else, and to an offer: %s", (text) => {
    expect(readingOf("update_task", text)).toBe("approve");
    if (!text.includes("one")) expect(isPlainYes(text)).toBe(true);
  });

  it.each([
    "yes, perfect",
    "perfect, yes please",
    "great, go ahead",
    "👍 super",
    "ja, perfekt",
    "sí, genial",
    "好的，完美",
    "great, delete it",
    "perfect K7QF",
  ])("adds nothing to a yes, an order or a code: %s", (text) => {
    expect(readingOf("delete_file", text)).toBe("approve");
  });
});
