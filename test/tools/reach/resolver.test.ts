import { describe, expect, it } from "vitest";
import { guardedFetch } from "../../../src/tools/reach/guarded-fetch.ts";
import { dnsQuery, httpsResolver, readDnsAnswer } from "../../../src/tools/reach/resolver.ts";
import { answerDns, type Zone } from "../../support/dns.ts";

const zone: Zone = {
  "public.test": ["93.184.216.34", "2606:2800:220:1::1"],
  "six.test": ["2606:4700::1"],
  "private.test": ["10.0.0.1"],
  "loop.test": ["127.0.0.1"],
  "meta.test": ["169.254.169.254"],
  "six-private.test": ["fd00::1"],
  "mapped.test": ["::ffff:a00:1"],
  "nat64.test": ["64:ff9b::a00:1"],
  "mixed.test": ["93.184.216.34", "192.168.0.1"],
  "mixed-families.test": ["93.184.216.34", "::1"],
  "alias.test": ["to.test."],
  "to.test": ["further.test."],
  "further.test": ["172.16.0.9"],
  "good-alias.test": ["public.test."],
  "loop-a.test": [],
  "empty.test": [],
  "broken.test": "servfail",
  "down.test": "fails",
};

const never = new AbortController().signal;

async function reach(url: string, more: { allowPrivate?: boolean; status?: number } = {}) {
  const sent: string[] = [];
  const fetcher = (async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.url.startsWith("https://dns.test/"))
      return more.status ? new Response("no", { status: more.status }) : answerDns(zone, request);
    sent.push(request.url);
    return new Response("ok");
  }) as typeof fetch;
  const parts = {
    fetch: fetcher,
    resolver: httpsResolver("https://dns.test/q", fetcher),
    dev: more.allowPrivate === true,
    now: Date.now,
  };
  const reached = await guardedFetch(
    parts,
    { url, method: "GET", headers: new Headers() },
    { policyUrl: url, allowPrivate: more.allowPrivate === true, maxResponseBytes: 100, deadline: Date.now() + 5_000 },
  );
  return { reached, sent };
}

describe("names", () => {
  it.each(["public.test", "six.test", "good-alias.test"])("%s is reached", async (name) => {
    const { reached, sent } = await reach(`https://${name}/x`);
    expect(reached.ok).toBe(true);
    expect(sent).toEqual([`https://${name}/x`]);
    if (reached.ok) await reached.value.body?.cancel();
  });

  it.each([
    ["private.test", "private.test is at a private address"],
    ["PRIVATE.test.", "private.test is at a private address"],
    ["loop.test", "is at a loopback address"],
    ["meta.test", "is at a metadata address"],
    ["six-private.test", "is at a private address"],
    ["mapped.test", "is at a private address"],
    ["nat64.test", "is at a translated address"],
    ["mixed.test", "is at a private address"],
    ["mixed-families.test", "is at a loopback address"],
    ["alias.test", "is at a private address"],
    ["empty.test", "has no address"],
    ["nowhere.test", "has no address"],
    ["broken.test", "the DNS resolver (TOOL_DNS) did not answer for"],
    ["down.test", "the DNS resolver (TOOL_DNS) could not be reached for"],
    [`${"a".repeat(64)}.test`, "the DNS resolver (TOOL_DNS) did not answer for"],
  ])("%s is refused, nothing is sent", async (name, detail) => {
    const { reached, sent } = await reach(`https://${name}/x`);
    expect(reached).toEqual({
      ok: false,
      error: { failure: "address_forbidden", detail: expect.stringContaining(detail), sent: false },
    });
    expect(sent).toEqual([]);
  });

  it("a resolver that answers with an error refuses", async () => {
    expect((await reach("https://public.test/", { status: 503 })).reached).toMatchObject({ ok: false });
  });

  it("a resolver that answers more than a DNS message refuses, and no more of it is read", async () => {
    let sent = 0;
    let cancelled = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 16_384;
          controller.enqueue(new Uint8Array(16_384));
        },
        cancel() {
          cancelled += 1;
        },
      });
    const resolver = httpsResolver("https://dns.test/", (async () => new Response(endless())) as typeof fetch);
    expect(await resolver.resolve("public.test", never)).toMatchObject({ ok: false });
    expect(cancelled).toBe(2);
    expect(sent).toBeLessThan(2 * (65_535 + 3 * 16_384));
  });

  it.each([1, 28])("one that does not answer for the type %i refuses: it may be the private one", async (silent) => {
    const resolver = httpsResolver("https://dns.test/", (async (_: RequestInfo, init: RequestInit) => {
      const request = new Request("https://dns.test/", init);
      const query = new Uint8Array(await request.clone().arrayBuffer());
      return query.at(-3) === silent ? new Response("no", { status: 500 }) : answerDns(zone, request);
    }) as typeof fetch);
    expect(await resolver.resolve("public.test", never)).toMatchObject({ ok: false });
  });

  it("for development names may resolve to private addresses, not to metadata", async () => {
    expect((await reach("http://private.test/", { allowPrivate: true })).reached).toMatchObject({ ok: true });
    expect((await reach("http://meta.test/", { allowPrivate: true })).reached).toMatchObject({ ok: false });
  });
});

