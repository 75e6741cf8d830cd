import { describe, expect, it } from "vitest";
import type { PolicyUpdate } from "../../../src/cli/policy/admin-client.ts";
import { runBlocking } from "../../../src/lib/concurrency.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import { changeSummary } from "../../../src/policy/compare/change-text.ts";
import { comparing } from "../../../src/policy/compare/compare.ts";

function checked(document: unknown) {
  const result = checkPolicy(document, "v");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** As the gateway tells it: through JSON. */
const summary = (before: unknown, after: unknown): string[] =>
  changeSummary(JSON.parse(JSON.stringify(runBlocking(comparing(checked(before), checked(after), [])))));

const look = { category: "read_only" };
const open = { tools: { look, grep: look, write: { category: "modification", confirm: "auto" } } };

describe("the summary of what a policy changes", () => {
  it("says nothing of the same policy", () => {
    expect(summary(open, open)).toEqual([]);
    expect(changeSummary(null)).toEqual([]);
  });

  it("says first who loses and who gains which tools, those of one kind together", () => {
    const admins = { ...look, roles: ["admin"] };
    const closed = { tools: { ...open.tools, look: admins, grep: admins } };
    expect(summary(open, closed)).toEqual([
      "guest, premium, user lose grep, look in 2 situations (role_forbids)",
      'roles: grep - → ["admin"], look - → ["admin"]',
    ]);
    expect(summary(closed, open)[0]).toBe("guest, premium, user gain grep, look in 2 situations (was role_forbids)");
  });

  it("says which tools ask from now on, which no longer do, and which another category has", () => {
    const asking = { tools: { ...open.tools, write: { category: "external", destination: "it" } } };
    expect(summary(open, asking)).toEqual([
      "the first use is asked from now on: write",
      "category: write modification → external",
      "other settings of the tools: write",
    ]);
    const careful = { tools: { ...open.tools, write: { category: "modification" } } };
    expect(summary(open, careful)[0]).toBe("a person is asked from now on: write");
    expect(summary(careful, open)[0]).toBe("nobody is asked any more: write");
  });

  describe("of conditions, limits, order and trust", () => {
    const refund = {
      category: "modification",
      conditions: [
        {
          if: { properties: { amount: { exclusiveMinimum: 100 } }, required: ["amount"] },
          effect: "ask",
          say: "large",
        },
      ],
      rateLimits: [{ max: 5, window: "1h" }],
      atMost: { task: 2 },
      after: ["look"],
      neverAfter: ["grep"],
      arguments: { amount: { role: "amount" } },
    };
    const strict = { tools: { ...open.tools, refund }, directory: ["*@corp.com"] };
    const loose = {
      tools: {
        look: { ...look, trusted: ["/email"], directory: true },
        grep: { ...look, trusted: true },
        write: open.tools.write,
        refund: { category: "modification" },
      },
      directory: ["*@corp.com", "*@other.com"],
    };

    it("has a line for each kind that is loosened", () => {
      expect(summary(strict, loose)).toEqual([
        "conditions lifted: refund (amount)",
        "limits lifted: refund (5 in 1 h, 2 per task)",
        "order lifted: refund (after look, never after grep)",
        "results trusted from now on: grep, look (/email, directory)",
        "roles of arguments: refund (amount amount → -)",
        "destinations trusted from now on: *@other.com",
      ]);
    });

    it("has one for each kind that is tightened", () => {
      expect(summary(loose, strict)).toEqual([
        "roles of arguments: refund (amount - → amount)",
        "conditions added: refund (amount)",
        "limits added: refund (5 in 1 h, 2 per task)",
        "order added: refund (after look, never after grep)",
        "results not trusted any more: grep, look (/email, directory)",
        "destinations not trusted any more: *@other.com",
      ]);
    });

    it("tells a limit that is raised, and a condition that says something else, before what is withheld", () => {
      const [condition] = refund.conditions;
      const raised = {
        ...refund,
        roles: ["admin"],
        atMost: { task: 20 },
        rateLimits: [{ max: 1, window: "1h" }],
        conditions: [{ ...condition, if: { properties: { amount: { exclusiveMinimum: 500 } }, required: ["amount"] } }],
      };
      const lines = summary(strict, { ...strict, tools: { ...open.tools, refund: raised } });
      expect(lines.slice(0, 2)).toEqual([
        "conditions changed: refund (amount)",
        "limits raised: refund (2 → 20 per task)",
      ]);
      expect(lines[2]).toContain("lose refund");
      expect(lines).toContain("limits lowered: refund (5 → 1 in 1 h)");
      expect(lines.join("\n")).not.toContain("other settings");
    });
  });

  it("tells a duration as a policy writes it", () => {
    const short = { ...open, confirmation: { inlineExpiresAfter: "1m" } };
    expect(summary(open, short)).toEqual(["settings: /confirmation/inlineExpiresAfter 1d → 1m"]);
  });

  it("names intents, modes, hosts and settings", () => {
    const run = { kind: "http", method: "GET", url: "https://crm.example.com/x" };
    const after = {
      tools: { ...open.tools, find: { ...look, description: "find", run, parameters: { type: "object" } } },
      intents: { TIDY: { description: "tidy up", tools: ["write"] } },
      modes: { quiet: { allow: ["category:read_only"] } },
      audit: { retentionDays: 7 },
    };
    const lines = summary(open, after);
    expect(lines).toContain("host crm.example.com added: +tool find");
    expect(lines).toContain("intents: added TIDY; removed general");
    expect(lines).toContain("modes: added quiet");
    expect(lines.at(-1)).toContain("/audit/retentionDays 90 → 7");
  });

  it("stays short whatever changes", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`tool_${index}`, look]));
    const intents = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`I_${index}`, { description: "x", tools: [`tool_${index}`] }]),
    );
    const lines = summary(open, { tools: many, intents });
    expect(lines.length).toBeLessThan(16);
    expect(lines.join("\n")).toMatch(/tool_1, .* and \d+ more/);
    for (const line of lines) expect(line.length).toBeLessThan(600);
  });

  it("says that there is more where the gateway does", () => {
    const changes: PolicyUpdate["changes"] = { tools: [], truncated: true };
    expect(changeSummary(changes)).toEqual(["there is more that changes than the gateway tells"]);
  });
});
