/** The head of a draft. */
import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { jsoncText } from "../../../src/cli/policy/init/jsonc-text.ts";
import { withoutComments } from "../../../src/lib/json/json-comments.ts";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";

const text = { type: "string" };
const tool = (name: string, description: string, properties: object = {}, annotations: object = {}): ToolWords => ({
  ...{ name, description, annotations },
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const drafted = (...tools: readonly ToolWords[]) => draftPolicy(tools, "drafted");

describe("the head of a draft", () => {
  it("has a line for each tool: what it does, when it asks, what must be the user's", () => {
    const { summary } = drafted(
      tool("list_orders", "List the orders."),
      tool("send_mail", "Send a mail.", { to: text, body: text }),
      tool("run_script", "Run a script.", { script: text }),
      tool("set_flag", "Sets a flag.", { flag: text }, { readOnlyHint: true }),
    );
    const lineOf = (name: string) =>
      summary
        .find((line) => line.trim().startsWith(`${name} `))
        ?.replace(/\s+/g, " ")
        .trim();
    expect(lineOf("list_orders")).toBe("list_orders reads asks never");
    expect(lineOf("send_mail")).toBe("send_mail sends asks if: to");
    expect(lineOf("run_script")).toBe("run_script runs asks always");
    expect(lineOf("set_flag")).toContain("(its server says that it only reads)");
  });

  it("lets no name of an argument end a line", () => {
    const { summary } = drafted(tool("send_mail", "Send a mail.", { 'to\n"x': { type: "string", format: "email" } }));
    expect(summary.join("").includes("\n")).toBe(false);
  });
});

it("fills the lines of a list, and says the same", () => {
  const { document, comments } = drafted(
    tool("send_mail", "Send a mail.", { to: text }),
    tool("list_orders", "List the orders."),
  );
  const written = jsoncText(document, comments);
  expect(JSON.parse(withoutComments(written))).toEqual(JSON.parse(JSON.stringify(document)));
  const lines = written.split("\n");
  expect(lines.some((line) => /^\s+"[^"]+", "[^"]+", "/.test(line))).toBe(true);
  expect(lines.length).toBeLessThan(180);
});
