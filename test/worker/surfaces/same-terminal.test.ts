/** What the terminal's client makes of a reply, and what it leaves in the trail, is what a client of chat completions with its headers does. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { askGateway } from "../../../src/cli/chat/ask-gateway.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { openIn, rowsOf, steady } from "./kept-rows.ts";
import { type Situation, situations } from "./situations.ts";
import { ask, surfaces, type Told } from "./surfaces.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As the terminal asks. */
const headers = { "x-toolgate-approvals": "native", "x-toolgate-runs": "results", "x-toolgate-session": "terminal" };

const asked = ({ text = "please do it", tools = ["read_file", "edit_file", "wipe", "send_mail"] }: Situation) => ({
  text,
  tools,
});

async function byChat(situation: Situation) {
  const gate = await openIn(situation);
  const [chat] = surfaces;
  return chat && { told: steady(await ask(chat, gate, { ...asked(situation), headers })), rows: await rowsOf(gate) };
}

async function byTerminal(situation: Situation) {
  const gate = await openIn(situation);
  return { told: steady(await tellTerminal(gate, situation)), rows: await rowsOf(gate) };
}

async function tellTerminal(gate: Gateway, situation: Situation): Promise<Told> {
  // workerd follows no redirect unless it is told how.
  const fetcher = (url: string, { redirect: _, ...init }: RequestInit) => gate.fetch(new URL(url).pathname, init);
  vi.stubGlobal("fetch", fetcher);
  const { text, tools } = asked(situation);
  const body = {
    model: "test-model",
    messages: [{ role: "user", content: text }],
    tools: tools.map((name) => tool(name)),
  };
  let words = "";
  const reply = await askGateway({ url: "https://gateway.test", key: gate.key, keyFrom: "the test" }, body, {
    headers: { session: "terminal" },
    onWords: (more) => {
      words += more;
    },
    signal: new AbortController().signal,
  });
  vi.unstubAllGlobals();
  if (!reply.ok) return { calls: [], words, end: reply.error.status > 0 ? "refused" : "error" };
  const calls = reply.value.calls.map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    args: JSON.parse(args) as unknown,
  }));
  return { calls, words, end: "clean" };
}

// The terminal's program demands no tool.
const table = Object.entries(situations).filter(([, { force }]) => force === undefined);

describe.each(table)("%s", (_name, situation) => {
  it("is shown and kept in the terminal as on chat completions", async () => {
    const chat = await byChat(situation);
    expect([chat?.told.end, chat?.told.calls.map(({ name }) => name)]).toEqual([situation.end, situation.released]);
    expect(await byTerminal(situation)).toEqual(chat);
  });
});
