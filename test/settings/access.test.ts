import { describe, expect, test } from "vitest";
import { readAccess } from "../../src/settings/access.ts";

const one = { issuer: "https://a.example/", audience: "x", jwks: "https://a.example/jwks", tenant: "acme" };
const two = { ...one, issuer: "https://b.example/", jwks: "https://b.example/jwks" };
const read = (...issuers: object[]) => readAccess({ JWT_ISSUERS: JSON.stringify(issuers) });
const problems = (result: ReturnType<typeof readAccess>) => (result.ok ? [] : result.error);

describe("JWT_ISSUERS", () => {
  test("has safe defaults", () => {
    const result = read(one);
    expect(result).toMatchObject({
      ok: true,
      value: {
        issuers: [
          {
            audience: ["x"],
            claims: { user: "sub", role: "role", connections: "connections" },
            maxLifetime: 30 * 86_400_000,
            clockTolerance: 10,
            userPrefix: "jwt:",
          },
        ],
      },
    });
    expect(JSON.stringify(result)).not.toMatch(/HS256|none/);
  });

  test.each<[string, object, string]>([
    ["a shared secret's algorithm", { ...one, algorithms: ["HS256"] }, "0.algorithms.0"],
    ["no algorithm", { ...one, algorithms: ["none"] }, "0.algorithms.0"],
    ["an empty list of algorithms", { ...one, algorithms: [] }, "0.algorithms"],
    ["keys in the clear", { ...one, jwks: "http://a.example/jwks" }, "0.jwks"],
    ["no audience", { ...one, audience: [] }, "0.audience"],
    ["an empty audience", { ...one, audience: "" }, "0.audience"],
    ["no tenant", { ...one, tenant: undefined }, "0.tenant"],
    ["a misspelt field", { ...one, userprefix: "a:" }, "0"],
    ["a clock that differs by a day", { ...one, clockTolerance: 86_400 }, "0.clockTolerance"],
    ["a lifetime without an end", { ...one, maxLifetime: "0" }, "0.maxLifetime"],
    ["a prefix that no name could have", { ...one, userPrefix: " a" }, "0.userPrefix"],
  ])("is refused with the place: %s", (_what, issuer, path) => {
    expect(problems(read(issuer)).join()).toContain(`JWT_ISSUERS: ${path}: `);
  });

  test.each<[string, unknown, string]>([
    ["an entry alone", one, "JWT_ISSUERS must be a list, not an object: write `[{ "],
    ["a text", [one, "x"], "JWT_ISSUERS: 1: must be an object, not a text"],
    ["no issuer", [{ ...one, issuer: undefined }], "JWT_ISSUERS: 0.issuer: is missing"],
    ["a misspelt member", [{ ...one, jkws: "" }], "JWT_ISSUERS: 0: has no `jkws`: did you mean `jwks`?"],
    ["no keys", [{ ...one, jwks: undefined }], "JWT_ISSUERS: 0.jwks: is missing: write the `https:` URL"],
  ])("says what is wrong and what to write: %s", (_what, value, message) => {
    expect(problems(readAccess({ JWT_ISSUERS: JSON.stringify(value) })).join()).toContain(message);
  });

  test("a key set of this machine needs no TLS in development, and one of another always", () => {
    const from = (jwks: string, TOOLGATE_DEV?: string) =>
      readAccess({ JWT_ISSUERS: JSON.stringify([{ ...one, jwks }]), TOOLGATE_DEV }).ok;
    for (const url of ["http://localhost:9000/jwks", "http://127.0.0.1/jwks", "http://[::1]:1/jwks"])
      expect([from(url, "1"), from(url), from(url, "0")]).toEqual([true, false, false]);
    for (const url of ["http://a.example/jwks", "http://localhost.a.example/jwks", "ftp://localhost/jwks", "localhost"])
      expect(from(url, "1")).toBe(false);
  });

  test("the keys may stand in the setting itself, the public ones alone, and not beside a URL", () => {
    const { jwks: _, ...rest } = one;
    const key = { kty: "EC", crv: "P-256", x: "x", y: "y", kid: "k1" };
    expect(read({ ...rest, keys: [key] })).toMatchObject({ value: { issuers: [{ keys: [key] }] } });
    expect(problems(read({ ...one, keys: [key] })).join()).toContain("0.keys: remove it, or remove `jwks`");
    expect(problems(read({ ...rest, keys: [] })).join()).toContain("0.keys: must not be empty");
    for (const name of ["d", "p", "k"])
      expect(problems(read({ ...rest, keys: [key, { ...key, [name]: "s3cret" }] }))).toEqual([
        "JWT_ISSUERS: 0.keys.1: is a private key: write the public one alone",
      ]);
    expect(problems(read({ ...rest, keys: [{ kty: "oct", k: "x" }] })).join()).toContain(
      "0.keys.0.kty: must be one of",
    );
  });

  test("a limit of requests may be exact", () => {
    const limitOf = (KEY_RATE_LIMIT: string) => {
      const result = readAccess({ KEY_RATE_LIMIT });
      return result.ok ? result.value.rateLimit : result.error;
    };
    expect(limitOf("6000/1m")).toEqual({ max: 6_000, windowMs: 60_000 });
    expect(limitOf("6000/1m exact")).toEqual({ max: 6_000, windowMs: 60_000, exact: true });
    expect(limitOf("6000/1m about")).toEqual([expect.stringContaining("KEY_RATE_LIMIT: write requests per window")]);
  });

  test("every problem is told at once", () => {
    expect(problems(read({ ...one, jwks: "x" }, { ...two, tenant: "" })).length).toBe(2);
    expect(problems(readAccess({ JWT_ISSUERS: "{", KEY_RATE_LIMIT: "x", CLIENT_UPSTREAM_KEYS: "yes" })).length).toBe(3);
  });

  test.each<[string, object[], boolean]>([
    ["the same prefix", [one, two], false],
    ["no prefix", [{ ...one, userPrefix: "" }, two], false],
    [
      "a prefix that begins with the other",
      [
        { ...one, userPrefix: "a" },
        { ...two, userPrefix: "ab" },
      ],
      false,
    ],
    [
      "prefixes of their own",
      [
        { ...one, userPrefix: "a:" },
        { ...two, userPrefix: "b:" },
      ],
      true,
    ],
    ["the same prefix in other tenants", [one, { ...two, tenant: "other" }], true],
    ["one issuer with two audiences", [one, { ...one, audience: "y" }], true],
    ["one issuer with overlapping audiences", [one, { ...one, audience: ["y", "x"], tenant: "other" }], false],
    ["one issuer, prefixes that could meet", [one, { ...one, audience: "y", userPrefix: "" }], false],
  ])("two entries stand side by side or not: %s", (_what, issuers, fine) => {
    expect(problems(read(...issuers)).length === 0).toBe(fine);
  });
});

describe("KEY_RATE_LIMIT", () => {
  test.each(["600/1m", "1/1s", " 5/24h "])("may be %j", (text) => {
    expect(readAccess({ KEY_RATE_LIMIT: text })).toMatchObject({
      ok: true,
      value: { rateLimit: { max: expect.any(Number) } },
    });
  });
  test.each(["0/1m", "600", "600/", "/1m", "-1/1m", "600/1x", "600/1ms", "600/32d", "1e3/1m", "1.5/1m"])(
    "cannot be %j",
    (text) => {
      expect(problems(readAccess({ KEY_RATE_LIMIT: text })).join()).toContain("KEY_RATE_LIMIT");
    },
  );
  test("is none unless set", () => {
    for (const KEY_RATE_LIMIT of [undefined, ""]) {
      expect(readAccess({ KEY_RATE_LIMIT })).toMatchObject({ ok: true, value: { rateLimit: undefined } });
    }
  });
});
