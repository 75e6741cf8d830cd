/** Whether the port is free, and when the gateway answers on it. */
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Undefined, or the system's code: EADDRINUSE, EACCES. */
export function portProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(undefined)));
  });
}

/** True once `GET /health` answers 200; false after the time. */
export async function becomesHealthy(port: number, withinMs: number): Promise<boolean> {
  const deadline = AbortSignal.timeout(withinMs);
  while (!deadline.aborted) {
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/health`, { signal: deadline });
      await reply.body?.cancel();
      if (reply.status === 200) return true;
    } catch {
      // Not listening yet.
    }
    await wait(100);
  }
  return false;
}
