/** The model provider of policy cases: an OpenAI-compatible server that answers each step of a case from its script. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedStep } from "./case-schema.ts";
import { writeAnswer } from "./model-answer.ts";

/** Names the case whose script answers: vendors' headers reach the upstream as they are. */
export const CASE_HEADER = "x-policy-case";

export interface ScriptedModel {
  readonly url: string;
  /** Sets a case's script for its next turn. */
  script(id: string, steps: readonly ScriptedStep[]): void;
  /** The names of the tools that each of the turn's steps sent, in order. */
  sent(id: string): readonly (readonly string[])[];
  stop(): Promise<void>;
}

interface Script {
  readonly steps: readonly ScriptedStep[];
  readonly sent: string[][];
}

interface StepBody {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const scripts = new Map<string, Script>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const script = scripts.get(String(request.headers[CASE_HEADER]));
    answer(response, JSON.parse(Buffer.concat(parts).toString("utf8")) as StepBody, script);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: (id, steps) => void scripts.set(id, { steps, sent: [] }),
    sent: (id) => scripts.get(id)?.sent ?? [],
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, body: StepBody, script: Script | undefined): void {
  const step = script?.steps[script.sent.length];
  script?.sent.push((body.tools ?? []).map((tool) => tool.function?.name ?? ""));
  if (step) {
    const calls = step.calls.map(({ tool, arguments: args }) => ({
      name: tool,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    }));
    writeAnswer(response, body.stream === true, { text: step.text, calls, finish: step.finish });
    return;
  }
  // A status that nobody tries again.
  response.writeHead(418, { "content-type": "application/json" });
  const error = { message: "the case scripts no such step", type: "case", param: null, code: "not_scripted" };
  response.end(JSON.stringify({ error }));
}
