/**
 * Codex at a provider that speaks the Responses API, as OpenAI does: its tool for patches takes free text under a grammar, and goes to the
 * provider as it is. Left out where Codex is not installed.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  messageItem,
  responseEvents,
  type StreamedItem,
  textCallItem,
} from "../../worker/providers/responses-stream.ts";
import { agentClis, findProgram, runAgent } from "../support/agent-clis.ts";
import { type AgentGateway, startAgentGateway } from "../support/agent-gateway.ts";
import { type Answer, type ScriptedUpstream, startUpstream } from "../support/upstream.ts";

const program = findProgram("codex");
const codex = agentClis.find(({ name }) => name === "codex");
const PATCH = "*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n";
/** By the models that Codex knows: older ones get their tools with the request, newer ones in an item, and write programs of calls. */
const MODELS = {
  "gpt-5.5": { tool: "apply_patch", input: PATCH },
  "gpt-6.2-sol": { tool: "exec", input: `text(await tools.apply_patch(${JSON.stringify(PATCH)}))` },
};

let upstream: ScriptedUpstream;
let gateway: AgentGateway;

beforeAll(async () => {
  if (program === undefined) return;
  upstream = await startUpstream();
  gateway = await startAgentGateway({
    UPSTREAM_PROVIDERS: JSON.stringify({ gpt: { kind: "responses", baseUrl: upstream.url } }),
    UPSTREAM_GPT_API_KEY: "sk-upstream",
    UPSTREAM_ROUTES: JSON.stringify(Object.fromEntries(Object.keys(MODELS).map((model) => [model, [`gpt/${model}`]]))),
  });
}, 150_000);

afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

const streams =
  (...items: readonly StreamedItem[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const data of responseEvents(...items)) response.write(`data: ${data}\n\n`);
    response.end();
  };

interface SentBody {
  readonly input: readonly Record<string, unknown>[];
  readonly tools: readonly Record<string, unknown>[];
  readonly reasoning?: Record<string, unknown>;
}
const sentAt = (at: number) => upstream.requests[at]?.body as unknown as SentBody;

describe.skipIf(program === undefined)("Codex", () => {
  it.each(Object.entries(MODELS))(
    "with %s is asked about a change, and makes it on a yes",
    async (model, { tool, input }) => {
      if (program === undefined || !codex) throw new Error("there is no Codex");
      const place = { home: join(gateway.folder, model, "home"), workspace: join(gateway.folder, model, "work") };
      for (const one of Object.values(place)) mkdirSync(one, { recursive: true });
      const variables = codex.configure(place, { baseURL: gateway.baseURL, key: "tg-dev-user" });
      const say = (words: string, goesOn: boolean) =>
        runAgent(program, ["--model", model, ...codex.prompt(words, goesOn)], place, variables);
      upstream.script(
        streams(messageItem("msg_1", "I add the file."), textCallItem("call_1", tool, input)),
        streams(messageItem("msg_2", "The file is there.")),
      );
      const asked = await say("Add a file hello.txt that says hello", false);
      expect([asked.includes("hello.txt"), existsSync(join(place.workspace, "hello.txt"))]).toEqual([true, false]);
      // The provider gets the tool as Codex wrote it.
      const own = sentAt(0).tools.find(({ name }) => name === tool);
      expect(own).toMatchObject({ type: "custom", format: { type: "grammar", syntax: "lark" } });
      expect(await say("yes", true)).toContain("The file is there.");
      expect(readFileSync(join(place.workspace, "hello.txt"), "utf8")).toBe("hello\n");
      const calls = sentAt(1).input.filter(({ type }) => String(type).startsWith("custom_tool_call"));
      expect(calls).toMatchObject([
        { type: "custom_tool_call", call_id: "call_1", name: tool, input },
        { type: "custom_tool_call_output", call_id: "call_1" },
      ]);
    },
    600_000,
  );
});
