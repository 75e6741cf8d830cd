/** The listener of `npm start` between real sockets: what it passes on, and how. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Listener, listen } from "../../../src/cli/start/listener.ts";
import { freePort } from "../../bench/run/free-port.ts";

type Handler = (incoming: IncomingMessage, reply: ServerResponse) => void;

let runtime: Server;
let handler: Handler;
/** Whether the runtime reads bodies: workerd says so when the Worker begins to. */
let reads: boolean;
let listener: Listener;
let port: number;

beforeEach(async () => {
  runtime = createServer((incoming, reply) => handler(incoming, reply)).listen(0, "127.0.0.1");
  reads = true;
  runtime.on("checkContinue", (incoming, reply) => {
    if (reads) reply.writeContinue();
    handler(incoming, reply);
  });
  await once(runtime, "listening");
  port = await freePort();
  const cors = { any: false, origins: new Set<string>() };
  const opened = await listen({ port, cors, publicUrl: undefined, secret: "s3cret" });
  if (!opened.ok) throw new Error(opened.error);
  listener = opened.value;
  listener.passTo(`http://127.0.0.1:${(runtime.address() as AddressInfo).port}`);
});

afterEach(async () => {
  await listener.close();
  runtime.closeAllConnections();
  runtime.close();
});

const echo: Handler = async (incoming, reply) => {
  let bytes = 0;
  for await (const part of incoming) bytes += (part as Buffer).length;
  const { method, url, headers } = incoming;
  reply.end(JSON.stringify({ method, url, headers, bytes }));
};

/** Sends the very bytes and answers with all that comes back. */
async function raw(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let answer = "";
  for await (const part of socket.setEncoding("utf8")) answer += part;
  return answer;
}

it("passes method, path, query, headers and body on, and tells the secret", async () => {
  handler = echo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/a%2Fb?x=1&x=2`, {
    method: "PUT",
    headers: { authorization: "Bearer k", "x-toolgate-user": "ada" },
    body: "hello",
  });
  const seen = (await response.json()) as { headers: Record<string, string> };
  expect(seen).toMatchObject({ method: "PUT", url: "/v1/a%2Fb?x=1&x=2", bytes: 5 });
  expect(seen.headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    authorization: "Bearer k",
    "x-toolgate-user": "ada",
    "x-toolgate-listener": "s3cret",
  });
});

it.each(["MF-Original-URL", "mf-route-override", "MF-CF-Blob", "CF-Connecting-IP", "X-Forwarded-Proto", "Forwarded"])(
  "drops %s, which only a proxy may say",
  async (name) => {
    handler = echo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { [name]: "http://localhost/admin" } });
    expect(Object.keys(((await response.json()) as { headers: object }).headers)).not.toContain(name.toLowerCase());
  },
);

it("lets nobody bring a secret of their own", async () => {
  handler = echo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "X-Toolgate-Listener": "guess" } });
  expect(await response.json()).toMatchObject({ headers: { "x-toolgate-listener": "s3cret" } });
});

it("drops what a client says of its own connection", async () => {
  handler = echo;
  const head = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nX-Other: 2\r\n\r\n`;
  const { headers } = JSON.parse(/\{.*\}/.exec(await raw(head))?.[0] ?? "");
  expect(headers).toMatchObject({ "x-other": "2" });
  expect(headers).not.toHaveProperty("x-mine");
});

it.each([
  ["another host", "GET / HTTP/1.1\r\nHost: evil.com", 403],
  ["no host", "GET / HTTP/1.0\r\nX: y", 403],
  ["two hosts", "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nHost: evil.com", 400],
  ["another origin", "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://evil.com:PORT", 403],
  ["a whole URL", "GET http://localhost:PORT/ HTTP/1.1\r\nHost: localhost:PORT", 400],
  ["a whole URL of another host", "GET http://evil.com/ HTTP/1.1\r\nHost: localhost:PORT", 400],
  ["no path", "OPTIONS * HTTP/1.1\r\nHost: localhost:PORT", 400],
  ["two lengths", "POST / HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\nContent-Length: 2", 400],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
    400,
  ],
  ["a folded header", "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nX: a\r\n b", 400],
  ["no HTTP", "hello", 400],
])("passes no request on with %s", async (_, head, status) => {
  let asked = 0;
  handler = (_incoming, reply) => {
    asked += 1;
    reply.end();
  };
  const answer = await raw(`${head.replaceAll("PORT", String(port))}\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain('"error":{"message":');
  expect(asked).toBe(0);
});

it("resets the connection to the runtime where the client leaves before the answer: workerd hears no mere close", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const leave = new AbortController();
  handler = (incoming) => {
    incoming.socket.once("close", resolve);
    incoming.on("error", () => {});
    leave.abort();
  };
  const asked = fetch(`http://127.0.0.1:${port}/`, { signal: leave.signal });
  await expect(asked).rejects.toThrow();
  // Whether the socket ended with an error.
  expect(await ended).toBe(true);
});

it("tells by a 503 that the gateway is starting, or that it is gone", async () => {
  const early = await freePort();
  const cors = { any: false, origins: new Set<string>() };
  const opened = await listen({ port: early, cors, publicUrl: undefined, secret: "s" });
  if (!opened.ok) throw new Error(opened.error);
  const starting = await fetch(`http://127.0.0.1:${early}/health`);
  expect([starting.status, await starting.json()]).toMatchObject([503, { error: { code: "starting" } }]);
  await opened.value.close();
  runtime.close();
  const gone = await fetch(`http://127.0.0.1:${port}/health`);
  expect([gone.status, await gone.json()]).toMatchObject([503, { error: { code: "runtime_unavailable" } }]);
});

it("is told by the system's code that a port is taken", async () => {
  const cors = { any: false, origins: new Set<string>() };
  expect(await listen({ port, cors, publicUrl: undefined, secret: "s" })).toEqual({ ok: false, error: "EADDRINUSE" });
});

it("sends a stream's head and each event at once", async () => {
  const events = Promise.withResolvers<ServerResponse>();
  handler = (_incoming, reply) => {
    reply.writeHead(200, { "content-type": "text/event-stream" });
    reply.flushHeaders();
    events.resolve(reply);
  };
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const [upstream, reader] = [await events.promise, response.body?.getReader()];
  for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
    // The next is written only once this one was read: a buffer anywhere would hang the test.
    upstream.write(event);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(event);
  }
  upstream.end();
  expect(await reader?.read()).toMatchObject({ done: true });
});

