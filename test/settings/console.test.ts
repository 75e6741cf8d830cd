import { expect, test } from "vitest";
import { readConsole } from "../../src/settings/console.ts";

const read = (client: unknown, secret?: string) =>
  readConsole({
    CONSOLE_OIDC: typeof client === "string" ? client : JSON.stringify(client),
    ...(secret === undefined ? {} : { CONSOLE_OIDC_SECRET: secret }),
  });

const client = { issuer: "https://login.example.com/realm", client_id: "toolgate" };

test("keys alone, unless told", () => {
  expect(readConsole({})).toEqual({ ok: true, value: { oidc: undefined } });
});

test("a provider needs its issuer and the client's id", () => {
  expect(read(client)).toEqual({
    ok: true,
    value: {
      oidc: { ...client, scope: "openid", name: "login.example.com", token: "id_token", secret: undefined },
    },
  });
  expect(read({ ...client, name: "Example", scope: "openid profile" }, "s")).toMatchObject({
    value: { oidc: { name: "Example", scope: "openid profile", secret: "s" } },
  });
});

test.each([
  ["{", /not JSON/],
  [{ ...client, issuer: "http://login.example.com" }, /issuer: must be an `https:` URL/],
  [{ ...client, issuer: "https://login.example.com/?a=b" }, /issuer: must be/],
  [{ issuer: client.issuer }, /client_id/],
  [{ ...client, scope: "profile" }, /scope: must hold `openid`/],
  [{ ...client, secret: "x" }, /secret/],
])("refuses %j", (value, message) => {
  const result = read(value);
  expect(result.ok ? "" : result.error.join("; ")).toMatch(message);
  expect(result.ok ? "" : result.error.join("; ")).toMatch(/^CONSOLE_OIDC\b/);
});

test("without TLS a provider is on this machine, and under `npm start` alone", () => {
  const local = (issuer: string, dev?: string) =>
    readConsole({ CONSOLE_OIDC: JSON.stringify({ ...client, issuer }), TOOLGATE_DEV: dev }).ok;
  expect(local("http://localhost:8080/realm", "1")).toBe(true);
  expect([local("http://localhost:8080/realm"), local("http://login.example.com", "1")]).toEqual([false, false]);
});

test("a secret alone is a mistake", () => {
  expect(readConsole({ CONSOLE_OIDC_SECRET: "x" })).toMatchObject({ ok: false });
});
