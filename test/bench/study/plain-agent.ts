/**
 * The study agent without a gateway, as part 3.1 of reference/intent-detection-and-safe-tools.md has it: the model is sent all
 * tools, and what it calls is run with what it says. Only the user's id is the application's own, as its tools would have it.
 */
import type { Agent } from "node:http";
import type { Target } from "../run/exchange.ts";
import { complete, type Said } from "./chat.ts";
import type { StudyTool } from "./judge-call.ts";
import type { ModelMessage } from "./scripted-model.ts";
import { TOOL_TOKEN } from "./secrets.ts";

const MAX_STEPS = 8;

export interface PlainAgent {
  readonly agent: Agent;
  readonly model: Target;
  /** Origin of the study service. */
  readonly service: string;
  readonly tools: Readonly<Record<string, StudyTool>>;
}

export async function runPlainAgent(
  { agent, model, service, tools }: PlainAgent,
  user: string,
  opening: readonly ModelMessage[],
): Promise<Said> {
  const definitions = Object.entries(tools).map(([name, { description, parameters }]) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const messages = [...opening];
  const started = performance.now();
  for (let step = 0; step < MAX_STEPS; step++) {
    const said = await complete(agent, model, user, { messages, tools: definitions }, started);
    if (said.calls.length === 0) return said;
    const calls = said.calls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));
    messages.push({ role: "assistant", content: null, tool_calls: calls });
    for (const { id, function: call } of calls) {
      const content = await invoke(tools[call.name], service, user, call.arguments);
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
  throw new Error(`the model still calls tools after ${MAX_STEPS} steps`);
}

async function invoke(tool: StudyTool | undefined, service: string, user: string, text: string): Promise<string> {
  if (!tool) return "error: there is no such tool";
  const { method = "POST", url } = tool.run;
  const args: Record<string, unknown> = { ...(JSON.parse(text) as object), user_id: user };
  const path = new URL(url).pathname.replace(/%7B%7Barguments\.(\w+)%7D%7D/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  );
  const query = new URLSearchParams(
    Object.entries(args).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(`${service}${path}${method === "GET" ? `?${query}` : ""}`, {
    method,
    headers: { authorization: `Bearer ${TOOL_TOKEN}`, "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(args) }),
  });
  return response.ok ? response.text() : `error: ${response.status}`;
}
