/** Against a real server, so that headers, redirects, compression and cancelling are the runtime's own. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BodyFault, guardedFetch, type ReachRequest, type ReachRule } from "../../../src/tools/reach/guarded-fetch.ts";
import { judgeRedirect } from "../../../src/tools/reach/judge-url.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** 16 MiB of nothing. */
const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));

let server: Server;
let origin: string;
const paths: string[] = [];
let closed: Promise<unknown> = Promise.resolve();

const redirect =
  (status: number, location: string): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();

const answers: Record<string, Answer> = {
  "/ok": (response) => response.end("hello"),
  "/endless": (response) => {
    closed = once(response, "close");
    const more = (): void => {
      while (response.write(Buffer.alloc(64 * 1024, 97)));
      response.once("drain", more);
    };
    more();
  },
  "/bomb": (response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length }).end(bomb);
  },
  "/silent": () => {},
  "/slow": (response) => {
    closed = once(response, "close");
    response.write("a");
  },
  "/broken": (response) => {
    response.write("a");
    setImmediate(() => response.destroy());
  },
  "/refused": (response) => response.destroy(),
  "/once": redirect(302, "/ok"),
  "/absolute": (response) => redirect(307, `${origin}/ok#x`)(response, {} as IncomingMessage),
  "/loop": redirect(301, "/loop"),
  "/three": redirect(302, "/two"),
  "/two": redirect(302, "/once"),
  "/four": redirect(302, "/three"),
  "/scheme": redirect(302, "https://127.0.0.1/ok"),
  "/port": (response, request) =>
    redirect(302, `http://127.0.0.1:${Number(request.headers.host?.split(":")[1]) + 1}/ok`)(response, request),
  "/host": (response, request) =>
    redirect(302, `http://localhost:${request.headers.host?.split(":")[1]}/ok`)(response, request),
  "/metadata": redirect(302, "http://169.254.169.254/latest/meta-data/"),
  "/file": redirect(302, "file:///etc/passwd"),
  "/user": (response) => redirect(302, origin.replace("//", "//me:you@"))(response, {} as IncomingMessage),
  "/nowhere": (response) => response.writeHead(302).end(),
  "/unread": redirect(302, "http://["),
  "/choices": (response) => response.writeHead(300, { location: "/ok" }).end("which"),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    (answers[request.url ?? ""] ?? ((response) => response.writeHead(404).end()))(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const reach = (
  path: string,
  rule: Partial<ReachRule> & { ms?: number } = {},
  request: Partial<ReachRequest> = {},
  dev = true,
) => {
  paths.length = 0;
  return guardedFetch(
    { fetch, resolver: undefined, dev, now: Date.now },
    { url: `${origin}${path}`, method: "GET", headers: new Headers(), ...request },
    {
      policyUrl: `${origin}/`,
      allowPrivate: true,
      maxResponseBytes: 1_000,
      deadline: Date.now() + (rule.ms ?? 10_000),
      ...rule,
    },
  );
};

/** What reading the body comes to. */
const bodyOf = async (reached: Awaited<ReturnType<typeof reach>>): Promise<string> => {
  if (!reached.ok) throw new Error(reached.error.detail);
  try {
    return await reached.value.text();
  } catch (error) {
    if (error instanceof BodyFault) return `${error.failure}: ${error.message}`;
    throw error;
  }
};

describe("the answer", () => {
  it("is given, up to the limit and not a byte further", async () => {
    expect(await bodyOf(await reach("/ok"))).toBe("hello");
    expect(await bodyOf(await reach("/ok", { maxResponseBytes: 5 }))).toBe("hello");
    expect(await bodyOf(await reach("/ok", { maxResponseBytes: 4 }))).toBe(
      "too_large: the answer is longer than 4 bytes",
    );
  });

  it("without an end stops at the limit, and the server is told", async () => {
    expect(await bodyOf(await reach("/endless"))).toContain("too_large");
    await closed;
  });

  it("is counted as it is decompressed", async () => {
    expect(bomb.length).toBeLessThan(100_000);
    expect(await bodyOf(await reach("/bomb", { maxResponseBytes: 100_000 }))).toContain("too_large");
  });

  it("has a time limit for its headers and for its body", async () => {
    expect(await reach("/silent", { ms: 60 })).toMatchObject({ ok: false, error: { failure: "timeout", sent: true } });
    expect(await bodyOf(await reach("/slow", { ms: 500 }))).toContain("timeout");
    await closed;
  });

  it("ends with who asked", async () => {
    const headers = new AbortController();
    const silent = reach("/silent", { signal: headers.signal });
    headers.abort();
    expect(await silent).toMatchObject({ ok: false, error: { failure: "cancelled" } });
    const body = new AbortController();
    const slow = await reach("/slow", { signal: body.signal });
    body.abort();
    expect(await bodyOf(slow)).toContain("cancelled");
    await closed;
  });

  it("that breaks off, or never begins, is told without the runtime's own words", async () => {
    expect(await bodyOf(await reach("/broken"))).toBe("unavailable: the answer broke off");
    expect(await reach("/refused")).toEqual({
      ok: false,
      error: { failure: "unavailable", detail: `${origin.slice(7)} could not be reached`, sent: true },
    });
  });
});

describe("redirects", () => {
  it.each(["/once", "/absolute", "/two", "/three"])("%s to where it came from is followed", async (path) => {
    expect(await bodyOf(await reach(path))).toBe("hello");
    expect(paths.at(-1)).toBe("GET /ok");
  });

  it.each([
    ["/loop", "too often"],
    ["/four", "too often"],
    ["/scheme", "redirects to https://127.0.0.1"],
    ["/port", "redirects to http://127.0.0.1:"],
    ["/host", "redirects to http://localhost:"],
    ["/metadata", "redirects to http://169.254.169.254"],
    ["/file", "redirects to `file:`"],
    ["/user", "redirects to http://127.0.0.1:"],
    ["/nowhere", "what cannot be read"],
    ["/unread", "what cannot be read"],
  ])("%s is refused", async (path, detail) => {
    expect(await reach(path)).toEqual({
      ok: false,
      error: {
        failure: "redirect_forbidden",
        detail: expect.stringContaining(detail),
        sent: true,
        status: expect.any(Number),
      },
    });
    expect(paths.filter((one) => one.endsWith("/ok"))).toEqual([]);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("a %s is not sent twice", async (method) => {
    expect(await reach("/once", {}, { method })).toMatchObject({ ok: false, error: { failure: "redirect_forbidden" } });
    expect(paths).toEqual([`${method} /once`]);
  });

  it("what only names choices is an answer", async () => {
    expect(await bodyOf(await reach("/choices"))).toBe("which");
  });

  it("one that the runtime hides is refused", () => {
    const hidden = { status: 0, headers: new Headers(), type: "opaqueredirect" };
    expect(judgeRedirect("GET", new URL("https://crm.test/"), hidden, true)).toMatchObject({ kind: "refused" });
  });
});

it("without the settings of development loopback is not reached, whatever the policy says", async () => {
  expect(await reach("/ok", {}, {}, false)).toMatchObject({
    ok: false,
    error: { failure: "address_forbidden", sent: false },
  });
  expect(await reach("/ok", { allowPrivate: false })).toMatchObject({ ok: false, error: { sent: false } });
  expect(paths).toEqual([]);
});
