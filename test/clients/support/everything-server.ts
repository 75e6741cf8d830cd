/** The reference server of MCP, as npm has it, over Streamable HTTP. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { freePort } from "../../bench/run/free-port.ts";

export interface EverythingServer {
  readonly url: string;
  /** Resolves with the next line that holds the text, or one that came since the last time. */
  said(text: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startEverything(): Promise<EverythingServer> {
  const port = await freePort();
  const entry = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const child = spawn(process.execPath, [entry, "streamableHttp"], { env: { PORT: String(port) } });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines: string[] = [];
  const waiting: { text: string; told: (line: string) => void }[] = [];
  const hear = (line: string) => {
    const one = waiting.findIndex(({ text }) => line.includes(text));
    if (one >= 0) waiting.splice(one, 1)[0]?.told(line);
    else lines.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
  const server: EverythingServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    said(text) {
      const at = lines.findIndex((line) => line.includes(text));
      if (at >= 0) return Promise.resolve(lines.splice(at, 1)[0] ?? "");
      return new Promise((told) => waiting.push({ text, told }));
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
  const started = server.said("listening on port");
  await Promise.race([started, exited.then(() => Promise.reject(new Error(lines.join("\n"))))]);
  return server;
}
