import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { compileSchema } from "json-schema-library";
import { describe, expect, test } from "vitest";
import { planDemoTurn } from "../../src/model/demo/plan-demo-turn.ts";
import { demoModel } from "../../src/model/demo-model.ts";
import { codingTools } from "./coding-tools.ts";

const readFile = tool({
  description: "Read the contents of a file",
  inputSchema: jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  execute: async ({ path }) => `contents of ${path}`,
});

async function partsOf(text: string, abortSignal?: AbortSignal) {
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text }] }];
  const { stream } = await demoModel.doStream({ prompt, ...(abortSignal ? { abortSignal } : {}) });
  return await Array.fromAsync(stream);
}

describe("as a model of the AI SDK", () => {
  test("generateText runs the tool and tells its result", async () => {
    const prompt = "please read notes.md";
    const result = await generateText({ model: demoModel, tools: { readFile }, prompt, stopWhen: stepCountIs(5) });
    expect(result.steps.map(({ toolCalls }) => toolCalls.map(({ input }) => input))).toEqual([
      [{ path: "notes.md" }],
      [],
    ]);
    expect(result.text).toBe("The demo model called `readFile`, which returned: contents of notes.md");
    expect(result.response.modelId).toBe("toolgate-demo");
  });

  test("streamText streams the same", async () => {
    const prompt = "please read notes.md";
    const result = streamText({ model: demoModel, tools: { readFile }, prompt, stopWhen: stepCountIs(5) });
    expect(await result.text).toContain("contents of notes.md");
    expect(await result.finishReason).toBe("stop");
    expect((await result.usage).outputTokens).toBeGreaterThan(5);
  });

  test("structured output fits its schema", async () => {
    const schema = jsonSchema<{ title: string; count: number; kind: string }>({
      type: "object",
      properties: { title: { type: "string" }, count: { type: "integer", minimum: 2 }, kind: { enum: ["a", "b"] } },
      required: ["title", "count", "kind"],
      additionalProperties: false,
    });
    const result = await generateText({
      model: demoModel,
      prompt: 'call it "Plan"',
      output: Output.object({ schema }),
    });
    expect(result.output).toEqual({ title: "Plan", count: 2, kind: "a" });
  });

  test("JSON without a schema is still named", async () => {
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
    const { content } = await demoModel.doGenerate({ prompt, responseFormat: { type: "json" } });
    expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "")).toMatchObject({ model: "toolgate-demo" });
  });
});

describe("the stream", () => {
  test("words one by one, arguments in pieces, ids that do not repeat", async () => {
    const parts = await partsOf(
      'demo: say one two three\ndemo: call a {"text":"more than one piece"}\ndemo: call b {}',
    );
    expect(parts.map(({ type }) => type)).toEqual([
      "stream-start",
      "response-metadata",
      "text-start",
      "text-delta",
      "text-delta",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-delta",
      "tool-input-end",
      "tool-call",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-end",
      "tool-call",
      "finish",
    ]);
    const join = (kind: string) =>
      parts.flatMap((part) => (part.type === kind && "delta" in part ? part.delta : [])).join("");
    expect(join("text-delta")).toBe("one two three");
    expect(join("tool-input-delta")).toBe('{"text":"more than one piece"}{}');
    const ids = parts.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : []));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^call_demo_[0-9a-f]+$/.test(id))).toBe(true);
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "tool-calls", raw: "tool_calls" } });
  });

  test("an abort ends it", async () => {
    await expect(partsOf("hi", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    const abort = new AbortController();
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
    const { stream } = await demoModel.doStream({ prompt, abortSignal: abort.signal });
    const reader = stream.getReader();
    await reader.read();
    abort.abort(new Error("enough"));
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("enough");
  });
});

test.each(codingTools.map((offered) => [offered.name, offered] as const))(
  "%s: arguments fit its schema, whatever is said",
  (name, offered) => {
    const validate = compileSchema(offered.schema as object);
    for (const text of [
      "do it",
      "of 3 things: a, b",
      'path="x.ts" limit=0',
      'say "q" in src/a.ts to a@b.org https://e.org',
      "{",
      "42",
    ]) {
      const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text }] }];
      const { calls } = planDemoTurn(prompt, [offered], { type: "tool", toolName: name });
      expect(calls).toHaveLength(1);
      expect(
        validate.validate(JSON.parse(calls[0]?.arguments ?? "")).errors,
        `${text}: ${calls[0]?.arguments}`,
      ).toEqual([]);
    }
  },
);
