import { describe, expect, it } from "vitest";
import { actFor, namedInHeader, pendingPrincipal } from "../../../src/http/authenticate/service-key.ts";
import type { ApiKey } from "../../../src/ports/api-key.ts";

const key: ApiKey = {
  id: "key_1",
  tenant: "acme",
  user: "backend",
  role: "premium",
  connections: ["gmail", "gnorm"],
  actsFor: true,
  createdAt: 0,
};
const roles = ["guest", "user", "premium", "admin"];

function pending(more: Partial<ApiKey> = {}, headers: Record<string, string> = {}, reserved: readonly string[] = []) {
  const read = pendingPrincipal({ ...key, ...more }, new Headers(headers), roles, reserved);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
}
const role = (asked: string, more: Partial<ApiKey> = {}) => {
  const read = pendingPrincipal({ ...key, ...more }, new Headers({ "x-toolgate-role": asked }), roles, []);
  return read.ok ? read.value.role : read.error.code;
};

describe("the user", () => {
  it.each([undefined, null, ""])("must be named: %j is nobody, and not the key itself", (named) => {
    expect(actFor(pending(), named, "user")).toMatchObject({ error: { status: 400, code: "user_required" } });
  });

  it("has the key's prefix before the name", () => {
    expect(actFor(pending({ userPrefix: "svc:" }), "ada", "user")).toMatchObject({ value: { user: "svc:ada" } });
    expect(actFor(pending(), "ada", "user")).toMatchObject({ value: { user: "ada" } });
  });

  it("is looked for among an issuer's users with its prefix, which could make it one", () => {
    const reserved = { error: { status: 403, code: "user_reserved" } };
    expect(actFor(pending({}, {}, ["jwt:"]), "jwt:ada", "user")).toMatchObject(reserved);
    expect(actFor(pending({ userPrefix: "j" }, {}, ["jwt:"]), "wt:ada", "user")).toMatchObject(reserved);
    expect(actFor(pending({ userPrefix: "svc:" }, {}, ["jwt:"]), "jwt:ada", "user")).toMatchObject({ ok: true });
  });

  it("is no longer than a name may be, the prefix counted", () => {
    const named = (length: number) => actFor(pending({ userPrefix: "svc:" }), "x".repeat(length), "user").ok;
    expect([named(124), named(125)]).toEqual([true, false]);
  });

  it.each([7, {}, " ada", "ada\n", "e\u0301", "a\u200b"])("is a name in its one spelling: %j is none", (named) => {
    expect(actFor(pending(), named, "x-toolgate-user")).toMatchObject({
      error: { status: 400, param: "x-toolgate-user" },
    });
  });

  it("stands in the header as ASCII, once", () => {
    const named = (value: string) => namedInHeader(new Headers({ "x-toolgate-user": value }));
    expect(named("Doe, Jane")).toEqual({ ok: true, value: "Doe, Jane" });
    for (const value of ["j\u00fcrgen", "pat, pat"]) expect(named(value)).toMatchObject({ error: { status: 400 } });
    expect(namedInHeader(new Headers())).toEqual({ ok: true, value: undefined });
  });
});

describe("the role", () => {
  it("is the one asked for, up to the key's own", () => {
    expect(["guest", "user", "premium", "admin", "root", ""].map((asked) => role(asked))).toEqual([
      "guest",
      "user",
      "premium",
      "role_forbidden",
      "role_unknown",
      "role_unknown",
    ]);
    expect(role("premium", { defaultRole: "guest" })).toBe("premium");
  });

  it("is else the key's default, or its own", () => {
    expect(pending().role).toBe("premium");
    expect(pending({ defaultRole: "guest" }).role).toBe("guest");
  });
});

describe("the rest", () => {
  it("is the key's: tenant, connections, and no operator's rights", () => {
    expect(pending({ operator: true })).toMatchObject({ tenant: "acme", keyId: "key_1", operator: false });
    expect(pending().connections).toEqual(["gmail", "gnorm"]);
    expect(pending({}, { "x-toolgate-connections": "gmail" }).connections).toEqual(["gmail"]);
    expect(() => pending({}, { "x-toolgate-connections": "gmail,slack" })).toThrow("connection_forbidden");
  });
});
