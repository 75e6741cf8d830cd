import { describe, expect, it } from "vitest";
import { asksForNothing } from "../../../src/intent/wish/asks-for-nothing.ts";

describe("a message asks for nothing to be done", () => {
  it.each([
    ["who cancelled A-881?"],
    ["did you cancel A-881 already?"],
    ["wer hat A-881 abgesagt?"],
    ["how do I refund INV-77 here?"],
    ["do not cancel A-881"],
    ["please leave A-881 as it is, no cancelling"],
    ["sag A-881 bloß nicht ab"],
    ["no metacam for P-1042 please, kidney values are bad"],
    ["no canceles la cita A-881"],
    ["先不要取消 A-881"],
    ["A-881はキャンセルしないで"],
  ])("%s", (text) => {
    expect(asksForNothing(text, undefined)).toBe(true);
  });
});

describe("a message asks for something", () => {
  it.each([
    ["cancel A-881"],
    ["can you cancel A-881?"],
    ["don't forget to cancel A-881"],
    ["don't cancel it, move it to Friday"],
    ["Merk dir bitte, was Jonas mag"],
    ["A-881 absagen"],
    ["取消 A-881"],
    ["A-881をキャンセルして"],
  ])("%s", (text) => {
    expect(asksForNothing(text, undefined)).toBe(false);
  });

  it("where it goes on with what the assistant offers", () => {
    expect(asksForNothing("yes please", "Shall I cancel A-881?")).toBe(false);
  });
});
