import { expect, it } from "vitest";
import { yesWords } from "../../src/console/inbox/card/verbs.ts";

const wordsOf = (tool: string, category: string | null = "modification") =>
  yesWords({ tool, details: { category } as Parameters<typeof yesWords>[0]["details"] });

it("names the act on the button of a yes where the tool's name does, and says for the ear that it approves", () => {
  expect(wordsOf("refund")).toEqual({ text: "Refund", label: "Approve: Refund" });
  expect(wordsOf("mcp__crm__delete_customer").text).toBe("Delete");
  expect(wordsOf("gnorm_annotate")).toEqual({ text: "Approve", label: "Approve" });
});

it("names no act that says less than the tool may do, or that reads like a no", () => {
  expect(wordsOf("get_everything").text).toBe("Approve");
  expect(wordsOf("get_everything", null).text).toBe("Approve");
  expect(wordsOf("get_everything", "read_only").text).toBe("Read");
  expect(wordsOf("cancel_order").text).toBe("Approve");
});
