import { describe, expect, it } from "vitest";
import type { StepRequest } from "../../../src/ports/model-port.ts";
import { isSameStep } from "../../../src/turn/speculate/speculative-step.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";
import { wordFilters } from "../../../src/wire/links/word-filters.ts";

const body = { model: "m" };
const message = { role: "user", content: "hi" };
const wire = { type: "function", function: { name: "f" } };
const links = () => wordFilters({ named: { isNamed: () => true, isNamedMail: () => true }, removes: false });
const step: StepRequest = {
  body,
  messages: [message],
  tools: [{ name: "f", wire }],
  toolChoice: "auto",
  stream: true,
  envelope: newEnvelope("m"),
  adopt: false,
  headers: { traceparent: "00" },
  signal: new AbortController().signal,
};

describe("two calls of a model", () => {
  it("are the same where the upstream gets the same and the reply goes on alike", () => {
    const copy = { ...step, messages: [{ ...message }], tools: [{ name: "f", wire: structuredClone(wire) }] };
    expect(isSameStep(step, { ...copy, headers: { traceparent: "00" }, signal: new AbortController().signal })).toBe(
      true,
    );
    expect(isSameStep({ ...step, links: links() }, { ...step, links: links() })).toBe(true);
  });

  it.each<[string, Partial<StepRequest>]>([
    ["the client's body", { body: { ...body } }],
    ["a message", { messages: [{ ...message, content: "ho" }] }],
    ["a message more", { messages: [message, message] }],
    ["a tool less", { tools: [] }],
    ["a tool's definition", { tools: [{ name: "f", wire: { ...wire, strict: true } }] }],
    [
      "the order of a definition's keys",
      { tools: [{ name: "f", wire: { function: { name: "f" }, type: "function" } }] },
    ],
    ["the choice", { toolChoice: undefined }],
    ["a header", { headers: {} }],
    ["the stream", { stream: false }],
    ["the models that are asked", { route: ["n"] }],
    ["the reply that it goes on in", { adopt: true }],
    ["the envelope", { envelope: newEnvelope("m") }],
    ["whether links are guarded", { links: links() }],
    [
      "whether the client speaks Responses",
      { responses: { settings: {}, computer: false, custom: new Map(), phases: new Map(), onHosted: () => {} } },
    ],
  ])("are two where this differs: %s", (_, other) => {
    expect(isSameStep(step, { ...step, ...other })).toBe(false);
  });
});
