import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutSecrets } from "../../src/tools/without-secrets.ts";
import { cpuSince } from "../support/cpu-time.ts";

/** With all that JSON, URLs and base64 write otherwise, and half a character. */
const ODD = 'aB"3+/=9_x-\ud800kQ7.zL%';
const TOKEN = "tok-Ab3d_Ef6h+Ij9l/Mn2p==";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const reversed = (text: string): string => [...text].reverse().join("");

describe("a secret that comes back", () => {
  it.each([
    ["as it is", ODD],
    ["in JSON", JSON.stringify(ODD).slice(1, -1)],
    ["in a URL", encodeURIComponent(ODD.toWellFormed())],
  ])("%s is masked whole, wherever it stands", (_, form) => {
    expect(withoutSecrets(form, [ODD])).toBe("[secret]");
    expect(withoutSecrets(`you sent ${form}, twice: ${form}`, ["x", ODD])).toBe("you sent [secret], twice: [secret]");
  });

  it("is masked from six characters on: shorter ones are found in what has nothing to do with them", () => {
    expect(withoutSecrets("abcdef abcde", ["abcdef"])).toBe("[secret] abcde");
    expect(withoutSecrets("abcdef abcde", ["abcde", ""])).toBe("abcdef abcde");
    // The form counts, not the secret.
    expect(withoutSecrets("a%2B%2Bb a++b", ["a++b"])).toBe("[secret] a++b");
  });

  it.each<[string, string]>([
    ["in capitals", TOKEN.toUpperCase()],
    ["in small letters", TOKEN.toLowerCase()],
    ["spaced", [...TOKEN].join(" ")],
    ["with dashes, on several lines", [...TOKEN].join("-\n")],
    ["with JSON's line breaks in it", `${TOKEN.slice(0, 9)}\\n${TOKEN.slice(9)}`],
    ["without its signs", TOKEN.replace(/[^A-Za-z0-9]/g, "")],
    ["backwards", reversed(TOKEN)],
    ["backwards and in capitals", reversed(TOKEN).toUpperCase()],
    ["percent-encoded through and through", [...TOKEN].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")],
    [
      "in JSON's escapes through and through",
      [...TOKEN].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(""),
    ],
    ["percent-encoded in small letters", encodeURIComponent(TOKEN).toLowerCase()],
    ["as a form has it", new URLSearchParams({ a: TOKEN }).toString().slice(2)],
    ["in hexadecimal", Buffer.from(TOKEN).toString("hex")],
    ["in hexadecimal, byte by byte", Buffer.from(TOKEN).toString("hex").toUpperCase().replace(/../g, "$& ")],
    ["in base64", base64(TOKEN)],
    ["in base64 for URLs", Buffer.from(TOKEN).toString("base64url")],
    ["in base64 behind a name", base64(`user:${TOKEN}`)],
    ["in base64 in the middle of a text", base64(`{"key":"${TOKEN}","ok":true}`)],
    ["in base64 on several lines", base64(`Bearer ${TOKEN}`).replace(/.{10}/g, "$&\r\n")],
  ])("%s is masked", (_, form) => {
    const masked = withoutSecrets(`before ${form} after`, [TOKEN]);
    expect(masked).toMatch(/^before .*\[secret\].* after$/s);
    // What is left of it is too little to make it again: signs, and what base64 mixes with its neighbours.
    expect(masked.replace("[secret]", "").length).toBeLessThan("before  after".length + 32);
  });

  it("is found beside another one that overlaps it", () => {
    expect(withoutSecrets("x AAAABBBBCCCCDDDDEEEE y", ["aaaabbbbccccdddd", "ccccddddeeee"])).toBe("x [secret] y");
  });

  it("is masked where unseen characters stand in it", () => {
    expect(withoutSecrets("you sent hun\u200bter\u{e0041}2!", ["hunter2!"])).toBe("you sent [secret]");
    expect(withoutSecrets("fine\u200b", ["hunter2!"])).toBe("fine\u200b");
  });

  it("of few letters and digits is masked as it is written alone", () => {
    expect(withoutSecrets("hunter-22! HUNTER-22!", ["hunter-22!"])).toBe("[secret] HUNTER-22!");
  });
});

describe("laws", () => {
  const secret = fc.string({ unit: "binary", minLength: 6, maxLength: 60 });

  it("no_written_form_is_left", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const masked = withoutSecrets(`${before} ${value} ${after}`, [value]);
        expect(masked.includes(value) && !"[secret]".includes(value)).toBe(false);
      }),
    );
  });

  it("text_without_the_secret_stays_as_it_is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(withoutSecrets(text, ["q7Zk2xW9vB4nM1pL8sD3"])).toBe(text);
      }),
    );
  });

  it("each_way_of_writing_is_found_at_each_place", () => {
    const token = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);
    const around = fc.string({ unit: "grapheme-ascii", maxLength: 10 });
    fc.assert(
      fc.property(token, around, around, (value, before, after) => {
        for (const form of [reversed(value), base64(`${before}${value}${after}`), Buffer.from(value).toString("hex")])
          expect(withoutSecrets(`x ${form} y`, [value])).toContain("[secret]");
      }),
    );
  });
});

it("a long answer takes little time, whatever it holds", () => {
  const megabytes = 4;
  for (const part of ["a", "%61", "\\u0061", "\\", "%", "Ab3d_Ef6h ", `${TOKEN.toUpperCase()} `]) {
    const started = process.threadCpuUsage();
    withoutSecrets(part.repeat((megabytes * 1_048_576) / part.length), [TOKEN, "a".repeat(200)]);
    expect(cpuSince(started)).toBeLessThan(4_000);
  }
});
