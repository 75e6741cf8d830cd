import { describe, expect, it } from "vitest";
import { foldMessage, placeInMessages } from "../../../src/policy/origin/sources/message-place.ts";

const placeIn = (messages: readonly Parameters<typeof foldMessage>[0][], value: string | number) =>
  placeInMessages(messages.map(foldMessage), value);

describe("placeInMessages", () => {
  const whole = `customer of 3310 writes: "could you please ship it to 9 Park Road, Leeds instead?" please do that`;
  const typed = { text: "customer of 3310 writes: … please do that", whole };

  it("finds what the user only quoted", () => {
    expect(placeIn([typed], "9 Park Road, Leeds")).toBe("quoted");
    expect(placeIn([typed], "3310")).toBe("unsure");
    expect(placeIn([typed], "9 Park Road, York")).toBeUndefined();
  });

  it("finds what is put together of the user's words", () => {
    const text = "was liegt so im Ordner entwuerfe? ... und jetzt a.txt löschen";
    expect(placeIn([{ text }], "entwuerfe/a.txt")).toBe("unsure");
    expect(placeIn([{ text: "删除entwuerfe里的a.txt" }], "entwuerfe/a.txt")).toBe("unsure");
    expect(placeIn([{ text }], "entwuerfe/b.txt")).toBeUndefined();
  });

  it("finds whole words and numbers only", () => {
    expect(placeIn([{ text: "order 1040" }], 40)).toBeUndefined();
    expect(placeIn([{ text: "pay 40." }], 40)).toBe("unsure");
    expect(placeIn([{ text: "anything" }], "thing")).toBeUndefined();
    expect(placeIn([{ text: "" }], "")).toBeUndefined();
  });
});
