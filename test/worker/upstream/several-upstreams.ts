/** A gateway with several upstreams, whose waits between attempts are noted and take no time. */
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";

export interface Upstreams {
  readonly gate: Gateway;
  /** The upstreams in the order in which they were asked, by their numbers. */
  readonly asked: number[];
  /** The waits between attempts, in milliseconds. */
  readonly waits: number[];
  /** Moves the clock of the circuit breaker. */
  advance(ms: number): void;
}

export interface Options {
  readonly retries?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly policy?: unknown;
  /** Called instead of waiting. */
  readonly onWait?: (signal: AbortSignal) => Promise<void>;
}

/** Each script answers its upstream's requests in order, the last one repeatedly. */
export async function upstreams(
  scripts: readonly (readonly Upstream[])[],
  { retries = 2, variables = {}, policy = {}, onWait }: Options = {},
): Promise<Upstreams> {
  const asked: number[] = [];
  const waits: number[] = [];
  const turns = scripts.map(() => 0);
  let skipped = 0;
  const all: Record<string, string> = { UPSTREAM_RETRIES: String(retries), ...variables };
  for (const index of scripts.keys()) {
    const name = index === 0 ? "UPSTREAM" : `UPSTREAM_${index + 1}`;
    all[`${name}_BASE_URL`] = `https://up${index + 1}.test/v1`;
    all[`${name}_API_KEY`] = `sk-${index + 1}`;
  }
  const gate = await gateway({
    policy,
    variables: all,
    pace: {
      now: () => Date.now() + skipped,
      // The whole of a back-off.
      random: () => 1,
      wait: async (ms, signal) => {
        waits.push(ms);
        await onWait?.(signal);
      },
    },
    upstream: (body, request) => {
      const index = Number(/^up(\d)/.exec(new URL(request.url).host)?.[1]) - 1;
      const script = scripts[index] ?? [];
      const turn = turns[index] ?? 0;
      turns[index] = turn + 1;
      asked.push(index + 1);
      const answer = script[Math.min(turn, script.length - 1)];
      if (!answer) throw new Error("the test has no such upstream");
      return answer(body, request);
    },
  });
  return {
    gate,
    asked,
    waits,
    advance(ms) {
      skipped += ms;
    },
  };
}

export const fails =
  (status: number, headers: Record<string, string> = {}, message = `failed ${status}`): Upstream =>
  () =>
    Response.json({ error: { message, type: "t", code: null, param: null } }, { status, headers });

/** As where there is no connection. */
export const unreachable: Upstream = () => {
  throw new TypeError("Network connection lost.");
};

/** A stream or a JSON answer that breaks after its headers, with nothing or with what is given before it. */
export const diesAfter =
  (text: string, ending: "close" | "break" = "break"): Upstream =>
  (body) => {
    const pieces = text === "" ? [] : [new TextEncoder().encode(text)];
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift();
          if (piece) controller.enqueue(piece);
          else if (ending === "break") controller.error(new Error("connection reset"));
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, {
      headers: { "content-type": body.stream === true ? "text/event-stream" : "application/json" },
    });
  };
