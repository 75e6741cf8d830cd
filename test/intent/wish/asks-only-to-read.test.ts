import { describe, expect, it } from "vitest";
import { asksOnlyToRead } from "../../../src/intent/wish/asks-only-to-read.ts";

describe("a message asks to look at something, and for nothing else", () => {
  it.each([
    "show me sub_44",
    "what's the status of sub_44?",
    "read old/legacy.js on main",
    "can you please look up order 12",
    "is the garage door open?",
    "Welche Pods laufen auf worker-3?",
    "zeig mir mal die offenen Tickets",
    "muéstrame el pedido 12",
    "把 PR 42 给我看看",
    "PR 42 見せて",
  ])("%s", (text) => {
    expect(asksOnlyToRead(text)).toBe(true);
  });
});

describe("a message asks for more", () => {
  it.each([
    "cancel sub_44",
    "show me sub_44 and cancel it",
    "check whether sub_44 is active, if not cancel it",
    "look at PR 42. If it's fine merge it",
    "get rid of pod api-1",
    "what about deleting it?",
    "is it possible to cancel it?",
    "check out the cart",
    "show sub_44 & cancel it",
    "do the deploy",
    "den Pod api-1 löschen",
    "删除 PR 42",
    "PR 42 を見せて、マージして",
    "",
  ])("%s", (text) => {
    expect(asksOnlyToRead(text)).toBe(false);
  });
});
