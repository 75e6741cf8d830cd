/** What managed tools reach in the clients' tests: an HTTP service on loopback, and a real MCP server as a process of its own. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "../../bench/run/free-port.ts";

export interface ToolService {
  readonly url: string;
  /** Paths that were asked for, since the last `gather`. */
  readonly asked: readonly string[];
  /** From now on nobody is answered before so many have asked. */
  gather(count: number): void;
  stop(): Promise<void>;
}

export async function startToolService(): Promise<ToolService> {
  let asked: string[] = [];
  let wanted = 1;
  let all = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    if (asked.length >= wanted) all.resolve();
    await all.promise;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ answered: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    gather(count) {
      asked = [];
      wanted = count;
      all = Promise.withResolvers();
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export interface McpProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** The project's own example server, as it comes from npm. */
export async function startEverything(): Promise<McpProcess> {
  const port = await freePort();
  const entry = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const child = spawn(process.execPath, [entry, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the MCP server ended with ${code}`)));
    child.stderr.on("data", (bytes: Buffer) => {
      if (/listening/i.test(bytes.toString())) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop() {
      child.kill("SIGKILL");
      return ended;
    },
  };
}
