/** Calls whose every text somebody wrote to harm the page or who reads it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import { hasChromium, phone } from "./chromium.ts";
import { approval, argument } from "./sample-approvals.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

const evil = `"><img src=x onerror="document.title='harmed'"><script>document.title='harmed'</script>`;
const long = "n".repeat(80);
const text = `${evil} ${long}`;

const hostile = (): ApprovalView =>
  approval({
    tool: text,
    question: text,
    arguments: { [text]: evil, rtl: "שלום 123 abc", list: ["a"], deep: { deep: 1 }, text: "x".repeat(2000) },
    schema: {
      type: "object",
      properties: {
        [text]: { type: "string", title: text, description: text },
        rtl: { enum: ["שלום 123 abc", evil, ...Array.from({ length: 2000 }, (_, index) => `v${index}`)] },
        list: { type: "array", items: { type: "string", pattern: "(a+)+$" } },
        self: { $ref: "#" },
      },
    },
    details: {
      summary: text,
      effects: [{ kind: "note", text }],
      arguments: [argument(text, evil), argument("text", `${"x".repeat(300)}…`)],
      more: 3,
      changes: [{ kind: "added", text }],
      destination: text,
      learn_more: text,
    },
  });

describe.skipIf(!hasChromium)("a hostile call among two hundred", () => {
  test("is text and nothing else, within the narrowest phone, in each of its panels", async () => {
    const one = hostile();
    const { page, complaints, strangers } = await stage.enter(
      { ...phone, viewport: { width: 320, height: 640 } },
      ({ approvals }) => {
        for (const each of [one, ...Array.from({ length: 200 }, () => approval({}))]) approvals.set(each.id, each);
      },
    );
    await page.locator(`#row-${one.id}`).click();
    const card = page.locator(`[data-approval="${one.id}"]`);
    await card.getByRole("button", { name: "Show everything" }).click();
    expect(await page.locator(".call-row").count()).toBe(201);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(320);
    for (const panel of ["Deny", "Edit", "Always allow …"]) {
      await card.getByRole("button", { name: panel, exact: true }).click();
      expect([panel, await width()]).toEqual([panel, 320]);
      await card.getByRole("button", { name: "Back" }).click();
    }
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).not.toContain("harmed");
    expect([complaints, strangers]).toEqual([[], []]);
  });
});
