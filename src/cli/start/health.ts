/** When the gateway answers on its port. */
import { setTimeout as wait } from "node:timers/promises";

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
