/** A port for programs that cannot choose one and tell it. */
import { createServer } from "node:net";

/** Below those that the system gives to whoever asks for any: it could give this one away before its program listens. */
let next = 10_000 + ((process.pid * 100) % 20_000);

export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
