/** `GET /mcp`: what a client of 2025 hears besides its calls. */
import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { managed, policy } from "../tools/managed.ts";
import { type McpClient, mcpClient } from "./mcp-client.ts";

const intents = {
  look_up: { description: "Look things up", tools: ["find_lead", "weather"] },
  change: { description: "Change leads", tools: ["create_lead", "delete_lead"] },
};

const listen = (gate: Gateway, { session }: McpClient, headers: Record<string, string> = {}) =>
  gate.fetch("/mcp", {
    headers: {
      accept: "text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      "mcp-session-id": String(session),
      ...headers,
    },
  });

interface HeardEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The first events of a stream, which is closed after them. */
async function firstEvents(response: Response, count: number): Promise<readonly HeardEvent[]> {
  const events: HeardEvent[] = [];
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const event of whole) {
      const id = /^id: (.*)$/m.exec(event)?.[1];
      events.push({ id, data: /^data: (.*)$/m.exec(event)?.[1] ?? "" });
    }
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}

async function opened() {
  const { gate } = await managed({ policy: policy({ handshake: { select: "model" }, intents }) });
  const client = mcpClient(gate);
  await client.open();
  return { gate, client };
}

describe("a stream that listens", () => {
  it("begins with the version of the list, and tells one that comes back what it missed", async () => {
    const { gate, client } = await opened();
    const stream = await listen(gate, client);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const [before] = await firstEvents(stream, 1);
    expect(before).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), data: "" });
    await client.call("select_intent", { intents: ["change"] });
    const resumed = await listen(gate, client, { "last-event-id": String(before?.id) });
    const [, news] = await firstEvents(resumed, 2);
    expect(JSON.parse(news?.data ?? "")).toMatchObject({ method: "notifications/tools/list_changed" });
    expect(news?.id).not.toBe(before?.id);
    const [again] = await firstEvents(await listen(gate, client), 1);
    expect(again?.id).toBe(news?.id);
  });

  it("tells of a change while it is open", async () => {
    const { gate, client } = await opened();
    const stream = await listen(gate, client);
    const events = firstEvents(stream, 2);
    await client.call("select_intent", { intents: ["change"] });
    expect((await events)[1]?.data).toContain("notifications/tools/list_changed");
  });

  it("sends no event without data to a client of an older protocol", async () => {
    const { gate, client } = await opened();
    const stream = await listen(gate, client, { "mcp-protocol-version": "2025-06-18", "last-event-id": "0" });
    const [first] = await firstEvents(stream, 1);
    expect(first?.data).toContain("notifications/tools/list_changed");
  });

  it("is for those who accept events, and for no page of another site", async () => {
    const { gate, client } = await opened();
    const wrong: readonly Record<string, string>[] = [
      { accept: "application/json" },
      { origin: "https://evil.test" },
      { "mcp-session-id": "chat" },
    ];
    const answers = await Promise.all(wrong.map((headers) => listen(gate, client, headers)));
    expect(answers.map(({ status }) => status)).toEqual([406, 403, 404]);
  });
});
