import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { Settings } from "../../../src/cli/settings.ts";
import { exampleModel } from "../../../src/cli/start/greeting.ts";

const upstream = { baseUrl: "https://api.example.com/v1" };
const asking = (port: number, changed: Partial<Settings> = {}) =>
  exampleModel({ port, upstream, policyPath: undefined, stateFolder: "", bindings: {}, warnings: [], ...changed });

async function withGateway(answer: string, look: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    expect([request.url, request.headers.authorization]).toEqual(["/v1/models", "Bearer tg-dev-user"]);
    response.end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await look((server.address() as AddressInfo).port);
  server.closeAllConnections();
  server.close();
}

it("is the one that the upstream lists first and that chats", async () => {
  const data = ["text-embedding-3-small", "whisper-1", "gpt-x", "gpt-y"].map((id) => ({ id }));
  await withGateway(JSON.stringify({ data }), async (port) => expect(await asking(port)).toBe("gpt-x"));
});

it("is the demo model's, or the one that replaces the client's, and nobody is asked", async () => {
  expect(await asking(1, { upstream: undefined })).toBe("demo");
  expect(await asking(1, { upstream: { ...upstream, model: "big" } })).toBe("big");
});

it("is a word to replace where the upstream lists none", async () => {
  for (const answer of ["{}", '{"data":[{"id":1},{}]}', "not json"])
    await withGateway(answer, async (port) => expect(await asking(port)).toBe("THE-MODEL"));
  expect(await asking(1)).toBe("THE-MODEL");
});
