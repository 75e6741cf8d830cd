import { describe, expect, it } from "vitest";
import { hostOf } from "../../../src/lib/host.ts";
import { kindOfAddress, readAddress } from "../../../src/tools/reach/address.ts";
import { judgeAddress, judgeUrl, type ReachBounds } from "../../../src/tools/reach/judge-url.ts";

const strict: ReachBounds = { allowPrivate: false };
const dev: ReachBounds = { allowPrivate: true };

/** As where the policy itself names the host: what is refused is refused whoever wrote it. */
const judge = (url: string, bounds: ReachBounds = strict) => judgeUrl(url, hostOf(url) ?? "none", bounds);

/** Each in a spelling that some reader takes for an address, and what it is. */
const addresses: readonly (readonly [host: string, kind: string])[] = [
  ["127.0.0.1", "loopback"],
  ["127.0.0.1.", "loopback"],
  ["127.1", "loopback"],
  ["127.0.1", "loopback"],
  ["2130706433", "loopback"],
  ["2130706433.", "loopback"],
  ["017700000001", "loopback"],
  ["0177.0.0.1", "loopback"],
  ["0x7f000001", "loopback"],
  ["0X7F.1", "loopback"],
  ["0x7f.0.0x0.01", "loopback"],
  ["%31%32%37.0.0.1", "loopback"],
  ["１２７。０。０。１", "loopback"],
  ["127。0。0。1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["[::1]", "loopback"],
  ["[0:0:0:0:0:0:0:1]", "loopback"],
  ["[0000::0001]", "loopback"],
  ["[::ffff:127.0.0.1]", "loopback"],
  ["[::ffff:7f00:1]", "loopback"],
  ["[0:0:0:0:0:ffff:127.0.0.1]", "loopback"],
  ["10.0.0.1", "private"],
  ["10.1", "private"],
  ["167772161", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["0xc0a80101", "private"],
  ["[::ffff:192.168.1.1]", "private"],
  ["[fc00::1]", "private"],
  ["[fdff:ffff::1]", "private"],
  ["[fec0::1]", "private"],
  ["100.64.0.1", "shared"],
  ["100.127.255.255", "shared"],
  ["169.254.0.1", "link-local"],
  ["[fe80::1]", "link-local"],
  ["[febf::1]", "link-local"],
  ["169.254.169.254", "metadata"],
  ["2852039166", "metadata"],
  ["0xa9fea9fe", "metadata"],
  ["0251.0376.0251.0376", "metadata"],
  ["[::ffff:169.254.169.254]", "metadata"],
  ["[::ffff:a9fe:a9fe]", "metadata"],
  ["169.254.170.2", "metadata"],
  ["168.63.129.16", "metadata"],
  ["100.100.100.200", "metadata"],
  ["192.0.0.192", "metadata"],
  ["[fd00:ec2::254]", "metadata"],
  ["[fd20:ce::254]", "metadata"],
  ["0.0.0.0", "unspecified"],
  ["0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["[::]", "unspecified"],
  ["[::ffff:0.0.0.0]", "unspecified"],
  ["255.255.255.255", "broadcast"],
  ["4294967295", "broadcast"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["[ff02::1]", "multicast"],
  ["192.0.2.1", "documentation"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["[2001:db8::1]", "documentation"],
  ["[3fff::1]", "documentation"],
  ["[64:ff9b::7f00:1]", "translated"],
  ["[64:ff9b::8.8.8.8]", "translated"],
  ["[64:ff9b:1::1]", "translated"],
  ["[2002:7f00:1::]", "translated"],
  ["[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "translated"],
  ["[::127.0.0.1]", "translated"],
  ["192.88.99.1", "translated"],
  ["198.18.0.1", "reserved"],
  ["192.0.0.1", "reserved"],
  ["240.0.0.1", "reserved"],
  ["[100::1]", "reserved"],
  ["[2001:20::1]", "reserved"],
  ["[4000::1]", "reserved"],
  ["[5f00::1]", "reserved"],
];

describe("addresses", () => {
  it.each(addresses)("%s is at a %s address, and refused", (host, kind) => {
    expect(judge(`https://${host}/x`)).toEqual({
      ok: false,
      error: { failure: "address_forbidden", detail: expect.stringContaining(` ${kind} address`) },
    });
  });

  it("for development loopback and private ones may be reached, and no others", () => {
    const may = addresses.filter(([host]) => judge(`http://${host}/x`, dev).ok).map(([, kind]) => kind);
    expect(new Set(may)).toEqual(new Set(["loopback", "private", "shared"]));
    expect(may.length).toBe(addresses.filter(([, kind]) => ["loopback", "private", "shared"].includes(kind)).length);
  });

  it.each(["1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1", "223.255.255.255", "11.0.0.1"])(
    "%s is public",
    (host) => expect(judge(`https://${host}/`)).toMatchObject({ ok: true, value: { name: undefined } }),
  );

  it.each(["[2606:4700::1111]", "[2a00:1450::1]", "[3000::1]"])("%s is public", (host) =>
    expect(judge(`https://${host}/`)).toMatchObject({ ok: true }),
  );

  it("what a resolver tells is judged alike, whatever it is", () => {
    for (const bytes of [[], [127, 0, 0], [1, 2, 3, 4, 5], new Array<number>(16).fill(0)])
      expect(judgeAddress("x.test", bytes, strict)).toMatchObject({ failure: "address_forbidden" });
    expect(kindOfAddress([8, 8, 8, 8])).toBe("public");
  });

  it.each([
    "1.2.3",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4.5",
    "::1::",
    ":::",
    "1:2:3:4:5:6:7",
    "12345::",
    "fe80::1%eth0",
    "g::1",
  ])("%s is read as no address", (text) => expect(readAddress(text)).toBeUndefined());
});

describe("what else a URL may hold", () => {
  it.each([
    ["http://crm.test/", "http is not encrypted: use https"],
    ["ftp://crm.test/", "`ftp:` is not a scheme"],
    ["file:///etc/passwd", "`file:` is not a scheme"],
    ["file://localhost/etc/passwd", "`file:` is not a scheme"],
    ["data:text/plain,x", "`data:` is not a scheme"],
    ["blob:https://crm.test/1", "`blob:` is not a scheme"],
    ["javascript:alert(1)", "`javascript:` is not a scheme"],
    ["gopher://crm.test/_x", "`gopher:` is not a scheme"],
    ["ws://crm.test/", "`ws:` is not a scheme"],
    ["//crm.test/", "cannot be read"],
    ["", "cannot be read"],
    ["https://", "cannot be read"],
    ["https://[fe80::1%25eth0]/", "cannot be read"],
    ["https://[fe80::1%eth0]/", "cannot be read"],
    ["https://[::1/", "cannot be read"],
    ["https://1.2.3.4.5/", "cannot be read"],
    ["https://256.256.256.256/", "cannot be read"],
    ["https://0x7f.0.0.0.1/", "cannot be read"],
    ["https://crm.test:99999/", "cannot be read"],
    ["https://me@crm.test/", "user or password"],
    ["https://me:pass@crm.test/", "user or password"],
    ["https://:pass@crm.test/", "user or password"],
    ["https://crm.test@127.0.0.1/", "user or password"],
    ["https://localhost/", "name of a private network"],
    ["https://LOCALHOST./", "name of a private network"],
    ["https://ⓛocalhost/", "name of a private network"],
    ["https://api.localhost/", "name of a private network"],
    ["https://printer.local/", "name of a private network"],
    ["https://db.internal/", "name of a private network"],
    ["https://router.home.arpa/", "name of a private network"],
    ["https://intranet/", "name of a private network"],
    ["https://metadata.google.internal/", "gives credentials away"],
    ["https://METADATA.google.internal./computeMetadata/v1/", "gives credentials away"],
    ["https://metadata/", "gives credentials away"],
    ["https://instance-data.ec2.internal/", "gives credentials away"],
  ])("%s is refused", (url, detail) => {
    expect(judge(url)).toEqual({
      ok: false,
      error: { failure: "address_forbidden", detail: expect.stringContaining(detail) },
    });
  });

  it("development does not reach a cloud's credentials", () => {
    for (const host of ["metadata.google.internal", "metadata", "169.254.169.254", "[fd00:ec2::254]"])
      expect(judge(`http://${host}/`, dev)).toMatchObject({ ok: false });
    expect(judge("http://localhost:8787/", dev)).toMatchObject({ ok: true, value: { name: "localhost" } });
  });
});

describe("hosts", () => {
  it.each([
    ["https://crm.test/", ["crm.test"], true],
    ["https://CRM.test./", ["crm.test"], true],
    ["https://crm.test/", ["CRM.TEST."], true],
    ["https://crm.test:443/", ["crm.test"], true],
    ["https://crm.test:8443/", ["crm.test:8443"], true],
    ["https://bücher.test/", ["xn--bcher-kva.test"], true],
    ["https://xn--bcher-kva.test/", ["bücher.test"], true],
    ["https://crm.test/", undefined, true],
    ["https://crm.test:8443/", ["crm.test"], false],
    ["https://crm.test/", ["crm.test:8443"], false],
    ["https://crm.test/", ["other.test"], false],
    ["https://a.crm.test/", ["crm.test"], false],
    ["https://crm.test.evil.test/", ["crm.test"], false],
    ["https://evilcrm.test/", ["crm.test"], false],
    // A Cyrillic letter: another name, whatever it looks like.
    ["https://сrm.test/", ["crm.test"], false],
    ["https://crm.test/", ["сrm.test"], false],
    ["https://crm.test/", ["crm.test/x", "me@crm.test", "", "*"], false],
  ])("%s with the list %s: %s", (url, allowHosts, reached) => {
    const judged = judge(url, { ...strict, allowHosts });
    expect(judged.ok).toBe(reached);
    if (!judged.ok) expect(judged.error.failure).toBe("host_forbidden");
  });

  it("no list lets a URL leave the policy's host", () => {
    for (const url of [
      "https://other.test/",
      "https://crm.test:8443/",
      "https://crm.test\\@other.test/".replace("crm", "x"),
    ])
      expect(
        judgeUrl(url, "crm.test", { ...strict, allowHosts: ["crm.test", "other.test", "crm.test:8443"] }),
      ).toMatchObject({
        ok: false,
        error: { failure: "host_forbidden" },
      });
  });

  it.each([
    ["https://crm.test/{{arguments.id}}", "crm.test"],
    ["https://CRM.test:443?q={{arguments.q}}", "crm.test"],
    ["https://crm.test\\{{arguments.id}}", "crm.test"],
    ["https://{{arguments.host}}/", undefined],
    ["https://{{arguments.tenant}}.crm.test/", undefined],
    ["https://crm.test{{arguments.x}}/", undefined],
    ["https://crm.test:{{arguments.port}}/", undefined],
    ["https://{{arguments.user}}@crm.test/", undefined],
    ["{{arguments.url}}", undefined],
    ["{{arguments.scheme}}://crm.test/", undefined],
    ["file:///etc/passwd", undefined],
    ["https:crm.test", undefined],
    ["/path", undefined],
  ])("%s names the host %s", (url, host) => expect(hostOf(url)).toBe(host));
});
