import { describe, expect, it } from "vitest";
import { httpRun } from "../../../src/policy/document/run-parts.ts";
import { buildRequest } from "../../../src/tools/http/build-request.ts";

const build = (
  run: Record<string, unknown>,
  args: Record<string, unknown> = {},
  system: Record<string, unknown> = {},
) => {
  const built = buildRequest(httpRun().parse({ kind: "http", ...run }), { arguments: { ...args, ...system }, system });
  return built.ok ? built.value : built.error;
};
const urlOf = (url: string, args: Record<string, unknown>, query?: Record<string, string>) => {
  const built = build({ method: "GET", url, query: query ?? {} }, args);
  return typeof built === "string" ? `refused: ${built}` : built.url;
};

describe("the path", () => {
  const base = "https://crm.test/v1/leads/{{arguments.id}}/notes";
  it.each([
    ["42", "42"],
    [42, "42"],
    [true, "true"],
    ["a b", "a%20b"],
    ["a/b", "a%2Fb"],
    ["a?b#c", "a%3Fb%23c"],
    ["a%2Fb", "a%252Fb"],
    ["ü", "%C3%BC"],
    ["...", "..."],
    ["..a", "..a"],
    ["a;b=c", "a%3Bb%3Dc"],
    ["{{arguments.other}}", "%7B%7Barguments.other%7D%7D"],
    ["$&", "%24%26"],
  ])("takes %j as one segment", (id, segment) => {
    expect(urlOf(base, { id, other: "x" })).toBe(`https://crm.test/v1/leads/${segment}/notes`);
  });

  it.each([
    ["..", "climbs out"],
    [".", "climbs out"],
    ["../admin", "climbs out"],
    ["a/../../admin", "climbs out"],
    ["..\\admin", "climbs out"],
    ["a/..", "climbs out"],
    ["./a", "climbs out"],
    ["%2e%2e/admin", "climbs out"],
    ["%2e%2e%2fadmin", "climbs out"],
    ["..%2fadmin", "climbs out"],
    ["%252e%252e%252fadmin", "climbs out"],
    ["..%5cadmin", "climbs out"],
    ["", "empty"],
    ["a\r\nb", "control"],
    ["a\0b", "control"],
    ["a%00b", "control"],
    ["a%0d%0ab", "control"],
    ["\ud800", "half a character"],
    [{ a: 1 }, "is no text"],
    [["a"], "is no text"],
    [null, "is missing"],
    [undefined, "is missing"],
  ])("refuses %j", (id, why) => {
    expect(urlOf(base, id === undefined ? {} : { id })).toMatch(new RegExp(`^refused: .*${why}`));
  });

  it("refuses dots that two arguments make together, and no name of a prototype", () => {
    const two = "https://crm.test/{{arguments.a}}{{arguments.b}}/x";
    expect(urlOf(two, { a: ".", b: "." })).toContain("climbs out");
    expect(urlOf(two, { a: "", b: "" })).toContain("empty");
    expect(urlOf("https://crm.test/{{arguments.constructor.name}}", {})).toContain("is missing");
    expect(urlOf("https://crm.test/{{arguments.list.length}}", { list: [1] })).toContain("is missing");
    expect(urlOf("https://crm.test/{{arguments.list.0}}", { list: [1] })).toBe("https://crm.test/1");
  });

  it.each([
    ["https://crm.test/{{secret.TOKEN}}", "cannot stand there"],
    ["https://crm.test/?k={{secret.TOKEN}}", "cannot stand there"],
    ["https://crm.test/?k={{connection.token}}", "cannot stand there"],
    ["https://crm.test/{{env.TOKEN}}", "stands for nothing"],
    ["https://crm.test/{{arguments}}", "stands for nothing"],
    ["https://crm.test/{{arguments.}}", "stands for nothing"],
    ["https://crm.test/#{{arguments.id}}", "fragment"],
  ])("%s is refused", (url, why) => expect(urlOf(url, { id: "1" })).toContain(why));
});

