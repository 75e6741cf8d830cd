import { describe, expect, it } from "vitest";
import { adoptChunk, newEnvelope, noteHead, ownChunk } from "../../src/wire/envelope.ts";
import { chunk } from "../support/sse.ts";

const first = chunk({ role: "assistant", content: "a" }, { id: "first", created: 1 });
const second = (delta: object) => chunk({ ...delta }, { id: "second", created: 2, model: "other" });

describe("a chunk of a later step", () => {
  it("keeps the first step's id and time, and says its own words", () => {
    const envelope = newEnvelope();
    noteHead(envelope, first);
    expect(adoptChunk(envelope, second({ content: "b" }))).toEqual({
      ...second({ content: "b" }),
      id: "first",
      created: 1,
    });
    expect(ownChunk(envelope, {}, "stop", 0)).toMatchObject({ id: "first", created: 1 });
  });

  it("has no role where one was sent", () => {
    const envelope = newEnvelope();
    noteHead(envelope, first);
    const adopted = () => adoptChunk(envelope, second({ role: "assistant", content: "b" }));
    expect(adopted()).toMatchObject({ choices: [{ delta: { role: "assistant", content: "b" } }] });
    envelope.roleSent = true;
    expect(adopted()).toMatchObject({ choices: [{ delta: { content: "b" } }] });
    expect(JSON.stringify(adopted())).not.toContain("role");
  });

  it("goes as it came where nothing was before it", () => {
    const envelope = newEnvelope();
    noteHead(envelope, { ...first, id: "" });
    expect(adoptChunk(envelope, second({ content: "b" }))).toEqual(second({ content: "b" }));
  });
});
