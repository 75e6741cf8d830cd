/** The API's description, against the routes and what they accept. */
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { isRoute } from "../../../src/http/unknown-route.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly security?: readonly unknown[];
}

let gate: Gateway;
let paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
let operator: string;
beforeAll(async () => {
  gate = await gateway();
  operator = await gate.operatorKey();
  const response = await gate.fetch("/openapi.json");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const document = (await response.json()) as { openapi: string; paths: typeof paths };
  expect(document.openapi).toBe("3.1.0");
  paths = document.paths;
});

const described = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );

describe("the description of the API", () => {
  it("has every route, and no other", () => {
    const settings = { SIGNING_KEYS: `k1:${"51".repeat(32)}`, PUBLIC_URL: "https://gate.test", TOOLGATE_DEV: "1" };
    const routes = createApp(createDeps({ ...env, ...settings }))
      .routes.filter(isRoute)
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`)
      // The console's pages are no API.
      .filter((route) => route !== "GET /" && !/ \/console\b/.test(route))
      // The route of one approval serves it: the router holds no name beside a parameter.
      .concat("GET /v1/approvals/events");
    expect([...new Set(routes)].sort()).toEqual(
      described()
        .map(({ route }) => route)
        .sort(),
    );
  });

  it("needs a key, as nearly everything does", async () => {
    expect((await gate.fetch("/openapi.json", { key: "tg_none" })).status).toBe(401);
    const open = described().filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ route }) => route).sort()).toEqual([
      "GET /.well-known/oauth-protected-resource",
      "GET /.well-known/oauth-protected-resource/mcp",
      "GET /approve/{token}",
      "GET /health",
      "POST /approve/{token}",
    ]);
  });

  it("names the parameters that a query may have", async () => {
    const compared: string[] = [];
    // `/health` answers whatever a load balancer adds.
    const read = described().filter(({ route }) => route.startsWith("GET /") && route !== "GET /health");
    for (const { route, path, operation } of read) {
      const names = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
      const place = path.replace("{tenant}", gate.tenant).replace(/\{\w+\}/g, "x");
      const response = await gate.fetch(`${place}?nonsense=1`, { key: operator });
      const { error } = response.status === 400 ? ((await response.json()) as { error: { message: string } }) : {};
      const [, accepted] = /^unknown parameter `nonsense`; accepted are (.*)$/.exec(error?.message ?? "") ?? [];
      if (names.length > 0) expect(accepted, route).toBeDefined();
      if (accepted === undefined) continue;
      expect(accepted === "none" ? [] : accepted.split(", ").sort(), route).toEqual(names.sort());
      compared.push(route);
    }
    expect(compared.length).toBeGreaterThan(15);
  });
});
