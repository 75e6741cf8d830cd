import { describe, expect, it } from "vitest";
import { exactResult, resultText } from "../../../src/tools/mcp/result-text.ts";

const STRUCTURED = '{"id":1234567890123456789,"z":-0,"big":1e400,"x":[0.1000000000000000055,1.50]}';
const MESSAGE = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":${STRUCTURED}}}`;
/** As the SDK has read it. */
const read = (text: string) => (JSON.parse(text) as { result: object }).result;

describe("numbers of structured content", () => {
  it.each([
    ["a JSON body", MESSAGE],
    ["a batch", `[{"jsonrpc":"2.0","method":"notifications/message"},${MESSAGE}]`],
    ["an event", `event: message\ndata: ${MESSAGE}\n\n`],
    ["an event on several lines", `data: ${MESSAGE.replaceAll(",", ",\ndata: ")}\n\n`],
    ["an event with other ends of lines", `: hi\r\n\r\ndata: ${MESSAGE.replaceAll(",", ",\r\ndata: ")}\r\n\r\n`],
    ["the last of several events", `data: {"id":12345678901234567}\n\ndata: ${MESSAGE}\n\n`],
  ])("come out of %s as they were written", (_, body) => {
    const exact = exactResult(read(MESSAGE), ["event: message\ndata: {}\n\n", body]);
    expect(resultText(exact)).toBe(STRUCTURED.replace("1.50", "1.5"));
  });

  it("are those of the very result that was read, or stay as they were read", () => {
    const other = MESSAGE.replace("123456789,", "999999999,");
    for (const replies of [[], [other], ["{"], ["data: nothing\n\n"], ["null"], ['{"result":null,"id":-0}']])
      expect(exactResult(read(MESSAGE), replies)).toEqual(read(MESSAGE));
  });

  it("are compared exactly with those of a text that repeats them", () => {
    const repeated = (text: string) => {
      const content = [{ type: "text", text }];
      return resultText({ ...exactResult(read(MESSAGE), [MESSAGE]), content });
    };
    expect(repeated(` ${STRUCTURED}`)).toBe(STRUCTURED.replace("1.50", "1.5"));
    const another = STRUCTURED.replace("789", "788");
    expect(repeated(another)).toContain(another);
  });
});
