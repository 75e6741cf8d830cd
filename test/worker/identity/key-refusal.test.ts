/** An upstream that refuses the key it was asked with: whose key that is decides what the client hears. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { ask, user } from "../support/script.ts";

afterEach(() => vi.restoreAllMocks());

const message = "Incorrect API key provided: sk-oper********ator";
const refusing =
  (status: number, error: object): Upstream =>
  () =>
    Response.json({ error }, { status, headers: { "x-request-id": "req_up" } });
const wrongKey = refusing(401, { message, type: "invalid_request_error", code: "invalid_api_key" });
const own = { "x-upstream-authorization": "Bearer sk-of-the-client" };
const hi = { messages: [user("hi")] };

const open = (upstream: Upstream) =>
  gateway({ policy: { handshake: { select: "off" } }, upstream, variables: { CLIENT_UPSTREAM_KEYS: "1" } });

const routes: readonly [string, (gate: Gateway, headers?: Record<string, string>) => Promise<Response>][] = [
  ["a streamed chat", (gate, headers) => gate.chat({ ...hi, stream: true }, headers)],
  ["a chat", (gate, headers) => gate.chat(hi, headers)],
  ["the models", (gate, headers) => gate.fetch("/v1/models", { headers })],
  ["embeddings", (gate, headers) => gate.fetch("/v1/embeddings", { json: { input: "x" }, headers })],
];

async function told(response: Response) {
  const text = await response.text();
  const { error } = JSON.parse(text) as { error: { code: string; message: string } };
  return { status: response.status, code: error.code, message: error.message, headers: response.headers, text };
}

describe.each(routes)("on %s", (_, request) => {
  it("the gateway's own key is the operator's matter: 502, and the log says so", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const { status, code, message: words, headers, text } = await told(await request(await open(wrongKey)));
    expect([status, code, headers.get("x-should-retry")]).toEqual([502, "upstream_auth_failed", "false"]);
    expect(words).toContain("`UPSTREAM_API_KEY`");
    expect(text).not.toContain("sk-");
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string; status?: number });
    expect(lines.find(({ event }) => event === "upstream_key_refused")).toMatchObject({ upstream: 1, status: 401 });
  });

  it("the client's own key is the client's matter: 401, in the upstream's words", async () => {
    const { status, code, message: words } = await told(await request(await open(wrongKey), own));
    expect([status, code, words]).toEqual([401, "invalid_api_key", message]);
  });

  it("a 403 about the account is the operator's, one about the request is the client's", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const account = refusing(403, { message: "Project `proj_1` does not have access to model `m`", code: null });
    const moderated = refusing(403, {
      message: "your input was flagged",
      code: 403,
      metadata: { reasons: ["violence"] },
    });
    expect(await told(await request(await open(account)))).toMatchObject({ status: 502, code: "upstream_auth_failed" });
    expect(await told(await request(await open(moderated)))).toMatchObject({ status: 403, code: 403 });
  });
});

it("is recorded with the turn", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const gate = await open(wrongKey);
  await ask(gate, hi);
  expect(await gate.turns()).toMatchObject([
    { stop_reason: "upstream_error", error: expect.stringContaining("does not accept the gateway's own key") },
  ]);
});
