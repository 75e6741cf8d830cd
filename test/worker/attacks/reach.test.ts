/**
 * Attacks by a managed tool's URL and arguments: no host is asked that the policy does not name, and none of an inner network.
 * @module-tag attack/reach
 */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { call, says, user } from "../support/script.ts";
import { managed } from "../tools/managed.ts";

const inner = [
  ...[
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
  ],
  ...["[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]"],
  ...[
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[::]",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
  ],
  ...[
    "169.254.169.254",
    "0xa9fea9fe",
    "[::ffff:a9fe:a9fe]",
    "100.100.100.200",
    "100.64.0.1",
    "192.0.0.192",
    "168.63.129.16",
  ],
  ...[
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "１２７.0.0.1",
    "%31%32%37.0.0.1",
  ],
  ...["metadata.google.internal", "foo.localhost", "printer.local", "db.internal"],
];
const other = [
  ...[
    "http://crm.test/x",
    "file:///etc/passwd",
    "ftp://crm.test/",
    "gopher://crm.test/",
    "data:text/plain,x",
    "javascript:1",
  ],
  ...[
    "https://user:pass@crm.test/",
    "https://{{arguments.host}}/",
    "https://crm.test{{arguments.host}}/",
    "https://{{secret.X}}.test/",
  ],
  ...[
    "//crm.test/",
    "https:///x",
    "https://",
    "https://crm.test:99999/",
    "https://crm\u0000.test/",
    "https://crm.test\\@evil.test/",
  ],
];

const policyOf = (url: string) => ({
  tools: { t: { category: "read_only", run: { kind: "http", method: "GET", url } } },
});

describe("a policy is refused, or the tool asks nobody, with the URL", () => {
  const asked: string[] = [];
  it.each([...inner.map((host) => `https://${host}/x`), ...other])("%s", async (url) => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const init = { method: "PUT", json: policyOf(url), key: await gate.keyFor("boss", "admin") };
    const answer = await gate.fetch(`/admin/policies/${gate.tenant}`, init);
    if (answer.status === 400) {
      const { error } = await answer.json<{ error: { errors: { path: string }[] } }>();
      expect(new Set(error.errors.map(({ path }) => path))).toEqual(new Set(["/tools/t/run/url"]));
      return;
    }
    expect(answer.status).toBeLessThan(300);
    asked.length = 0;
    const calls = [call("c", "t", { host: "evil.test" })];
    const world = await managed({
      policy: { handshake: { select: "off" }, ...policyOf(url) },
      upstream: [says({ calls }), says({ text: "ok" })],
    });
    await world.gate.chat({ messages: [user("go")] });
    expect(world.asked).toEqual([]);
  });
});

const policy = {
  handshake: { select: "off" },
  tools: {
    lead: {
      category: "read_only",
      parameters: { type: "object", properties: { name: { type: "string" }, q: { type: "string" } } },
      run: {
        kind: "http",
        method: "GET",
        url: "https://crm.test/leads/{{arguments.name}}",
        retries: 0,
        headers: { "x-name": "{{arguments.q}}" },
      },
    },
  },
};
const names = [
  ...[
    "..",
    ".",
    "../admin",
    "..%2fadmin",
    "%2e%2e",
    "..;/admin",
    "a/../../admin",
    "a\\..\\admin",
    "//evil.test/",
    "\\\\evil.test\\",
  ],
  ...[
    "@evil.test",
    "#x",
    "?admin=1",
    "a&admin=1",
    "a%00",
    "a\u0000",
    "a\r\nhost: evil.test",
    "\u2025/admin",
    "\uff0e\uff0e/admin",
    "https://evil.test/",
  ],
  ...[" ", "", "a".repeat(10_000), "%", "%zz", "\ud83d\ude00"],
];

describe("an argument leaves its place in the path to no other host or folder", () => {
  it.each(names)("%j", async (name) => {
    const calls = [call("c", "lead", { name, q: "ok" })];
    const { gate, asked } = await managed({ policy, upstream: [says({ calls }), says({ text: "ok" })] });
    expect((await gate.chat({ messages: [user("go")] })).status).toBe(200);
    for (const { path } of asked) {
      expect(path).toMatch(/^crm\.test\/leads\/[^/?#\\]+\?q=ok$/);
      expect(decodeURIComponent(path)).not.toMatch(/\/\.{1,2}\?/);
    }
  });

  it("as an ordinary one reaches the host", { tags: ["control"] }, async () => {
    const calls = [call("c", "lead", { name: "ada", q: "ok" })];
    const seen: (string | null)[] = [];
    const { gate, asked } = await managed(
      { policy, upstream: [says({ calls }), says({ text: "ok" })] },
      (_asked, request) => {
        seen.push(request.headers.get("x-name"));
        return {};
      },
    );
    await gate.chat({ messages: [user("go")] });
    expect([asked.map(({ path }) => path), seen]).toEqual([["crm.test/leads/ada?q=ok"], ["ok"]]);
  });

  it.each(["a\r\nx-admin: 1", "a\nb", "a\u0000b", "\u2028", "ä", "a".repeat(100_000)])(
    "a header's value %j",
    async (q) => {
      const calls = [call("c", "lead", { name: "a", q })];
      const seen: string[][] = [];
      const { gate } = await managed(
        { policy, upstream: [says({ calls }), says({ text: "ok" })] },
        (_asked, request) => {
          seen.push([...request.headers.keys()]);
          return {};
        },
      );
      expect((await gate.chat({ messages: [user("go")] })).status).toBe(200);
      for (const headers of seen) expect(headers).not.toContain("x-admin");
    },
  );
});
