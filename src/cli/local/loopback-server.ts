/** An HTTP server on a free port of this machine, in place of a third party's. */
import { once } from "node:events";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";

interface LoopbackServer {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startLoopback(handle: RequestListener, options: ServerOptions = {}): Promise<LoopbackServer> {
  const server = createServer(options, handle);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
