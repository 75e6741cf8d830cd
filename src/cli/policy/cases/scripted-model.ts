/** The model provider of policy cases: an OpenAI-compatible server that answers each step of a case from its script. */
import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { startLoopback } from "../../local/loopback-server.ts";
import { writeAnswer } from "../../write-answer.ts";
import type { ScriptedStep } from "./case-schema.ts";

/** Names the case whose script answers. The gateway of the cases passes it to the upstream. */
export const CASE_HEADER = "x-policy-case";

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

export interface SentStep {
  /** The names of the tools. */
  readonly offered: readonly string[];
  readonly toolResults: readonly string[];
  /** The same, by the ids of the calls. */
  readonly resultsById: ReadonlyMap<string, string>;
}

type Verdict = string | Readonly<Record<string, unknown>>;

interface Script {
  readonly steps: readonly ScriptedStep[];
  readonly verdict: Verdict | undefined;
  readonly sent: SentStep[];
}

interface StepBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_call_id?: string }[];
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

export async function startScriptedModel() {
  const scripts = new Map<string, Script>();
  const { origin, stop } = await startLoopback(async (request, response) => {
    const script = scripts.get(String(request.headers[CASE_HEADER]));
    answer(response, (await json(request)) as StepBody, script);
  });
  return {
    url: `${origin}/v1`,
    /** Sets a case's script for its next turn, and the answer to the detector's request. */
    script(id: string, steps: readonly ScriptedStep[], verdict?: Verdict): void {
      scripts.set(id, { steps, verdict, sent: [] });
    },
    /** The requests of the turn's steps, in order. */
    sent: (id: string): readonly SentStep[] => scripts.get(id)?.sent ?? [],
    stop,
  };
}

function answer(response: ServerResponse, body: StepBody, script: Script | undefined): void {
  if (isDetector(body)) {
    answerDetector(response, script?.verdict);
    return;
  }
  const step = script?.steps[script.sent.length];
  const results = body.messages.filter(({ role }) => role === "tool");
  script?.sent.push({
    offered: (body.tools ?? []).map((tool) => tool.function?.name ?? ""),
    toolResults: results.map(({ content }) => withoutMarks(String(content))),
    resultsById: new Map(results.map(({ tool_call_id: id = "", content }) => [id, withoutMarks(String(content))])),
  });
  if (step) {
    const calls = step.calls.map(({ tool, arguments: args }) => ({
      name: tool,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    }));
    writeAnswer(response, body.stream === true, { text: step.text, calls, finish: step.finish });
    return;
  }
  refuse(response);
}

/** The marks around untrusted results differ by session. */
const withoutMarks = (result: string): string => result.replaceAll(/<untrusted-\w+>\n|\n<\/untrusted-\w+>/g, "");

/** The detector's request begins with its own instructions; the client of a case sends none. */
const isDetector = ({ messages: [first], stream }: StepBody): boolean => stream !== true && first?.role === "system";

function answerDetector(response: ServerResponse, verdict: Verdict | undefined): void {
  if (verdict === undefined) refuse(response);
  else writeAnswer(response, false, { text: typeof verdict === "string" ? verdict : JSON.stringify(verdict) });
}

/** A status that no client tries again. */
function refuse(response: ServerResponse): void {
  response.writeHead(418, { "content-type": "application/json" });
  const error = { message: "the case scripts no such step", type: "case", param: null, code: "not_scripted" };
  response.end(JSON.stringify({ error }));
}
