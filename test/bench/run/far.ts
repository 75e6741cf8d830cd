/**
 * How long the first token waits for a far object: a conversation of four turns, as it goes through a bare Worker, one that only
 * counts, and Toolgate, each turn against the bare one's. And what a mixed load of many users costs in calls of the model.
 */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { accumulate, readSse } from "../../support/sse.ts";
import { quantile } from "../report/statistics.ts";
import { exchange, keepAlive, type Sample, type Target } from "./exchange.ts";
import { codingTools } from "./requests.ts";

/** The turns of a conversation, in their order. */
export const farTurns = ["fresh", "further", "call", "continuation"] as const;
type FarTurn = (typeof farTurns)[number];

export type FarSamples = Readonly<Record<FarTurn, number[]>>;

const newSamples = (): FarSamples => ({ fresh: [], further: [], call: [], continuation: [] });

type Message = Readonly<Record<string, unknown>>;

interface Conversation {
  readonly user: string;
  /** Tells it from all others. */
  readonly name: string;
  readonly thinkMs: number;
  /** Between two turns, in milliseconds. */
  readonly pause: () => number;
}

/** Calls of the model and what they were made for. */
export interface CallCount {
  readonly turns: number;
  readonly calls: number;
}

const system = {
  role: "system",
  content: "You are a coding agent that works in the user's repository. Read before you write, and answer briefly.",
};

/** One conversation; throws where an answer is not the one that the script holds. */
async function converse(
  agent: Agent,
  target: Target,
  { user, name, thinkMs, pause }: Conversation,
  note: (turn: FarTurn, sample: Sample) => void,
): Promise<void> {
  let messages: readonly Message[] = [system];
  const ask = async (turn: FarTurn, model: string, more: readonly Message[]): Promise<Message> => {
    messages = [...messages, ...more];
    const body = { model: `${model}-after-${thinkMs}ms`, stream: true, messages, tools: codingTools };
    const { status, text, sample } = await exchange(agent, target, Buffer.from(JSON.stringify(body)), user);
    if (status !== 200) throw new Error(`${turn}: status ${status}: ${text.slice(0, 300)}`);
    const answer = accumulate(await readSse(text));
    const calls = answer.toolCalls.map(({ name: tool }) => tool).join();
    if (answer.error !== undefined || calls !== (turn === "call" ? "read_file" : ""))
      throw new Error(`${turn}: released \`${calls}\`: ${text.slice(0, 300)}`);
    note(turn, sample);
    const made = answer.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    }));
    const message = {
      role: "assistant",
      content: answer.text || null,
      ...(made.length > 0 ? { tool_calls: made } : {}),
    };
    messages = [...messages, message];
    await sleep(pause());
    return message;
  };
  const said = (content: string) => [{ role: "user", content }];
  await ask("fresh", "text-8", said(`Why does the retry test fail every few runs? (${name})`));
  await ask("further", "text-8", said("And which of the last commits is it?"));
  const { tool_calls: made = [] } = await ask("call", "tool-read_file", said("Look into the file, please."));
  const results = (made as readonly { readonly id: string }[]).map(({ id }) => ({
    role: "tool",
    tool_call_id: id,
    content: "The file has 40 lines.",
  }));
  await ask("continuation", "tool-read_file", results);
}

/** Conversations one after the other, each contender's in turn, so that noise hits all alike. */
export async function measureFar(
  targets: readonly Target[],
  { thinkMs, rounds, warm }: { readonly thinkMs: number; readonly rounds: number; readonly warm: number },
): Promise<FarSamples[]> {
  const agent = new Agent(keepAlive);
  const all = targets.map(newSamples);
  try {
    for (let round = -warm; round < rounds; round += 1) {
      for (const [index, target] of targets.entries()) {
        const one = { user: `far-${round % 4}`, name: `${thinkMs}-${round}-${index}`, thinkMs, pause: () => 20 };
        await converse(agent, target, one, (turn, { firstToken }) => {
          if (round >= 0) all[index]?.[turn].push(firstToken);
        });
      }
    }
  } finally {
    agent.destroy();
  }
  return all;
}

const USERS = 200;

/**
 * Many users at once, each in a conversation of its own, with pauses of agents (50 ms) and of people (up to 4 s). Counts the calls of
 * the model that it took.
 */
export async function countCalls(
  target: Target,
  served: () => Promise<number>,
  conversations: number,
): Promise<CallCount> {
  const agent = new Agent(keepAlive);
  const before = await served();
  let turns = 0;
  try {
    const slot = async (user: number) => {
      for (let one = 0; one < conversations; one += 1) {
        await sleep(Math.random() * 2000);
        const pause = () => (Math.random() < 0.5 ? 50 : Math.random() * 4000);
        const conversation = { user: `mixed-${user}`, name: `mixed ${user} ${one}`, thinkMs: 100, pause };
        await converse(agent, target, conversation, () => {
          turns += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: USERS }, (_, user) => slot(user)));
  } finally {
    agent.destroy();
  }
  return { turns, calls: (await served()) - before };
}

export const p50 = (values: readonly number[]): number => quantile(values, 0.5);
