import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";
import { shapeIssues, shapeMessages } from "../../../src/policy/document/shape-issues.ts";

const errorsOf = (input: unknown) => {
  const parsed = parsePolicyDocument(input);
  return parsed.ok ? [] : parsed.error.map(({ path, message }) => `${path || "/"}: ${message}`);
};

describe("what a policy's author is told", () => {
  it.each([
    [{ tool: {} }, "/tool: unknown setting, did you mean `tools`?"],
    [{ rate_limits: {} }, "/rate_limits: unknown setting, did you mean `rateLimits`?"],
    [{ intents: { A: { keyword: [] } } }, "/intents/A/keyword: unknown setting, did you mean `keywords`?"],
    [{ tools: { x: { runs: {} } } }, "/tools/x/runs: unknown setting, did you mean `run`?"],
    [{ colour: 1 }, "/colour: unknown setting, correct its spelling or remove it"],
    [
      { tools: { x: { category: "readonly" } } },
      "/tools/x/category: must be one of `read_only`, `note_taking`, `modification`, `external`; did you mean `read_only`?",
    ],
    [[], "/: the policy must be an object, not a list"],
    [null, "/: the policy must be an object, not null"],
    [undefined, "/: the policy is missing"],
    [{ tools: [] }, "/tools: must be an object, not a list"],
    [{ tools: { x: { sensitive: "yes" } } }, "/tools/x/sensitive: must be true or false, not a string"],
    [{ execution: { maxSteps: 1.5 } }, "/execution/maxSteps: must be a whole number, not a fraction"],
    [{ execution: { maxSteps: "8" } }, "/execution/maxSteps: must be a number, not a string"],
    [{ rateLimits: { x: [{ window: "1h" }] } }, "/rateLimits/x/0/max: is missing"],
    [{ roles: [] }, "/roles: must be 1 item or more"],
    [{ name: "" }, "/name: must be 1 character or more"],
    [{ name: "x".repeat(129) }, "/name: must be 128 characters or less"],
    [{ audit: { retentionDays: 0 } }, "/audit/retentionDays: must be 1 or more"],
    [{ tools: { x: { undo: 5 } } }, "/tools/x/undo: must be a string or an object with `tool`, `arguments`"],
    [{ tools: { x: { undo: {} } } }, "/tools/x/undo/tool: is missing"],
    [{ tools: { x: { injection: { set: [] } } } }, "/tools/x/injection/set: unknown setting, did you mean `sets`?"],
    [
      { mcpServers: { my_server: { url: "https://x.test" } } },
      "/mcpServers/my_server: must be 1 to 32 letters, digits or `-`",
    ],
    [
      { intents: { CHAT: {} }, detection: { fallback: "chat" } },
      "/detection/fallback: unknown intent `chat`, did you mean `CHAT`?",
    ],
    [{ tools: { x: { roles: ["usr"] } } }, "/tools/x/roles/0: unknown role `usr`, did you mean `user`?"],
    [
      { tools: { a_note: { undo: "b_notes" }, b_note: {} } },
      "/tools/a_note/undo: unknown tool `b_notes`, did you mean `b_note`?",
    ],
    [
      { tools: { x: { parameters: { properties: { a: { type: "strin" }, b: { $ref: "#/y" } } } } } },
      "/tools/x/parameters/properties/a/type: not a valid JSON Schema: `strin` is not a type, did you mean `string`?",
      "/tools/x/parameters/properties/b/$ref: not a valid JSON Schema: the $ref `#/y` leads nowhere",
    ],
  ])("of %j", (input, ...messages) => {
    expect(errorsOf(input)).toEqual(messages);
  });
});

describe("the wording of what zod finds", () => {
  const read = (schema: z.ZodType, input: unknown) => {
    const parsed = schema.safeParse(input, { error: shapeMessages });
    return parsed.success ? [] : shapeIssues(parsed.error).map(({ path, message }) => `${path}: ${message}`);
  };

  it("never holds the value: it may be a secret that stands in the wrong place", () => {
    const secret = "sk-12345678901234567890";
    const schema = z.strictObject({
      a: z.number(),
      b: z.enum(["x"]),
      c: z.string().max(3),
      d: z.union([z.literal(0), z.object({ e: z.string() })]),
      f: z.record(z.string().max(3), z.boolean()),
    });
    const input = { a: secret, b: secret, c: secret, d: secret, f: { g: secret } };
    const found = read(schema, input);
    expect(found).toHaveLength(5);
    expect(found.join("\n")).not.toContain("sk-");
  });

  it("knows the forms that a value may have, through wrappers", () => {
    const schema = z.object({ a: z.union([z.literal(false), z.array(z.string()).default([]), z.int().optional()]) });
    expect(read(schema, { a: "x" })).toEqual(["/a: must be `false` or a list or a number"]);
  });
});
