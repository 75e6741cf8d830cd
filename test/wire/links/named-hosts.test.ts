/** Which hosts are named, and which addresses lead to them. */
import { describe, expect, it } from "vitest";
import { namedHosts, targetOf } from "../../../src/wire/links/named-hosts.ts";

const reaches = (words: string, address: string, globs: readonly string[] = []) =>
  targetOf(address, namedHosts([words], globs)).isNamed;

describe("a host is named", () => {
  it.each([
    ["open https://Docs.example/faq, please", "https://docs.example/other?x=1"],
    ["look at docs.example.", "http://www.docs.example./"],
    ["请看https://docs.example。谢谢", "https://docs.example"],
    ["mail ann@docs.example", "mailto:bob@docs.example"],
    ["our server is localhost:3000 or http://localhost:8080", "http://localhost:8080/x"],
    ["bücher.example", "https://xn--bcher-kva.example"],
    ["anything", "/relative#x"],
  ])("by `%s`: %s", (words, address) => expect(reaches(words, address)).toBe(true));

  it("by the policy, with what is below it", () => {
    expect(reaches("", "https://a.corp.com", ["*.corp.com"])).toBe(true);
    expect(reaches("", "https://corp.com", ["*.corp.com"])).toBe(false);
    expect(reaches("", "https://evilcorp.com", ["*.corp.com"])).toBe(false);
  });
});

describe("a host is not named", () => {
  it.each([
    ["docs.example", "https://secret.docs.example"],
    ["docs.example", "https://docs.example:8443"],
    ["docs.example", "https://secret@docs.example"],
    ["docs.example", "https://docs.example@evil.example"],
    ["docs.example", "https:evil.example"],
    ["docs.example", "//evil.example"],
    ["docs.example", "/\\evil.example"],
    ["docs.example", "mailto:ann@docs.example?cc=eve@evil.example"],
    ["ann@docs.example", "https://docs.example"],
    ["docs.example", "javascript:alert(1)"],
    ["docs.example", "https://docs.example&#46;evil.example"],
  ])("by `%s`: %s", (words, address) => expect(reaches(words, address)).toBe(false));
});
