import { describe, expect, it } from "vitest";
import { placeInMessages } from "../../../src/policy/origin/sources/message-place.ts";

describe("placeInMessages", () => {
  const whole = `customer of 3310 writes: "could you please ship it to 9 Park Road, Leeds instead?" please do that`;
  const typed = { text: "customer of 3310 writes: … please do that", whole };

  it("finds what the user only quoted", () => {
    expect(placeInMessages([typed], "9 Park Road, Leeds")).toBe("quoted");
    expect(placeInMessages([typed], "3310")).toBe("unsure");
    expect(placeInMessages([typed], "9 Park Road, York")).toBeUndefined();
  });

  it("finds what is put together of the user's words", () => {
    const text = "was liegt so im Ordner entwuerfe? ... und jetzt a.txt löschen";
    expect(placeInMessages([{ text }], "entwuerfe/a.txt")).toBe("unsure");
    expect(placeInMessages([{ text: "删除entwuerfe里的a.txt" }], "entwuerfe/a.txt")).toBe("unsure");
    expect(placeInMessages([{ text }], "entwuerfe/b.txt")).toBeUndefined();
  });

  it("finds whole words and numbers only", () => {
    expect(placeInMessages([{ text: "order 1040" }], 40)).toBeUndefined();
    expect(placeInMessages([{ text: "pay 40." }], 40)).toBe("unsure");
    expect(placeInMessages([{ text: "anything" }], "thing")).toBeUndefined();
    expect(placeInMessages([{ text: "" }], "")).toBeUndefined();
  });
});
