import { describe, expect, it } from "vitest";
import studyAgent from "../../../policies/study-agent.json" with { type: "json" };
import { compileEntities } from "../../../src/intent/entities/compile-entities.ts";
import { isSlotAnswer } from "../../../src/intent/entities/slot-answer.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { policyOf } from "../../support/policy.ts";

const policy = policyOf(studyAgent);
const entities = compileEntities(policy);

describe("a message that only names values", () => {
  it.each(["N4 please", "10 cards", "level 3", "about particles", "N5, 20 questions", "動詞", "keigo, please"])(
    "answers a question: %s",
    (text) => expect(isSlotAnswer(entities, text, workBudget())).toBe(true),
  );

  it.each([
    "what is the capital of France?",
    "delete the N4 cards",
    "what is love",
    "hello there",
    "pay 10 EUR to ada@example.com now",
    `N4 ${"x ".repeat(40)}`,
    "",
  ])("and nothing else does: %s", (text) => expect(isSlotAnswer(entities, text, workBudget())).toBe(false));
});
