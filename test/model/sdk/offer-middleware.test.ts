import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { expect, it } from "vitest";
import { offerMiddleware, wrapModel } from "../../../src/model/sdk/offer-middleware.ts";

const offered = [
  { name: "search", description: "looks things up", parameters: { type: "object", properties: { q: {} } }, wire: {} },
  { name: "list", description: undefined, parameters: undefined, wire: {} },
];

/** Tells what reached it, and answers with nothing. */
function recorder() {
  const reached: unknown[] = [];
  const note = (how: string) => async (params: LanguageModelV4CallOptions) => {
    reached.push([how, params]);
    return { stream: new ReadableStream(), content: [] } as never;
  };
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "recorder",
    modelId: "one",
    supportedUrls: { "image/*": [/x/] },
    doGenerate: note("generate"),
    doStream: note("stream"),
  };
  return { model, reached };
}

const params: LanguageModelV4CallOptions = {
  prompt: [],
  headers: { a: "b" },
  tools: [{ type: "function", name: "hidden", inputSchema: {} }],
  toolChoice: { type: "tool", toolName: "hidden" },
};

it.each([[offered], [[]]])(
  "the model around which an offer stands is sent what the SDK's own wrapping sends it",
  async (tools) => {
    const [ours, theirs] = [recorder(), recorder()];
    const wrapped = wrapModel(ours.model, offerMiddleware(tools));
    const expected = wrapLanguageModel({ model: theirs.model, middleware: offerMiddleware(tools) });
    for (const model of [wrapped, expected]) {
      await model.doGenerate(params);
      await model.doStream(params);
    }
    expect(ours.reached).toEqual(theirs.reached);
    expect(JSON.stringify(ours.reached)).not.toContain(tools.length === 0 ? "hidden" : '"name":"hidden"');
    const { specificationVersion, provider, modelId, supportedUrls } = expected;
    expect(wrapped).toMatchObject({ specificationVersion, provider, modelId, supportedUrls });
  },
);

it("a middleware's failure reaches the caller, and the model is not called", async () => {
  const { model, reached } = recorder();
  const wrapped = wrapModel(model, {
    specificationVersion: "v4",
    transformParams: () => Promise.reject(new Error("no")),
  });
  await expect(wrapped.doStream(params)).rejects.toThrow("no");
  expect(reached).toEqual([]);
});