describe("the query", () => {
  it.each([
    ["https://crm.test/?q={{arguments.q}}&all=1", { q: "a&b=c #?" }, "?q=a%26b%3Dc%20%23%3F&all=1"],
    ["https://crm.test/?q={{arguments.q}}&all=1", {}, "?all=1"],
    ["https://crm.test/?q={{arguments.q}}", { q: null }, ""],
    ["https://crm.test/?q=from:{{arguments.a}}+to:{{arguments.b}}", { a: 1, b: "x y" }, "?q=from:1+to:x%20y"],
  ])("%s with %j", (url, args, expected) => expect(urlOf(url, args)).toBe(`https://crm.test/${expected}`));

  it("adds what the policy says: a list several times, an object as JSON, nothing for what is missing", () => {
    const query = {
      q: "{{arguments.q}}",
      tag: "{{ arguments.tags }}",
      f: "{{arguments.f}}",
      v: "v-{{arguments.n}}",
      n: "{{arguments.none}}",
    };
    expect(urlOf("https://crm.test/?a=1", { q: "x", tags: ["a", "b c"], f: { k: [1] }, n: 2 }, query)).toBe(
      "https://crm.test/?a=1&q=x&tag=a&tag=b%20c&f=%7B%22k%22%3A%5B1%5D%7D&v=v-2",
    );
  });

  it.each(["owner", "Owner", "owner[]", "scope", "per.page"])(
    "takes no argument `%s` that would stand for what the URL sets itself",
    (name) => {
      const url = "https://crm.test/leads?owner={{system.me}}&scope=own&per_page=5";
      for (const method of ["GET", "DELETE"]) {
        expect(build({ method, url }, { q: "a", [name]: "eve" }, { me: "ada" })).toContain("sets itself");
        expect(build({ method, url }, { q: "a" }, { me: "ada" })).toMatchObject({
          url: "https://crm.test/leads?owner=ada&scope=own&per_page=5&q=a",
        });
      }
      const post = { url: "https://crm.test/leads?scope=own", query: { owner: "{{system.me}}", per_page: "5" } };
      expect(build(post, { q: "a", [name]: "eve" }, { me: "ada" })).toContain("sets itself");
      expect(build(post, { q: "a" }, { me: "ada" })).toMatchObject({ body: { text: '{"q":"a"}' } });
    },
  );

  it("takes no argument that a server could read as one that the gateway sets", () => {
    const url = "https://crm.test/leads";
    for (const method of ["GET", "POST"]) {
      for (const name of ["Owner", "owner[]"])
        expect(build({ method, url }, { [name]: "eve" }, { owner: "ada" })).toContain("sets itself");
      expect(build({ method, url }, { q: "a" }, { owner: "ada" })).toMatchObject(
        method === "GET" ? { url: `${url}?q=a&owner=ada` } : { body: { text: '{"q":"a","owner":"ada"}' } },
      );
    }
  });

  it("without one, GET and DELETE take all arguments that the URL does not hold", () => {
    for (const method of ["GET", "DELETE"])
      expect(
        build({ method, url: "https://crm.test/{{arguments.id}}" }, { id: 1, a: "x", b: null, c: 0 }, { me: "ada" }),
      ).toEqual({
        url: "https://crm.test/1?a=x&c=0&me=ada",
        body: undefined,
      });
  });
});

describe("the body", () => {
  const body = (run: Record<string, unknown>, args: Record<string, unknown>, system?: Record<string, unknown>) => {
    const built = build(
      { method: "POST", url: "https://crm.test/{{arguments.id}}", ...run },
      { id: 7, ...args },
      system,
    );
    return typeof built === "string" ? `refused: ${built}` : built.body?.text;
  };

  it("is all arguments that URL and query do not hold", () => {
    expect(body({}, { a: "x", b: [1], c: null }, { me: "ada" })).toBe('{"a":"x","b":[1],"c":null,"me":"ada"}');
    expect(body({ query: { q: "{{arguments.a}}" } }, { a: "x", b: 1 })).toBe('{"b":1}');
  });

  it("holds values as they are, texts filled, and nothing of what is missing", () => {
    const template = {
      n: "{{arguments.n}}",
      on: "{{ arguments.on }}",
      list: ["{{arguments.list}}", "{{arguments.none}}", "x{{arguments.none}}", 3],
      deep: { text: "n is {{arguments.n}} for {{system.me}}", none: "{{arguments.none}}" },
      nil: "{{arguments.nil}}",
      fixed: null,
    };
    const args = { n: 2.5, on: false, list: [{ a: 1 }], nil: null };
    expect(JSON.parse(String(body({ body: template }, args, { me: "ada" })))).toEqual({
      n: 2.5,
      on: false,
      list: [[{ a: 1 }], 3],
      deep: { text: "n is 2.5 for ada" },
      nil: null,
      fixed: null,
    });
  });

  it("cannot be broken out of, nor filled twice", () => {
    expect(body({ body: { t: 'say "{{arguments.t}}"' } }, { t: '","admin":true,"x":"{{arguments.id}}' })).toBe(
      JSON.stringify({ t: 'say "","admin":true,"x":"{{arguments.id}}"' }),
    );
    expect(body({ body: { t: "a {{arguments.t}}" } }, { t: { o: 1 } })).toContain("refused: `arguments.t` is no text");
    expect(body({ body: { t: "{{secret.KEY}}" } }, {})).toContain("cannot stand there");
  });

  it("is a form where the policy says so", () => {
    expect(
      body(
        { form: true, body: { a: "{{arguments.a}}", b: "{{arguments.b}}", n: "{{arguments.no}}" } },
        { a: "x&y=z", b: [1, "2"] },
      ),
    ).toBe("a=x%26y%3Dz&b=1&b=2");
    expect(body({ form: true, body: ["x"] }, {})).toContain("a form must be an object");
  });

  it("goes with a DELETE only where the policy gives it one", () => {
    expect(build({ method: "DELETE", url: "https://crm.test/", body: { id: "{{arguments.id}}" } }, { id: 1 })).toEqual({
      url: "https://crm.test/",
      body: { text: '{"id":1}', contentType: "application/json" },
    });
  });
});
