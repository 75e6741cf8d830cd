import { describe, expect, test } from "vitest";
import { gateway } from "../support/gateway.ts";

const page = "text/html; charset=utf-8";

async function get(path: string, init: RequestInit = {}) {
  const { fetch } = await gateway();
  // As a browser asks for a page: with nothing that says who it is.
  return fetch(path, { ...init, headers: { ...init.headers, authorization: "" } });
}

const typeOf: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css", woff2: "font/woff2" };

async function builtFiles(): Promise<string[]> {
  const html = await (await get("/console")).text();
  return [...html.matchAll(/"(\/console\/files\/[^"]+)"/g)].map(([, path]) => path ?? "");
}

describe("the pages", () => {
  test.each(["/console", "/console/", "/console/approvals", "/console/approvals/answered", "/console/signed-in"])(
    "%s is the page, without a key, and is asked for again each time",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(page);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toContain('id="console"');
    },
  );

  test("are where a browser is sent that asks for the address alone; a program is told as before", async () => {
    const ask = (accept: string) => get("/", { headers: { accept }, redirect: "manual" });
    const browser = await ask("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/console"]);
    expect((await ask("*/*")).status).toBe(401);
    expect((await (await gateway()).fetch("/")).status).toBe(404);
  });

  test("its files are named by content and kept for good", async () => {
    const files = await builtFiles();
    const names = files.map((path) => path.replace(/^\/console\/files\/(.*)-[A-Z0-9]{8}/, "$1"));
    expect(names.filter((name) => name !== "chunk.js")).toEqual([
      "push-worker.js",
      "inter.woff2",
      "style.css",
      "app.js",
    ]);
    for (const path of files) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("content-type")).toMatch(typeOf[path.replace(/^.*\./, "")] ?? "no such type");
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  test("every answer forbids what the pages do not need", async () => {
    for (const path of ["/console", "/console/config.json", "/console/nothing.html", ...(await builtFiles())]) {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy"), path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data:; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
  });

  test.each([
    "/vectors.bin",
    "/console/vectors.bin",
    "/console/files/vectors.bin",
    "/console/files/../../vectors.bin",
    "/console/files/..%2f..%2fvectors.bin",
    "/console/files/%2e%2e/%2e%2e/vectors.bin",
    "/console/..%2fvectors.bin",
    "/console/files/..%5c..%5cvectors.bin",
    "/console/files//vectors.bin",
    "/console/files/app-AAAAAAAA.js",
    "/console/index.html",
    "/console/files/",
    "/manifest.json",
    "/NOTICE.md",
  ])("%s of the assets is not reachable", async (path) => {
    const response = await get(path);
    expect(response.status === 200 && response.headers.get("content-type") !== page).toBe(false);
    expect(await response.text()).not.toMatch(/[^\s\x20-\x7e]{8}|WordNet|esbuild/);
  });

  test.each(["POST", "PUT", "DELETE"])("%s is no way to ask for a page", async (method) => {
    expect((await get("/console/approvals", { method })).status).toBe(401);
  });

  test("without its assets the gateway says what is missing", async () => {
    const { fetch } = await gateway({ variables: { ASSETS: undefined } });
    const response = await fetch("/console");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: "console_missing" } });
  });
});

describe("what is possible", () => {
  const configAt = async (origin: string, variables = {}) => {
    const { fetch } = await gateway({ variables });
    return (await fetch("/console/config.json", { origin })).json();
  };

  test("development keys are told of on loopback alone", async () => {
    expect(await configAt("http://localhost:8787")).toMatchObject({ development: true });
    expect(await configAt("https://gateway.test")).toMatchObject({ development: false });
    expect(await configAt("http://localhost:8787", { TOOLGATE_DEV: "" })).toMatchObject({ development: false });
  });

  test("a provider is told of by its name", async () => {
    const oidc = { issuer: "https://login.example.com", client_id: "toolgate" };
    expect(await configAt("https://gateway.test")).toMatchObject({ sign_in: null });
    expect(await configAt("https://gateway.test", { CONSOLE_OIDC: JSON.stringify(oidc) })).toMatchObject({
      sign_in: { name: "login.example.com" },
    });
  });
});

describe("GET /v1/me", () => {
  test("tells the time of the gateway, by which the inbox counts", async () => {
    const { fetch } = await gateway();
    const told = Date.parse((await fetch("/v1/me")).headers.get("date") ?? "");
    expect(Math.abs(Date.now() - told)).toBeLessThan(5000);
  });

  test("tells who the key is of", async () => {
    const { fetch, tenant } = await gateway();
    expect(await (await fetch("/v1/me")).json()).toEqual({
      object: "principal",
      tenant,
      user: "ada",
      role: "user",
      operator: false,
      sees_tenant: false,
      approves_for_others: false,
      connections: [],
    });
  });

  test.each([
    ["user", false],
    ["userOrOperator", true],
  ])("an admin approves for others where the policy says so: %s", async (approvers, approves) => {
    const { fetch } = await gateway({ role: "admin", policy: { confirmation: { approvers } } });
    expect(await (await fetch("/v1/me")).json()).toMatchObject({ sees_tenant: true, approves_for_others: approves });
  });

  test("needs a key", async () => {
    expect((await get("/v1/me")).status).toBe(401);
  });
});
