/** The gateway in workerd, and an upstream in this process that answers what it is told to. */
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { bundle } from "../../../src/cli/build/worker.ts";
import { startMiniflare } from "../../../src/cli/local/miniflare.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { chunk, sse } from "../../support/sse.ts";
import { bundleReadable, bundleWorker, startWorker } from "../run/miniflare.ts";
import { childrenNamed } from "../run/process-usage.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Call {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

type Headers = Readonly<Record<string, string>>;

/** A Worker that is measured. */
export interface Measurable {
  readonly pid: number | undefined;
  readonly url: string;
  readonly agent: Agent;
}

export interface Gateway extends Measurable {
  /** The Worker with the pure functions. */
  readonly functions: Measurable;
  /** Calls one of them. */
  check(name: string, input: unknown): Promise<Reply>;
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  /** What the upstream answers from now on, a request each; the last one again and again. */
  script(...answers: readonly UpstreamAnswer[]): void;
  /** The headers of an operator of a tenant of its own, under this policy; put behind the API's back. */
  tenant(policy: unknown, salt: string): Promise<Headers>;
  stop(): Promise<void>;
}

export type UpstreamAnswer =
  | { readonly calls: readonly Call[] }
  | { readonly text: string }
  /** An event stream as it stands, written piece by piece. */
  | { readonly pieces: readonly string[] }
  | { readonly json: string };

/** @param inspectorPort where a profiler may look in; the functions then have the names of the source. */
export async function startGateway(inspectorPort?: number): Promise<Gateway> {
  let answers: UpstreamAnswer[] = [{ text: "ok" }];
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on("end", () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer) void write(answer, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const gateway = await (inspectorPort === undefined ? bundleWorker("toolgate") : bundleReadable("toolgate"));
  const worker = await startWorker("toolgate", gateway, { url, stop: async () => {} }, { inspectorPort });
  const functions = await startFunctions();
  const agent = new Agent({ keepAlive: true });
  const kv = await worker.kv();
  return {
    pid: worker.pid,
    url: worker.url,
    agent,
    functions: { pid: functions.pid, url: functions.origin, agent },
    check: (name, input) =>
      send(agent, `${functions.origin}/${name}`, "POST", input === undefined ? null : JSON.stringify(input), {}),
    send: (method, path, body, headers = {}) =>
      send(agent, `${worker.url}${path}`, method, body, { ...worker.headers, ...headers }),
    script(...next) {
      answers = [...next];
    },
    async tenant(policy, salt) {
      await putPolicy(kv, `t${salt}`, policy, Date.now());
      const owner = { tenant: `t${salt}`, user: "ada", role: "admin", connections: [] };
      const { token } = await createKey(kv, owner, Date.now());
      return { authorization: `Bearer ${token}` };
    },
    async stop() {
      agent.destroy();
      await worker.stop();
      await functions.mf.dispose();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startFunctions() {
  const { code } = await bundle("hostile", "test/bench/workers/hostile.ts");
  const before = childrenNamed("workerd");
  const { mf, origin } = await startMiniflare({ name: "hostile", code, bindings: {}, stores: false });
  return { mf, origin, pid: childrenNamed("workerd").find((pid) => !before.includes(pid)) };
}

async function write(answer: UpstreamAnswer, response: ServerResponse): Promise<void> {
  if ("json" in answer) {
    response.setHeader("content-type", "application/json");
    response.end(answer.json);
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const pieces = "pieces" in answer ? answer.pieces : [streamOf(answer)];
  for (const piece of pieces) {
    if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}

function streamOf(answer: { readonly calls: readonly Call[] } | { readonly text: string }): string {
  if ("text" in answer)
    return sse([chunk({ role: "assistant", content: answer.text }), chunk({}, { finish: "stop" })], { done: true });
  const events = answer.calls.map((call, index) =>
    chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: call }] }),
  );
  return sse([chunk({ role: "assistant", content: "" }), ...events, chunk({}, { finish: "tool_calls" })], {
    done: true,
  });
}

function send(agent: Agent, url: string, method: string, body: unknown, headers: Headers): Promise<Reply> {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      {
        method,
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8"),
          }),
        );
      },
    );
    outgoing.setTimeout(120_000, () => outgoing.destroy(new Error("no answer within two minutes")));
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}
