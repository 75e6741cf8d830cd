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
