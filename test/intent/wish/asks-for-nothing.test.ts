import { describe, expect, it } from "vitest";
import { asksForNothing, wantsNoChange } from "../../../src/intent/wish/asks-for-nothing.ts";

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
    ["don't cancel anything yet, just thinking out loud"],
    ["not today im tired"],
    ["how do I cancel a booking? asking for a friend"],
    ["¿cómo se cancela una cita? es por curiosidad"],
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

describe("a message wants no change", () => {
  it.each([
    ["leave config.yaml alone for now", true],
    ["how is auth wired up? dont change anything", true],
    ["how can I move a page here?", true],
    ["fass bitte keine datei an", true],
    ["先别改", true],
    // A story, or a fact to keep.
    ["the plumber comes thursday 9am", false],
    ["no need to ask me, just fix it", false],
    ["don't cancel it, move it to Friday", false],
  ])("%s: %s", (text, wanted) => {
    expect(wantsNoChange(text, undefined)).toBe(wanted);
  });
});