it("lets the runtime know that a client has left, before an answer and in the middle of one", async () => {
  for (const begins of [false, true]) {
    const left = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    handler = (_incoming, reply) => {
      reply.on("close", () => left.resolve());
      if (begins) reply.write("begun");
      arrived.resolve();
    };
    const controller = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "x", signal: controller.signal });
    asked.then((response) => response.text()).catch(() => {});
    await arrived.promise;
    controller.abort();
    await left.promise;
  }
});

it("breaks an answer off where the runtime does, so that nobody takes it for whole", async () => {
  handler = (_incoming, reply) => {
    reply.writeHead(200);
    reply.write("half", () => reply.destroy());
  };
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await expect(response.text()).rejects.toThrow();
});

it("passes large bodies on, chunked or not", async () => {
  handler = echo;
  const size = 40 * 1024 * 1024;
  const whole = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: new Uint8Array(size) });
  expect(await whole.json()).toMatchObject({ bytes: size, headers: { "content-length": String(size) } });
  const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/" });
  asked.write(Buffer.alloc(1000));
  asked.end(Buffer.alloc(size));
  const [answered] = (await once(asked, "response")) as [IncomingMessage];
  const chunked = await json(answered);
  expect(chunked).toMatchObject({ bytes: size + 1000, headers: { "transfer-encoding": "chunked" } });
});

it.each([100, 100_000, 4_000_000])(
  "passes an answer back that comes before a body of %i bytes, each time",
  async (size) => {
    reads = false;
    let sent = 0;
    handler = (incoming, reply) => {
      incoming.on("data", (part: Buffer) => {
        sent += part.length;
      });
      // As workerd does.
      reply.writeHead(401).end("no key", () => incoming.socket.destroySoon());
    };
    for (let time = 0; time < 10; time++) {
      const refused = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: new Uint8Array(size) });
      expect([refused.status, await refused.text()]).toEqual([401, "no key"]);
    }
    if (size > 100) expect(sent).toBe(0);
  },
);

it("answers `expect: 100-continue` before the body, and keeps a connection for the next request", async () => {
  handler = echo;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const read = async (end: string) => {
    let text = "";
    while (!text.includes(end)) text += (await once(socket, "data"))[0];
    return text;
  };
  for (let turn = 1; turn <= 2; turn++) {
    socket.write(`POST / HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`);
    expect(await read("\r\n\r\n")).toContain("100 Continue");
    socket.write("abc");
    const answer = await read('"bytes":3}');
    expect(answer).toContain("HTTP/1.1 200 OK");
  }
  socket.destroy();
});

it("answers a client that waits for a `continue` without one where nobody reads the body, and then closes", async () => {
  reads = false;
  handler = (_incoming, reply) => {
    reply.writeHead(401).end("no key");
  };
  for (const host of [`localhost:${port}`, "evil.com"]) {
    const answer = await raw(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[13] /);
    expect(answer.toLowerCase()).toContain("connection: close");
  }
});

it("keeps several headers of one name, and the status's own words", async () => {
  handler = (_incoming, reply) => {
    reply.writeHead(299, "Odd", [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    reply.end("x");
  };
  const asked = request({ port, host: "127.0.0.1", method: "GET", path: "/" }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect([answer.statusCode, answer.statusMessage, answer.headers["set-cookie"]]).toEqual([299, "Odd", ["a=1", "b=2"]]);
  answer.resume();
});
