/**
 * Tests a gateway that was just deployed with a client's requests: whether it is up, refuses a request without a key, accepts a key, and
 * reads its stores. No model is called. A new address and a new key work only after a while, so each request is repeated.
 */

export interface GatewayAnswer {
  /** 0: there was no answer. */
  readonly status: number;
  /** The body, or why there was no answer. */
  readonly text: string;
}

export interface SmokeOptions {
  /** The gateway's URL, without a path. */
  readonly url: string;
  /** An admin's key. */
  readonly token: string;
  readonly get: (url: string, token?: string) => Promise<GatewayAnswer>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

const WITHIN_MS = 180_000;
const EVERY_MS = 3_000;

interface Question {
  readonly path: string;
  readonly withKey: boolean;
  readonly status: number;
  /** What the request tests. */
  readonly shows: string;
}

const questions: readonly Question[] = [
  { path: "/health", withKey: false, status: 200, shows: "it is up" },
  { path: "/v1/me", withKey: false, status: 401, shows: "nobody is served without a key" },
  { path: "/v1/me", withKey: true, status: 200, shows: "KV, the policy and a user's object answer" },
  { path: "/v1/audit/turns?limit=1", withKey: true, status: 200, shows: "D1 answers" },
];

/** @returns the answer of `/health`. Throws if an answer is not the expected one; the error says which. */
export async function smokeTest({ url, token, get, now, wait }: SmokeOptions): Promise<string> {
  const until = now() + WITHIN_MS;
  let health = "";
  for (const { path, withKey, status, shows } of questions) {
    let reply = await get(`${url}${path}`, withKey ? token : undefined);
    while (reply.status !== status && now() < until) {
      await wait(EVERY_MS);
      reply = await get(`${url}${path}`, withKey ? token : undefined);
    }
    if (reply.status !== status)
      throw new Error(
        `it was deployed, but does not work: GET ${path}${withKey ? " with a key" : ""} is answered with ` +
          `${reply.status === 0 ? "nothing" : reply.status} instead of ${status}, which would show that ${shows}: ${reply.text.slice(0, 300)}`,
      );
    if (path === "/health") health = reply.text;
  }
  return health;
}

const ANSWER_MS = 10_000;

export async function askGateway(url: string, token?: string): Promise<GatewayAnswer> {
  try {
    const response = await fetch(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { message?: string } };
    return { status: 0, text: cause?.message ?? message };
  }
}
