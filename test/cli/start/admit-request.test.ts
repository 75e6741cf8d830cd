import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AdmissionRules, admissionProblem } from "../../../src/cli/start/admit-request.ts";

const rules: AdmissionRules = { port: 8787, cors: { any: false, origins: new Set() }, publicUrl: undefined };
const problem = (headers: Readonly<Record<string, string>>, changed: Partial<AdmissionRules> = {}, target = "/") =>
  admissionProblem({ target, rawHeaders: Object.entries(headers).flat() }, { ...rules, ...changed });
const codeOf = (...args: Parameters<typeof problem>) => problem(...args)?.code;

describe("the host", () => {
  it.each(["localhost:8787", "LOCALHOST:8787", "LocalHost:8787", "127.0.0.1:8787", "127.9.9.9:8787", "[::1]:8787"])(
    "%s is this machine",
    (host) => {
      expect(codeOf({ Host: host })).toBeUndefined();
    },
  );

  it.each([
    "evil.com:8787",
    "evil.com",
    "localhost",
    "localhost:",
    "localhost:8788",
    "localhost:08787",
    "localhost:80",
    "localhost.:8787",
    "localhost.evil.com:8787",
    "evil-localhost:8787",
    "me@localhost:8787",
    "localhost:8787@evil.com",
    "localhost:8787,evil.com",
    "localhost:8787 evil.com",
    "localhost:8787/",
    "127.0.0.1.evil.com:8787",
    "127.1:8787",
    "0x7f.0.0.1:8787",
    "2130706433:8787",
    "0.0.0.0:8787",
    "10.0.0.1:8787",
    "[::1]:8788",
    "[::ffff:127.0.0.1]:8787",
    "[::2]:8787",
    "::1:8787",
    "",
  ])("`%s` is not", (host) => {
    expect(codeOf({ Host: host })).toBe("host_forbidden");
  });

  it("may be written without a port where that is the scheme's own", () => {
    expect(codeOf({ Host: "localhost" }, { port: 80 })).toBeUndefined();
    expect(codeOf({ Host: "localhost" })).toBe("host_forbidden");
  });

  it("must be there, once", () => {
    expect(codeOf({})).toBe("host_forbidden");
    expect(codeOf({ Host: "localhost:8787", host: "localhost:8787" })).toBe("invalid_value");
    expect(codeOf({ Host: "localhost:8787", HOST: "evil.com" })).toBe("invalid_value");
  });

  it("may be that of PUBLIC_URL", () => {
    const publicUrl = "https://tunnel.example/gate";
    expect(codeOf({ Host: "Tunnel.example", Origin: "https://tunnel.example" }, { publicUrl })).toBeUndefined();
    expect(codeOf({ Host: "tunnel.example:1" }, { publicUrl })).toBe("host_forbidden");
    expect(codeOf({ Host: "localhost:8787", Origin: "http://tunnel.example" }, { publicUrl })).toBe("origin_forbidden");
  });

  it("no_name_but_loopback_is_served", () => {
    fc.assert(
      fc.property(fc.domain(), fc.nat(65535), (domain, port) => {
        expect(codeOf({ Host: `${domain}:${port}` }, { port })).toBe("host_forbidden");
      }),
    );
  });
});

describe("the origin", () => {
  const from = (origin: string, more: Readonly<Record<string, string>> = {}, changed: Partial<AdmissionRules> = {}) =>
    codeOf({ Host: "localhost:8787", Origin: origin, ...more }, changed);

  it.each(["http://localhost:8787", "http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"])(
    "%s may ask",
    (origin) => {
      expect(from(origin)).toBeUndefined();
    },
  );

  it.each([
    "http://evil.com:8787",
    "http://localhost.evil.com",
    "https://localhost.:8787",
    "file://",
    "file://localhost/",
    "chrome-extension://localhost",
    "null",
    "",
    "nonsense",
  ])("`%s` may not", (origin) => {
    expect(from(origin)).toBe("origin_forbidden");
  });

  it("may be named in CORS_ORIGINS", () => {
    const origins = new Set(["https://chat.example"]);
    expect(from("https://chat.example", {}, { cors: { any: false, origins } })).toBeUndefined();
    expect(from("https://other.example", {}, { cors: { any: false, origins } })).toBe("origin_forbidden");
    expect(from("https://other.example", {}, { cors: { any: true, origins: new Set() } })).toBeUndefined();
  });

  it("may be hidden by a browser only where that says that the page is the gateway's own", () => {
    expect(from("null", { "sec-fetch-site": "same-origin" })).toBeUndefined();
    expect(from("null", { "sec-fetch-site": "cross-site" })).toBe("origin_forbidden");
  });

  it("is told once", () => {
    const raw = { Host: "localhost:8787", Origin: "http://localhost:8787", origin: "http://evil.com" };
    expect(codeOf(raw)).toBe("invalid_value");
  });
});

it.each(["http://localhost:8787/v1/models", "//", "/v1/models"])("a target is a path: %s", (target) => {
  const expected = target.startsWith("/") ? undefined : "invalid_value";
  expect(codeOf({ Host: "localhost:8787" }, {}, target)).toBe(expected);
});
