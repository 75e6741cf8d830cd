/** The real pages, with an API behind them that says what a test wants: states that a gateway is in only for a moment. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ApprovalView, Principal } from "../../src/api-views/approval-views.ts";

export interface FakeGateway {
  readonly origin: string;
  readonly approvals: Map<string, ApprovalView>;
  /** Bodies of `POST /v1/approvals/:id`, by id. */
  readonly answers: { readonly id: string; readonly body: Record<string, unknown> }[];
  readonly withdrawn: string[];
  /** Stands before the gateway, and says yes to everything with a page of its own. */
  portal: boolean;
  /** Stands in for what the API would answer next, once. */
  next: { readonly status: number; readonly body: unknown } | undefined;
  me: Principal;
  grants: readonly unknown[];
  gates: readonly unknown[];
  /** Whether there is a stream of events. */
  streams: boolean;
  /** Whether the list of approvals can be read; `late`: it gets no reply. */
  lists: boolean | "late";
  /** Streams that were opened so far, and those that are open. */
  readonly opened: () => number;
  readonly open: () => number;
  /** Answers get no reply until the function that it returns is called. */
  hold(): () => void;
  /** Tells all pages that are connected. */
  tell(approval: ApprovalView): void;
  /** No API until it is called again; streams are cut. */
  setDown(down: boolean): void;
  /** Ends the streams. */
  cut(): void;
  close(): Promise<void>;
}

/** @param console where the pages are served. */
export async function fakeGateway(console: string): Promise<FakeGateway> {
  const streams = new Map<ServerResponse, "own" | "tenant">();
  let opened = 0;
  let held: Promise<void> = Promise.resolve();
  let down = false;
  const server = createServer((request, response) => {
    if (down) request.socket.destroy();
    else void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const self: FakeGateway = {
    origin: `http://127.0.0.1:${port}`,
    approvals: new Map(),
    answers: [],
    withdrawn: [],
    portal: false,
    next: undefined,
    me: { tenant: "acme", user: "ada", role: "user", operator: false, sees_tenant: false, approves_for_others: false },
    grants: [],
    gates: [],
    streams: true,
    lists: true,
    opened: () => opened,
    open: () => streams.size,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    tell(approval) {
      self.approvals.set(approval.id, approval);
      const event = approval.status === "pending" ? "approval.asked" : "approval.answered";
      for (const [stream, scope] of streams)
        if (isIn(scope, approval)) stream.write(`event: ${event}\ndata: ${JSON.stringify(approval)}\n\n`);
    },
    setDown(now) {
      down = now;
      if (now) server.closeAllConnections();
    },
    cut() {
      for (const stream of streams.keys()) stream.end();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", self.origin);
    const [, id] = /^\/v1\/approvals\/(appr_\w+)$/.exec(pathname) ?? [];
    if (pathname.startsWith("/console")) return pass(request, response);
    const scope = searchParams.get("scope") === "tenant" ? "tenant" : "own";
    if (request.method === "POST") await held;
    if (self.portal) {
      response.writeHead(200, { "content-type": "text/html" }).end("<p>Accept our terms</p>");
      return;
    }
    if (self.next && request.method !== "GET") {
      const { status, body } = self.next;
      self.next = undefined;
      return json(response, body, status);
    }
    if (pathname === "/v1/me") return json(response, self.me);
    if (pathname === "/v1/approvals/events" && self.streams) return stream(response, scope);
    if (pathname === "/v1/approvals") {
      if (self.lists === "late") return;
      if (!self.lists) return json(response, { error: { message: "the index is down", code: "x" } }, 503);
      const status = searchParams.get("status");
      const all = [...self.approvals.values()].filter((one) => isIn(scope, one));
      return list(
        response,
        all.filter((one) => status === null || one.status === status),
      );
    }
    if (pathname === "/v1/grants") return list(response, self.grants);
    if (pathname === "/v1/gates") return list(response, self.gates);
    if (request.method === "DELETE") {
      self.withdrawn.push(pathname);
      return json(response, { deleted: true });
    }
    const approval = self.approvals.get(id ?? "");
    if (!approval) return json(response, { error: { message: "no such route", code: "not_found" } }, 404);
    if (request.method === "POST") take(approval, JSON.parse(await text(request)));
    return json(response, self.approvals.get(approval.id));
  }

  function take(approval: ApprovalView, body: Record<string, unknown>): void {
    self.answers.push({ id: approval.id, body });
    const action = body.action as "approve" | "deny" | "edit";
    const answered_at = new Date().toISOString();
    const reason = (body.reason as string | undefined) ?? null;
    const answer = { action, via: "api", by: self.me.user, reason } as const;
    self.tell({ ...approval, status: action === "deny" ? "denied" : "approved", answered_at, answer });
  }

  const isIn = (scope: "own" | "tenant", { user }: ApprovalView): boolean =>
    scope === "tenant" || user === undefined || user === self.me.user;

  function stream(response: ServerResponse, scope: "own" | "tenant"): void {
    opened++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 2000\n\n");
    streams.set(response, scope);
    response.on("close", () => streams.delete(response));
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = await fetch(`${console}${request.url}`, { redirect: "manual" });
    const { "content-encoding": _, ...headers } = Object.fromEntries(page.headers);
    response.writeHead(page.status, headers).end(new Uint8Array(await page.arrayBuffer()));
  }
  return self;
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const list = (response: ServerResponse, data: readonly unknown[]): void =>
  json(response, { object: "list", data, has_more: false });
