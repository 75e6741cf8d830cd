import { describe, expect, it } from "vitest";
import {
  isNewExample,
  keepingMissed,
  keepsMissed,
  withExample,
  withTools,
} from "../../src/console/policies/document-edits.ts";
import { documentOf, hasComments, readDraft } from "../../src/console/policies/draft.ts";
import { takenNames, takingAddress } from "../../src/console/policies/policy-address.ts";

describe("a draft of the policy", () => {
  it("takes tools by any name behind its own, and keeps what it has of them", () => {
    const names = ["a&b", "__proto__", "look up"];
    const address = takingAddress(names);
    expect(takenNames(address.slice(address.indexOf("?")))).toEqual(names);
    const set = { category: "modification" };
    const own = { tools: { "look up": { category: "read_only" } }, name: "n" };
    const taken = withTools(
      own,
      names.map((name) => ({ name, set })),
    );
    const tools =
      '{"look up":{"category":"read_only"},"a&b":{"category":"modification"},"__proto__":{"category":"modification"}}';
    expect(JSON.stringify(taken)).toBe(`{"tools":${tools},"name":"n"}`);
    expect(withTools({}, [{ name: "x", set }])).toEqual({ tools: { x: set } });
  });

  it("is read as a file is: with comments and trailing commas, and with the place of what is wrong", () => {
    const commented = '{\n  // who may\n  "name": "mine", /* so */\n}';
    expect(documentOf(commented)).toEqual({ name: "mine" });
    expect([hasComments(commented), hasComments('{"a": "// no"}')]).toEqual([true, false]);
    const faults = (text: string) => {
      const read = readDraft(text);
      return read.ok ? [] : read.error.map(({ path, message }) => `${path} ${message}`);
    };
    expect(faults('{\n  // who may\n  "name" "mine"\n}')).toEqual([" line 3, column 10: `:` is expected"]);
    expect(faults('{ "tools": {}, "tools": {} }')).toEqual([expect.stringContaining("`tools` is given twice")]);
    expect(faults("[]")).toEqual([" a policy is an object: `{ … }`"]);
  });

  it("takes a message as an example of an intent that it has, once", () => {
    const document = { intents: { EDIT: { keywords: ["edit"] } } };
    const example = { message: "make it blue", intent: "EDIT" };
    expect(isNewExample(document, example)).toBe(true);
    const next = withExample(document, example);
    expect(next).toEqual({ intents: { EDIT: { keywords: ["edit"], examples: ["make it blue"] } } });
    expect(isNewExample(next, example)).toBe(false);
    expect(isNewExample(document, { ...example, intent: "toString" })).toBe(false);
    expect([keepsMissed(document), keepsMissed(keepingMissed(document))]).toEqual([false, true]);
  });
});