describe("a resolver that does not follow aliases", () => {
  const partial = (answers: Record<string, Zone[string]>) =>
    httpsResolver("https://dns.test/", (async (_: RequestInfo, init: RequestInit) => {
      const request = new Request("https://dns.test/", init);
      return answerDns(answers, request);
    }) as typeof fetch);

  it("is asked for where they end", async () => {
    const asked = await partial({ "a.test": ["b.test."], "b.test": ["10.0.0.1"] }).resolve("a.test", never);
    expect(asked).toEqual({ ok: true, value: [[10, 0, 0, 1]] });
  });

  it("is not asked for ever", async () => {
    let count = 0;
    const resolver = httpsResolver("https://dns.test/", (async (_: RequestInfo, init: RequestInit) => {
      count++;
      const request = new Request("https://dns.test/", init);
      const query = new Uint8Array(await request.clone().arrayBuffer());
      const name = `n${query[14]}.test`;
      return answerDns({ [name]: [] }, request).then(async (response) => {
        const bytes = new Uint8Array(await response.arrayBuffer());
        // Each name is an alias of another: nX → n(X+1).
        const owner = query.slice(12, query.length - 4);
        const target = owner.slice();
        target[2] = (target[2] ?? 0) + 1;
        bytes[3] = 0x80;
        bytes[7] = 1;
        return new Response(new Uint8Array([...bytes, ...owner, 0, 5, 0, 1, 0, 0, 0, 1, 0, target.length, ...target]));
      });
    }) as typeof fetch);
    expect(await resolver.resolve("n0.test", never)).toMatchObject({ ok: false });
    expect(count).toBeLessThan(20);
  });
});

describe("messages", () => {
  const query = dnsQuery("crm.test", "A") ?? new Uint8Array();
  const answer = (...records: number[]) => {
    const bytes = new Uint8Array([...query, ...records]);
    bytes[2] = 0x81;
    bytes[3] = 0x80;
    return bytes;
  };
  /** By a pointer to the question's name. */
  const a = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1];
  const counted = (count: number, ...records: number[]) => {
    const bytes = answer(...records);
    bytes[7] = count;
    return bytes;
  };

  it("are asked and read", () => {
    expect([...query.slice(12)]).toEqual([3, 99, 114, 109, 4, 116, 101, 115, 116, 0, 0, 1, 0, 1]);
    expect(readDnsAnswer(counted(1, ...a), "CRM.test", "A")).toEqual({ addresses: [[10, 0, 0, 1]], alias: undefined });
  });

  it.each([
    ["of another name", counted(1, ...a), "other.test", "A"],
    ["of another type", counted(1, ...a), "crm.test", "AAAA"],
    ["a question", query, "crm.test", "A"],
    ["empty", new Uint8Array(), "crm.test", "A"],
    ["cut in a record", counted(1, ...a.slice(0, 13)), "crm.test", "A"],
    ["with fewer records than it says", counted(2, ...a), "crm.test", "A"],
    ["with a name that points to itself", counted(1, 0xc0, query.length, ...a.slice(2)), "crm.test", "A"],
    ["marked as cut", counted(1, ...a).map((byte, at) => (at === 2 ? byte | 2 : byte)), "crm.test", "A"],
    ["refused", counted(1, ...a).map((byte, at) => (at === 3 ? byte | 5 : byte)), "crm.test", "A"],
  ] as const)("an answer %s is none", (_, bytes, name, type) => {
    expect(readDnsAnswer(bytes, name, type)).toBeUndefined();
  });

  it("a name that cannot be one is not asked for", () => {
    for (const name of ["", "a..b", `${"a".repeat(64)}.test`, "a b.test", "ä.test", Array(130).fill("a").join(".")])
      expect(dnsQuery(name, "A")).toBeUndefined();
  });
});
