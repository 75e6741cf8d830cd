/** One request and its answer, timed from the outside. */
import { type Agent, request } from "node:http";
import { type BenchSurface, benchSurfaces } from "./surfaces.ts";

export interface Target {
  readonly url: string;
  /** Beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Milliseconds from the moment that the request was to be made. */
export interface Sample {
  readonly headers: number;
  readonly firstByte: number;
  /** The first event that holds a word or a call. */
  readonly firstToken: number;
  readonly total: number;
  readonly bytes: number;
}

export interface Exchange {
  readonly status: number;
  readonly text: string;
  readonly sample: Sample;
}

const timeoutMs = 30_000;

/** Servers close a connection that was idle for 5 s, just as a request may come on it: it is let go before. */
export const keepAlive = { keepAlive: true, timeout: 3000 } as const;

/**
 * @param started the moment to count from: in an open loop when the request was due, however late it is made.
 * @param onToken called when the first word, or call, has come.
 */
export function exchange(
  agent: Agent,
  { url, headers }: Target,
  body: Buffer,
  user: string,
  started = performance.now(),
  { path, firstToken: token }: BenchSurface = benchSurfaces.chat,
  onToken?: () => void,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const since = () => performance.now() - started;
    const all = {
      ...headers,
      "content-type": "application/json",
      "content-length": body.length,
      "x-toolgate-user": user,
    };
    const outgoing = request(`${url}${path}`, { method: "POST", agent, headers: all }, (response) => {
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
        if (!token.test(opening)) return;
        firstToken = since();
        onToken?.();
      });
      response.on("error", reject);
      response.on("end", () => {
        const whole = Buffer.concat(parts);
        const sample = { headers: headersAt, firstByte, firstToken, total: since(), bytes: whole.length };
        resolve({ status: response.statusCode ?? 0, text: whole.toString("utf8"), sample });
      });
    });
    // Not the socket's own timeout: that is the agent's, and much shorter.
    const giveUp = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    outgoing.on("close", () => clearTimeout(giveUp));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
