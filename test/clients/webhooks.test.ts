/** Webhooks and their links over real sockets: the built Worker, a receiver with the stock library, a restart between. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { webhookSecrets } from "../../src/lib/standard-webhook.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

const SIGNING_KEYS = `k1:${"a1".repeat(16)}`;

interface Message {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  /** The next message that comes. */
  readonly next: () => Promise<Message>;
  /** How the next ones are answered; 204 unless told. */
  answer: (response: ServerResponse) => void;
  stop(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const messages: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = {
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    const one = waiting.shift();
    if (one) one(message);
    else messages.push(message);
    self.answer(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: async () => messages.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    answer: (response) => void response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}

let folder: string;
let receivers: Receiver[];
let gateway: Gateway | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-webhooks-"));
  receivers = [await startReceiver(), await startReceiver()];
});
afterEach(async () => {
  await gateway?.stop();
  for (const receiver of receivers) await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const WEBHOOKS = JSON.stringify(receivers.map(({ url }) => ({ url: `${url}/hook` })));
  const settings = { WEBHOOKS, SIGNING_KEYS, PUBLIC_URL: "http://localhost" };
  gateway = await startGateway({ entry: "test/worker/support/asking-worker.ts", folder, settings });
  return gateway.baseURL.replace("/v1", "");
}

/** As the library of the specification reads it. */
function verified({ url }: Receiver, { headers, body }: Message) {
  const ring = parseKeyRing(SIGNING_KEYS, "signing key");
  if (!ring.ok) throw new Error(ring.error);
  const stock = new Webhook(webhookSecrets(ring.value, `${url}/hook`)[0]?.secret ?? "");
  return stock.verify(body, headers as Record<string, string>) as {
    type: string;
    data: { id: string; status: string; answer: unknown; links: { open?: string } };
  };
}

it("a receiver is told, opens the link, decides, and is told of the answer; one that hangs is nobody's business", async () => {
  const [receiver, hanging] = receivers as [Receiver, Receiver];
  hanging.answer = () => {};
  const base = await start();
  const approval = (await (await fetch(`${base}/ask`, { method: "POST" })).json()) as { id: string };
  const asked = verified(receiver, await receiver.next());
  expect(verified(hanging, await hanging.next())).toEqual(asked);
  expect(asked).toMatchObject({ type: "approval.asked", data: { id: approval.id, status: "pending" } });

  const link = `${base}${new URL(asked.data.links.open ?? "").pathname}`;
  expect(await (await fetch(link)).text()).toMatch(/<h1>[^<]*<code>/);
  const body = new URLSearchParams({ action: "approve" });
  const page = await fetch(link, { method: "POST", body, headers: { origin: base, "sec-fetch-site": "same-origin" } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1>Approved</h1>")]);

  const answered = verified(receiver, await receiver.next());
  expect(answered).toMatchObject({
    type: "approval.answered",
    data: { id: approval.id, status: "approved", answer: { via: "link", by: "ada" } },
  });
});

it("what could not be told is told by the next start, under the same id, and no redirect is followed", async () => {
  const [receiver, elsewhere] = receivers as [Receiver, Receiver];
  receiver.answer = (response) => void response.writeHead(307, { location: `${elsewhere.url}/stolen` }).end();
  const base = await start();
  await fetch(`${base}/ask`, { method: "POST" });
  const first = await receiver.next();
  expect((await elsewhere.next()).path).toBe("/hook");
  await gateway?.stop();
  receiver.answer = (response) => void response.writeHead(200).end("ok");
  // Workerd by itself wakes no object for an alarm of an earlier start: whoever looks at the call does.
  const { pathname } = new URL(verified(receiver, first).data.links.open ?? "");
  expect((await fetch(`${await start()}${pathname}`)).status).toBe(200);
  let again = await receiver.next();
  // It may have been tried once more before the stop.
  while (again.headers["webhook-timestamp"] === first.headers["webhook-timestamp"]) again = await receiver.next();
  expect(verified(receiver, again)).toMatchObject({ type: "approval.asked" });
  expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  expect(again.body).toBe(first.body);
  // Stopped before it could note the answer, the object lets half a minute pass: it may be sending still.
}, 120_000);
