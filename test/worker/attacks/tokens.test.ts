/**
 * Attacks by a signed token: each opens nothing.
 * @module-tag attack/tokens
 */
import { expect, it } from "vitest";
import { believing, issuer } from "../identity/issuer.ts";
import { gateway } from "../support/gateway.ts";
import { says } from "../support/script.ts";

type Claims = Readonly<Record<string, unknown>>;
const now = () => Math.floor(Date.now() / 1000);
const base64url = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const claims: readonly [name: string, claims: () => Claims, header?: Claims][] = [
  ["F10: `exp` of 1e308", () => ({ exp: 1e308 })],
  ["F10: `exp` in a hundred years", () => ({ exp: now() + 100 * 365 * 86_400 })],
  ["F10: the type of a logout token", () => ({}), { typ: "logout+jwt" }],
  ["F10: the type of a proof of possession", () => ({}), { typ: "dpop+jwt" }],
  ["`exp` that is a text", () => ({ exp: String(now() + 600) })],
  ["a negative `exp`", () => ({ exp: -1 })],
  ["`exp` that is a list", () => ({ exp: [now() + 600] })],
  ["`nbf` in the future", () => ({ nbf: now() + 600 })],
  ["`nbf` that is a text", () => ({ nbf: "0" })],
  ["`aud` that is an object", () => ({ aud: { toolgate: true } })],
  ["`aud` in capitals", () => ({ aud: "TOOLGATE" })],
  ["`aud` with a blank", () => ({ aud: "toolgate " })],
  ["`iss` without its slash", () => ({ iss: "https://login.example.com" })],
  ["`iss` in capitals", () => ({ iss: "HTTPS://LOGIN.EXAMPLE.COM/" })],
  ["`iss` that is a list", () => ({ iss: ["https://login.example.com/"] })],
  ["`sub` that is a number", () => ({ sub: 1 })],
  ["`sub` that is a list", () => ({ sub: ["ada"] })],
  ["`sub` of blanks", () => ({ sub: "   " })],
  ["`sub` with NUL", () => ({ sub: "ada\u0000" })],
  ["`sub` of 10 KB", () => ({ sub: "a".repeat(10_000) })],
  ["`kid` that is a path", () => ({}), { kid: "../../dev/null" }],
  ["`kid` that objects inherit", () => ({}), { kid: "__proto__" }],
  ["`kid` that is a list", () => ({}), { kid: ["key-1"] }],
  ["`b64` that is false", () => ({}), { crit: ["urn:x"], "urn:x": false }],
  ["`alg` with a blank", () => ({}), { alg: "RS256", x5u: "https://evil.test/", crit: ["urn:x"], "urn:x": 1 }],
];

it.each<(typeof claims)[number]>(claims)("%s", async (_name, of, header = {}) => {
  const from = await issuer();
  const gate = await gateway({ upstream: says({ text: "ok" }), elsewhere: from.serve, variables: believing(from) });
  const key = await from.token(of(), header);
  expect([401, 431]).toContain((await gate.fetch("/v1/models", { key })).status);
});

/** What becomes of a token that is in order. */
const forms: readonly (readonly [name: string, of: (token: string) => string])[] = [
  ["a part more", (token) => `${token}.x`],
  ["no signature", (token) => token.replace(/[^.]*$/, "")],
  ["a signature of zeros", (token) => token.replace(/[^.]*$/, "A".repeat(342))],
  [
    "a signature in other base64",
    (token) => token.replace(/[^.]*$/, (signature) => `${signature.replaceAll("-", "+").replaceAll("_", "/")}==`),
  ],
  [
    "a signature of which one letter differs",
    (token) => token.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === "A" ? "B" : "A"}${rest}`),
  ],
  ["a blank in it", (token) => token.replace(".", " .")],
  ["a line break in its payload", (token) => token.replace(/\.(.{10})/, ".$1%0a")],
  ["its header twice", (token) => `${token.split(".")[0]}.${token}`],
  [
    "as JSON",
    (token) => {
      const [header, payload, signature] = token.split(".");
      return JSON.stringify({ protected: header, payload, signature });
    },
  ],
  ["`alg` twice", (token) => `${base64url('{"alg":"RS256","alg":"none"}')}.${token.split(".")[1]}.`],
  ["`alg` that is a list", (token) => `${base64url('{"alg":["none"]}')}.${token.split(".").slice(1).join(".")}`],
  [
    "the header of an encrypted token",
    (token) => `${base64url('{"alg":"dir","enc":"A256GCM"}')}..a.b.${token.split(".")[2]}`,
  ],
  ["compressed", (token) => `${base64url('{"alg":"RS256","zip":"DEF"}')}.${token.split(".").slice(1).join(".")}`],
];

it.each(forms)("a token with %s", async (_name, of) => {
  const from = await issuer();
  const gate = await gateway({ upstream: says({ text: "ok" }), elsewhere: from.serve, variables: believing(from) });
  const token = await from.token();
  expect((await gate.fetch("/v1/models", { key: token })).status).toBe(200);
  expect((await gate.fetch("/v1/models", { key: of(token) })).status).toBe(401);
});
