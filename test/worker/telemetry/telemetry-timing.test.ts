import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const messages = [user("go")];
const timing = /^auth;dur=\d+, policy;dur=\d+, open;dur=\d+, upstream;dur=\d+$/;

describe("server-timing", () => {
  it("is not told to others than admins", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    for (const stream of [true, false]) {
      expect((await ask(gate, { messages, stream })).headers.has("server-timing")).toBe(false);
    }
    expect((await gate.fetch("/v1/models", { key: "tg_unknown" })).headers.has("server-timing")).toBe(false);
  });

  it("is told to admins: what is known when the head is sent", async () => {
    const gate = await gateway({ role: "admin", upstream: says({ text: "ok" }) });
    for (const stream of [true, false]) {
      expect((await ask(gate, { messages, stream })).headers.get("server-timing")).toMatch(timing);
    }
    expect((await gate.fetch("/v1/models")).headers.get("server-timing")).toMatch(/^auth;dur=\d+$/);
  });

  it("is told to all where SERVER_TIMING is set", async () => {
    const gate = await gateway({ variables: { SERVER_TIMING: "1" }, upstream: says({ text: "ok" }) });
    expect((await ask(gate, { messages, stream: true })).headers.get("server-timing")).toMatch(timing);
    expect((await gate.fetch("/v1/sessions/none")).headers.get("server-timing")).toMatch(/^auth;dur=\d+/);
  });
});
