/** A client with a conversation of its own: it answers questions as it is told to and sends the tools' results back. */
import type { PlayedCall } from "./figures.ts";
import type { Tenant } from "./gateway.ts";
import { beginTurn, newScript, type Script } from "./scripted-model.ts";
import type { Suite, SuiteCall, UserTask } from "./suites.ts";

/** `endorse`: approve, and use the values of the result that the question shows. */
type Answer = "approve" | "endorse" | "deny";

/** A call with what became of it. */
export interface Outcome {
  readonly call: SuiteCall;
  readonly played: PlayedCall;
}

export interface Conversation {
  /**
   * Plays the first of the calls; the others only where the model makes them in the same turn, because one was refused.
   * @param answer to each question. @returns an outcome for each call that was made.
   */
  play(calls: readonly SuiteCall[], answer: Answer): Promise<readonly Outcome[]>;
  end(): void;
}

interface Reply {
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly { readonly id: string }[] } }[];
  readonly toolgate?: Verdict;
}

interface Verdict {
  readonly stop_reason?: string;
  readonly approvals?: readonly { readonly id: string }[];
  readonly decisions?: readonly { readonly call_id?: string; readonly reasons?: readonly ReasonCode[] }[];
  readonly withheld?: readonly { readonly tool?: string; readonly reasons?: readonly ReasonCode[] }[];
}

type ReasonCode = string | { readonly code: string; readonly arguments?: readonly { readonly path: string }[] };

let serial = 0;

/** @param plansAhead whether the model selects the intents of the whole task before its first call. */
export function startConversation(tenant: Tenant, suite: Suite, user: UserTask, plansAhead: boolean): Conversation {
  serial += 1;
  const id = `conversation-${serial}`;
  const script = newScript(suite.tools, plansAhead ? user.calls.map(({ tool }) => tool) : []);
  tenant.scripts.set(id, script);
  const tools = suite.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const messages: object[] = [{ role: "user", content: user.prompt }];
  const post = (extra: object) => send(tenant, id, { model: id, messages, tools, ...extra });
  return {
    play: (calls, answer) => playCalls({ script, messages, post }, calls, answer),
    end: () => void tenant.scripts.delete(id),
  };
}

async function send({ url, token }: Tenant, id: string, body: object): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "x-toolgate-user": id,
    "x-toolgate-session": id,
    "x-toolgate-approvals": "native",
  };
  const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`status ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as Reply;
}

interface Talk {
  readonly script: Script;
  readonly messages: object[];
  readonly post: (extra: object) => Promise<Reply>;
}

async function playCalls(talk: Talk, calls: readonly SuiteCall[], answer: Answer): Promise<Outcome[]> {
  const { script, messages, post } = talk;
  script.queue = [...calls];
  const outcomes: Outcome[] = [];
  const questions = new Map<SuiteCall, { count: number; why: string }>();
  const note = (call: SuiteCall, effect: PlayedCall["effect"], why: string) => {
    const asked = questions.get(call);
    outcomes.push({ call, played: { tool: call.tool, effect, why: asked?.why ?? why, questions: asked?.count ?? 0 } });
  };
  let extra = {};
  for (let round = 0; round < 4 * calls.length + 4; round += 1) {
    beginTurn(script);
    const { choices, toolgate = {} } = await post(extra);
    extra = {};
    // A call that a person declined comes back as refused: that was the person, not a rule.
    for (const call of script.refused)
      note(call, questions.has(call) ? "confirm" : "deny", codes(toolgate, script, call));
    const [call] = script.queue;
    const made = choices[0]?.message.tool_calls?.[0];
    if (made && call) {
      note(call, questions.has(call) ? "confirm" : "allow", "");
      messages.push(choices[0]?.message ?? {}, { role: "tool", tool_call_id: made.id, content: call.output });
      return outcomes;
    }
    if (toolgate.stop_reason === "awaiting_approval" && call) {
      const waiting = toolgate.approvals ?? [];
      const before = questions.get(call);
      questions.set(call, {
        count: (before?.count ?? 0) + waiting.length,
        why: before?.why ?? codes(toolgate, script, call),
      });
      if (answer === "deny") {
        note(call, "confirm", "");
        script.queue.shift();
        if (script.queue.length === 0) return outcomes;
      }
      extra = { toolgate: { approvals: waiting.map(({ id }) => ({ id, ...actions[answer] })) } };
      continue;
    }
    if (call && script.refused.length === 0) note(call, "deny", toolgate.stop_reason ?? "stopped");
    return outcomes;
  }
  return outcomes;
}

const actions = {
  approve: { action: "approve" },
  endorse: { action: "approve", endorse: true },
  deny: { action: "deny" },
} as const;

/** Of the call's own decision, and of why its tool was not offered. */
function codes({ decisions = [], withheld = [] }: Verdict, { ids }: Script, call: SuiteCall): string {
  const own = decisions.findLast((one) => one.call_id === ids.get(call));
  const hidden = withheld.find((one) => one.tool === call.tool);
  const reasons = [...(own?.reasons ?? []), ...(hidden?.reasons ?? [])];
  return [
    ...new Set(
      reasons.map((one) =>
        typeof one === "string" ? one : [one.code, ...(one.arguments ?? []).map(({ path }) => path)].join(" "),
      ),
    ),
  ].join("+");
}
