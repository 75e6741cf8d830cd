/** The guards of one answer: which members they read, and what they know of earlier steps. */
import { describe, expect, it } from "vitest";
import { namedHosts } from "../../../src/wire/links/named-hosts.ts";
import { type EarlierWords, wordFilters } from "../../../src/wire/links/word-filters.ts";

const LINK = "![](https://evil.example/x)";
const AS_TEXT = "![] (https[://]evil[.]example/x)";
const guards = (earlier?: EarlierWords) => wordFilters({ named: namedHosts([], []), removes: false }, earlier);
const body = (message: unknown) => ({ choices: [{ index: 0, message, logprobs: { content: [] } }] });

describe("a body", () => {
  it("is the same object where nothing is changed", () => {
    const sent = body({ role: "assistant", content: "hello" });
    expect(guards().filterBody(sent)).toBe(sent);
  });

  it.each(["content", "reasoning_content", "reasoning", "refusal"])(
    "has its %s guarded, and no tokens of it",
    (member) => {
      const after = { choices: [{ index: 0, message: { [member]: AS_TEXT }, logprobs: null }] };
      expect(guards().filterBody(body({ [member]: LINK }))).toEqual(after);
    },
  );

  it("has the parts of its content guarded", () => {
    const parts = [{ type: "text", text: LINK }, { type: "image_url" }];
    expect(guards().filterBody(body({ content: parts }))).toMatchObject({
      choices: [{ message: { content: [{ type: "text", text: AS_TEXT }, { type: "image_url" }] } }],
    });
  });
});

describe("words in members of a provider's own", () => {
  it.each<[string, unknown]>([
    ["Mistral's thoughts", { content: [{ type: "thinking", thinking: [{ type: "text", text: LINK }] }] }],
    ["Ollama's", { thinking: LINK }],
    ["what is spoken", { audio: { id: "a", data: "AAAA", transcript: LINK } }],
    ["texts as parts", { content: [LINK] }],
  ])("are guarded: %s", (_what, message) => {
    const guarded = JSON.parse(JSON.stringify(message).replaceAll(LINK, AS_TEXT));
    expect(guards().filterBody(body(message))).toMatchObject({ choices: [{ message: guarded }] });
  });

  it.each<[string, unknown]>([
    ["thoughts that are signed", { reasoning_details: [{ type: "reasoning.text", text: LINK, signature: "s" }] }],
    ["pictures", { images: [{ type: "image_url", image_url: { url: "https://cdn.example/a.png" } }] }],
  ])("are as they came where they go back to the provider, or are no words: %s", (_what, message) => {
    const sent = body(message);
    expect(guards().filterBody(sent)).toBe(sent);
  });

  it("are guarded across the pieces of a stream, and the rest has its place", () => {
    const filters = guards();
    const delta = (text: string) => ({
      choices: [{ index: 0, delta: { content: [{ type: "thinking", thinking: [{ type: "text", text }] }] } }],
    });
    const sent = [LINK.slice(0, 9), LINK.slice(9, -1)].map((text) => filters.filterChunk(delta(text)));
    expect(JSON.stringify(sent)).not.toContain("evil.example");
    const held = { content: [{ type: "thinking", thinking: [{ type: "text", text: expect.any(String) }] }] };
    expect(filters.end()).toMatchObject([{ choice: 0, delta: held }]);
  });
});

describe("a later step", () => {
  const ends = "```\n";
  it("goes on in the fence that an earlier step opened", () => {
    expect(guards({ content: "```\n" }).push(0, "content", `${LINK}\n${ends}${LINK} `)).toBe(
      `${LINK}\n${ends}${AS_TEXT} `,
    );
  });

  it("has no code where the earlier words are not known", () => {
    const text = `${ends}${LINK} `;
    const changed = `${ends}${AS_TEXT} `;
    expect(guards({ content: undefined }).push(0, "content", text)).toBe(changed);
    expect(guards({ content: "" }).push(0, "reasoning", text)).toBe(changed);
    expect(guards().push(0, "content", text)).toBe(text);
  });
});
