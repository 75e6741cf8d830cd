/** Where a client of `/mcp` without a token learns to get one. */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { mcpClient } from "./mcp-client.ts";

const KEY = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", kid: "k", alg: "EdDSA" };
const issuers = (tenant: string) => ({
  JWT_ISSUERS: JSON.stringify([
    { issuer: "https://login.test", audience: "https://gate.test/mcp", keys: [KEY], tenant },
    { issuer: "internal", audience: "x", keys: [KEY], tenant, userPrefix: "in:" },
  ]),
});
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const PATH = "/.well-known/oauth-protected-resource";

describe("the metadata of the protected resource", () => {
  it("names the issuers that can be asked, to everybody", async () => {
    const gate = await gateway({
      variables: (tenant) => ({
        ...issuers(tenant),
        SIGNING_KEYS: `k1:${"51".repeat(32)}`,
        PUBLIC_URL: "https://gate.test",
      }),
    });
    for (const path of [PATH, `${PATH}/mcp`]) {
      const response = await gate.fetch(path, { headers: { authorization: "Bearer nothing" } });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(await response.json()).toEqual({
        resource: "https://gate.test/mcp",
        authorization_servers: ["https://login.test"],
        bearer_methods_supported: ["header"],
        resource_name: "Toolgate",
      });
    }
    const refused = await mcpClient(gate).send(ping, { key: "tg_wrong" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="toolgate", resource_metadata="https://gate.test${PATH}/mcp"`,
    ]);
  });

  it("is not there where keys alone are believed", async () => {
    const gate = await gateway();
    expect((await gate.fetch(PATH)).status).toBe(404);
    const refused = await mcpClient(gate).send(ping, { key: "tg_wrong" });
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="toolgate"');
  });
});
