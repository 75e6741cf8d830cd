/** The load generator: the same requests to any Worker, timed from the outside, every answer checked. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { accumulate, readSse } from "../support/sse.ts";
import { scriptedWords } from "./upstream.ts";

export interface LoadCase {
  /** The scripted model, such as `text-200`. */
  readonly model: string;
  readonly words: number;
  readonly concurrency: number;
}

/** Milliseconds from the moment that the request is made. */
export interface Sample {
  readonly headers: number;
  readonly firstByte: number;
  /** The first event whose content is not empty. */
  readonly firstToken: number;
  readonly total: number;
  readonly bytes: number;
}

export interface Block {
  readonly samples: readonly Sample[];
  readonly elapsedMs: number;
  /** What was wrong with answers that do not count. */
  readonly failures: readonly string[];
}

const timeoutMs = 30_000;

const systemPrompt = `You are a coding agent that works in the user's repository. Read before you write, keep changes
small, run the tests after each change, and say plainly what you could not do. Never send anything outside the
workspace unless the user asked for it. Answer in the user's language, briefly, in Markdown.`;

const userPrompt = `The retry test in test/worker/settle.test.ts fails every few runs. Please look at the last commits,
find out why, and tell me what you would change before you change anything.`;

const tools: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, "../fixtures/coding-agent-tools.json"), "utf8"),
);

function requestBody(model: string): Buffer {
  const messages = [
    { role: "system", content: systemPrompt },
    { role: "user", content: userPrompt },
  ];
  return Buffer.from(JSON.stringify({ model, stream: true, stream_options: { include_usage: true }, messages, tools }));
}

export class LoadGenerator {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #bodies = new Map<string, Buffer>();

  /** Makes `count` requests, `concurrency` at a time, each of these for a user of its own. */
  async run(url: string, load: LoadCase, count: number): Promise<Block> {
    const body = this.#bodies.get(load.model) ?? requestBody(load.model);
    this.#bodies.set(load.model, body);
    const exchanges: Exchange[] = [];
    const failures: string[] = [];
    let left = count;
    const started = performance.now();
    const slot = async (user: number) => {
      while (left-- > 0) {
        try {
          exchanges.push(await exchange(this.#agent, url, body, `bench-${user}`));
        } catch (error) {
          failures.push(String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: load.concurrency }, (_, user) => slot(user)));
    const elapsedMs = performance.now() - started;
    // Checked after the clock has stopped: parsing shares the event loop with the requests.
    const samples: Sample[] = [];
    for (const { status, text, sample } of exchanges) {
      const fault = await findFault(status, text, load);
      if (fault === undefined) samples.push(sample);
      else failures.push(fault);
    }
    return { samples, elapsedMs, failures };
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Exchange {
  readonly status: number;
  readonly text: string;
  readonly sample: Sample;
}

function exchange(agent: Agent, url: string, body: Buffer, user: string): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const since = () => performance.now() - started;
    const headers = {
      authorization: "Bearer tg-dev-user",
      "content-type": "application/json",
      "content-length": body.length,
      "x-toolgate-user": user,
    };
    const outgoing = request(`${url}/v1/chat/completions`, { method: "POST", agent, headers }, (response) => {
      const headersAt = since();
      const parts: Buffer[] = [];
      let opening = "";
      let firstByte = 0;
      let firstToken = 0;
      response.on("data", (part: Buffer) => {
        firstByte ||= since();
        parts.push(part);
        if (firstToken > 0) return;
        opening += part.toString("latin1");
        if (/"content":\s*"[^"]/.test(opening)) firstToken = since();
      });
      response.on("error", reject);
      response.on("end", () => {
        const all = Buffer.concat(parts);
        const sample = { headers: headersAt, firstByte, firstToken, total: since(), bytes: all.length };
        resolve({ status: response.statusCode ?? 0, text: all.toString("utf8"), sample });
      });
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** What is wrong with an answer; nothing, if every word came, in order, and the stream ended as it should. */
async function findFault(status: number, text: string, { words }: LoadCase): Promise<string | undefined> {
  if (status !== 200) return `status ${status}: ${text.slice(0, 300)}`;
  const result = accumulate(await readSse(text));
  if (result.error !== undefined) return `error event: ${JSON.stringify(result.error).slice(0, 300)}`;
  if (result.text !== scriptedWords(words).join(""))
    return `other words than the ${words} sent: ${result.text.slice(0, 100)}`;
  if (result.finishReason !== "stop") return `finish reason ${result.finishReason}`;
  if (!result.usage) return "no usage";
  return result.done ? undefined : "no [DONE]";
}
