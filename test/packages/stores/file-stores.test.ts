/** Stores in files: what one process has counted and asked, the next one finds. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateText, type ModelMessage } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileStores, memoryStores } from "../../../src/packages/ai-sdk/index.ts";
import { deskPolicy, openDesk } from "../support/desk.ts";
import { calls, says } from "../support/scripted-model.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-stores-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const auditKey = "test:0123456789abcdef0123456789abcdef";
const limited = {
  ...deskPolicy,
  tools: {
    ...deskPolicy.tools,
    read_file: { category: "read_only", trusted: true, rateLimits: [{ max: 1, window: "1h" }] },
  },
};
const message = { role: "user", content: "Please delete a.ts" } as const;

describe("stores in a folder", () => {
  it("hold limits and the trail for the next process", async () => {
    const ran: number[] = [];
    for (const round of [1, 2]) {
      const desk = openDesk({ policy: limited, stores: fileStores({ folder, auditKey }), sessionId: `s${round}` });
      desk.script.script(calls({ id: "a", tool: "read_file", input: { path: "a.ts" } }), says("Done."));
      await generateText({ ...desk.settings, messages: [message] });
      if (desk.ran.length > 0) ran.push(round);
      if (round === 1) expect((await desk.toolgate.audit()).length).toBe(3);
      else expect((await desk.toolgate.audit()).length).toBe(5);
    }
    expect(ran).toEqual([1]);
  });

  it("hold a question for the next process", async () => {
    const asking = openDesk({ approvals: "native", stores: fileStores({ folder, auditKey }), sessionId: "s" });
    asking.script.script(
      calls({ id: "h", tool: "select_intent", input: { intents: ["EDIT"] } }),
      calls({ id: "d", tool: "delete_file", input: { path: "a.ts" } }),
    );
    const asked = await generateText({ ...asking.settings, messages: [message] });
    const requests = asked.content.filter((part) => part.type === "tool-approval-request");
    const messages: ModelMessage[] = [
      message,
      ...asked.response.messages,
      {
        role: "tool",
        content: requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true })),
      },
    ];
    const other = openDesk({ approvals: "native", stores: fileStores({ folder, auditKey }), sessionId: "s" });
    other.script.script(says("It is gone."));
    await generateText({ ...other.settings, messages });
    expect(other.ran).toEqual([["delete_file", { path: "a.ts" }]]);
  });

  it("close the least recently used user, and open it again where it is needed", async () => {
    const stores = fileStores({ folder, auditKey, maxUsers: 2 });
    const ran: string[] = [];
    for (const user of ["a", "b", "c", "d", "a"]) {
      const desk = openDesk({ policy: limited, stores, principal: { user } });
      desk.script.script(calls({ id: "a", tool: "read_file", input: { path: "a.ts" } }), says("Done."));
      await generateText({ ...desk.settings, messages: [{ role: "user", content: `Hello from ${user}` }] });
      if (desk.ran.length > 0) ran.push(user);
    }
    expect(ran).toEqual(["a", "b", "c", "d"]);
  });
});

describe("stores in memory", () => {
  it("refuse a key that seals nothing", async () => {
    await expect(memoryStores({ auditKey: "short" })).rejects.toThrow("auditKey");
  });
});
