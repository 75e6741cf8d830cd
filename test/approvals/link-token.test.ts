import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LinkClaims, readLink, signLink } from "../../src/approvals/link-token.ts";
import { hmacBytes } from "../../src/lib/digest.ts";
import { type KeyRing, parseKeyRing } from "../../src/lib/key-ring.ts";
import { webhookHeaders, webhookSecrets } from "../../src/lib/standard-webhook.ts";

const ring = (text: string): KeyRing => {
  const parsed = parseKeyRing(text, "signing key");
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const [one, two] = [`k1:${"a1".repeat(16)}`, `k2:${"b2".repeat(16)}`];
const keys = ring(one);
const claims: LinkClaims = { approval: "appr_01k9", tenant: "acme", user: "ada", expiresAt: 1_800_000_000_000 };
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("a link's token", () => {
  it("law: what was signed is read as it was, whatever the names hold", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(name, name, fc.nat(), (tenant, user, expiresAt) => {
        const token = signLink(keys, { ...claims, tenant, user, expiresAt });
        expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
        expect(readLink(keys, token)).toEqual({ ...claims, tenant, user, expiresAt });
      }),
    );
  });

  it("is refused with any character changed to any other, dropped, or put in", () => {
    const token = signLink(keys, claims);
    expect(readLink(keys, token)).toEqual(claims);
    let tried = 0;
    for (let at = 0; at <= token.length; at++) {
      const [before, after] = [token.slice(0, at), token.slice(at + 1)];
      const others = [...alphabet, ".", "=", "+", "/", "%", " ", "\n"].filter((other) => other !== token[at]);
      const changed = others.flatMap((other) => [before + other + after, before + other + token.slice(at)]);
      for (const other of [...changed, ...(at < token.length ? [before + after] : [])]) {
        expect(readLink(keys, other)).toBeUndefined();
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(token.length * 64);
  });

  it("is refused with any bit of its bytes changed", () => {
    const token = signLink(keys, claims);
    const parts = token.split(".").map((part) => Buffer.from(part, "base64url"));
    for (const [index, part] of parts.entries()) {
      for (let bit = 0; bit < part.length * 8; bit++) {
        const changed = Buffer.from(part);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const other = parts.map((own, place) => (place === index ? changed : own).toString("base64url")).join(".");
        expect(readLink(keys, other)).toBeUndefined();
      }
    }
  });

  it("is refused in another spelling of the very same bytes", () => {
    // Whose last characters have bits that no byte takes: of the signature always, of the payload with some lengths.
    for (const user of ["a", "ab", "abc"]) {
      const token = signLink(keys, { ...claims, user });
      const [payload = "", signature = ""] = token.split(".");
      for (const [part, put] of [
        [signature, (text: string) => `${payload}.${text}`],
        [payload, (text: string) => `${text}.${signature}`],
      ] as const) {
        const same = [...alphabet]
          .map((last) => part.slice(0, -1) + last)
          .filter((text) => Buffer.from(text, "base64url").equals(Buffer.from(part, "base64url")));
        for (const text of same) expect(readLink(keys, put(text)) !== undefined).toBe(text === part);
        expect(readLink(keys, put(`${part}=`))).toBeUndefined();
      }
    }
  });

  it("with a payload of one link and the signature of another is refused", () => {
    const [payload] = signLink(keys, claims).split(".");
    const [, signature] = signLink(keys, { ...claims, approval: "appr_01k8" }).split(".");
    expect(readLink(keys, `${payload}.${signature}`)).toBeUndefined();
  });

  it("goes on while the key that signed it is kept, and no longer", () => {
    const token = signLink(ring(one), claims);
    expect(readLink(ring(`${two},${one}`), token)).toEqual(claims);
    expect(readLink(ring(two), token)).toBeUndefined();
    expect(readLink(ring(one), signLink(ring(`${two},${one}`), claims))).toBeUndefined();
    // The same secret under another name is another key.
    expect(readLink(ring(one.replace("k1", "k9")), token)).toBeUndefined();
  });

  it("cannot be made with what a receiver of webhooks knows", () => {
    const url = "https://hooks.example/a";
    const [known] = webhookSecrets(keys, url);
    const raw = Buffer.from((known?.secret ?? "").replace("whsec_", ""), "base64");
    for (const text of [known?.secret, raw.toString("base64"), raw.toString("hex"), raw.toString("latin1")])
      expect(
        readLink(keys, signLink({ signing: "k1", secrets: new Map([["k1", text ?? ""]]) }, claims)),
      ).toBeUndefined();
    // Signed with the secret itself, a link would be believed wherever else that signs.
    const [text = "", own] = signLink(keys, claims).split(".");
    expect(Buffer.from(hmacBytes("a1".repeat(16), text)).toString("base64url")).not.toBe(own);
    // Nor is a webhook's signature one of a link.
    const [payload = ""] = signLink(keys, claims).split(".");
    const signature = webhookHeaders(keys, url, { id: "x", body: payload }, 0)["webhook-signature"]?.slice(3) ?? "";
    const other = Buffer.from(signature, "base64").toString("base64url");
    expect(readLink(keys, `${payload}.${other}`)).toBeUndefined();
  });

  it("that is too long, empty or no token at all is refused", () => {
    for (const text of ["", ".", "a.b", "x".repeat(5000), `${"A".repeat(3000)}.${"A".repeat(43)}`])
      expect(readLink(keys, text)).toBeUndefined();
  });
});
