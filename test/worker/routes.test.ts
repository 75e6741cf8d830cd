import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { createDeps } from "../../src/deps.ts";

it("has no two routes that the router cannot tell apart", async () => {
  const app = createApp(createDeps(env));
  const response = await app.fetch(new Request("https://gateway.test/health"), env, createExecutionContext());
  expect(response.status).toBe(200);
  expect(app.router.name).toBe("RegExpRouter");
});
