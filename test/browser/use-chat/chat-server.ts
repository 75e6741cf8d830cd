/** An application with a chat: serves the page, and adds the key to what it asks of the gateway. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { build } from "esbuild";
import { root } from "../../../src/cli/settings.ts";

export interface ChatServer {
  readonly origin: string;
  /** The bodies that the page has sent. */
  readonly sent: Record<string, unknown>[];
  /** Whose key the requests get. */
  key: string;
  /** The next request does not reach the gateway. */
  failNext: boolean;
  close(): Promise<void>;
}

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Chat</title><link rel="stylesheet" href="/page.css"><style>
:root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 44rem; padding: 0 1rem }
main > form label { display: block } main > form input { font: inherit; min-height: 2.75rem } .user { text-align: end } .state { font-size: 0.8em; opacity: 0.75 }
</style><div id="root"></div><script type="module" src="/page.js"></script></html>`;

/** @param gateway its origin. */
export async function startChatServer(gateway: string): Promise<ChatServer> {
  const [script, style] = await Promise.all([
    bundle("page.tsx"),
    bundle("../../../src/packages/react/tool-approval.css"),
  ]);
  const files = new Map([
    ["/", { type: "text/html", body: html }],
    ["/page.js", { type: "text/javascript", body: script }],
    ["/page.css", { type: "text/css", body: style }],
  ]);
  const server = createServer(async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const file = files.get(path);
    // A page that may load and run only what is its own.
    const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'";
    if (file)
      return response.writeHead(200, { "content-type": file.type, "content-security-policy": policy }).end(file.body);
    if (!/^\/api\/chat(\/[\w-]+\/stream)?$/.test(path)) return response.writeHead(404).end();
    const body = await buffer(request);
    const isMessage = request.method === "POST";
    if (isMessage) self.sent.push(JSON.parse(body.toString("utf8")));
    if (self.failNext) {
      self.failNext = false;
      return response.writeHead(502).end("the line is down");
    }
    const headers = { "content-type": "application/json", authorization: `Bearer ${self.key}` };
    const own = Object.entries(request.headers).filter(([name]) => name.startsWith("x-toolgate-"));
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = await fetch(`${gateway}${path}`, {
      method: request.method ?? "POST",
      headers: { ...headers, ...(Object.fromEntries(own) as Record<string, string>) },
      signal: gone.signal,
      ...(isMessage ? { body } : {}),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    // A page that goes away ends the request to the gateway too.
    if (answer.body)
      Readable.fromWeb(answer.body as never)
        .on("error", () => response.destroy())
        .pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const self: ChatServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    key: "",
    failNext: false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return self;
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/browser/use-chat", file)],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
