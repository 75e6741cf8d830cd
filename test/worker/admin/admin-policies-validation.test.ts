import { describe, expect, it } from "vitest";
import { type Failure, pointerOf, policyAdmin } from "./policy-admin.ts";

async function refusals() {
  const admin = await policyAdmin();
  const put = async (body: BodyInit | undefined, headers: Record<string, string> = {}) => {
    const { status, body: answer } = await admin.ask<Failure>("PUT", "", { body, headers });
    return { status, ...answer.error };
  };
  return { admin, put };
}

const nested = (depth: number) => `{"tools":{"a":{"parameters":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}}}`;

describe("a policy that is refused", () => {
  it("is told everything that is wrong with it at once, each with its path, and nothing is written", async () => {
    const { admin, put } = await refusals();
    const refused = await put(
      JSON.stringify({
        toolz: {},
        tools: { x: { category: "bad", undo: "nothing" }, "a/b": { confirm: 1 } },
        intents: { A: { patterns: ["(?=x)"] } },
      }),
    );
    expect(refused).toMatchObject({ status: 400, code: "policy_invalid", param: null });
    expect(refused.message).toMatch(/^the policy has \d+ errors: \//);
    const paths = refused.errors?.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/toolz", "/tools/x/category", "/tools/a~1b/confirm"]));
    const content = await put(
      JSON.stringify({
        tools: { x: { category: "bad", undo: "nothing" } },
        intents: { A: { patterns: ["(?=x)"], tools: ["kind:x"] } },
      }),
    );
    expect(content.errors?.map(({ path }) => path)).toEqual([
      "/intents/A/patterns/0",
      "/intents/A/tools/0",
      "/tools/x/category",
      "/tools/x/undo",
    ]);
    expect([await pointerOf(admin.gate.tenant), await admin.versions()]).toEqual([null, []]);
  });

  it("is told of a key that stands twice, wherever it is, with all the rest", async () => {
    const { put } = await refusals();
    const tools = '{ "x": { "category": "external", "category": "read_only" }, "y": { "category": "bad" }, "x": {} }';
    const refused = await put(`{ "tools": ${tools},\n "audit": { "retentionDays": 1e400 } }`);
    expect(refused).toMatchObject({ status: 400, code: "policy_invalid" });
    expect(refused.errors?.map(({ path, message }) => [path, message.slice(0, 24)])).toEqual([
      ["/audit/retentionDays", "line 2, column 30: a dou"],
      ["/tools/x", "line 1, column 100: `x` "],
      ["/tools/x/category", "line 1, column 45: `cate"],
      ["/tools/y/category", "must be one of `read_onl"],
    ]);
  });

  it.each([
    ['{\n  "a": 1, // one\n}', "invalid_json", "line 2, column 11: JSON has no comments"],
    ['{\n  "a": 1,\n}', "invalid_json", "line 3, column 1: JSON has no comma before `}`"],
    ["", "invalid_json", "line 1, column 1"],
    ["{", "invalid_json", "line 1, column 2"],
    ['{"name":"a",\n"name":"b"}', "policy_invalid", "line 2, column 1"],
    ['{"tools":{"__proto__":{}}}', "policy_invalid", "/tools/__proto__"],
    ['{"tools":{"\\u005f_proto__":{}}}', "policy_invalid", "/tools/__proto__"],
    ['{"execution":{"maxSteps":8.00000000000000000001}}', "policy_invalid", "line 1, column 26"],
    [nested(200), "policy_invalid", "nested too deeply"],
    [`${"[".repeat(100_000)}`, "invalid_json", "line 1, column 100001"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "policy_invalid", "nested too deeply"],
  ])("%.40j: %s, %s", async (body, code, where) => {
    const refused = await (await refusals()).put(body);
    expect([refused.status, refused.code]).toEqual([400, code]);
    expect(refused.message).toContain(where);
  });

  it.each(["[]", '"x"', "null", "1"])("%s is no document", async (body) => {
    expect(await (await refusals()).put(body)).toMatchObject({ status: 400, code: "policy_invalid" });
  });

  it("is no UTF-8, or larger than 1 MiB as it is sent or as it is kept", async () => {
    const { put } = await refusals();
    expect(await put(new Uint8Array([0x7b, 0xff, 0x7d]))).toMatchObject({ status: 400, code: "invalid_json" });
    expect(await put(`{"name":"${"x".repeat(1024 * 1024)}"}`)).toMatchObject({ status: 413, code: "too_large" });
    const parameters = { enum: ["#"] };
    const grows = JSON.stringify({ tools: { a: { parameters } } }).replace('"#"', Array(60_000).fill("1e20").join());
    expect(grows.length).toBeLessThan(1024 * 1024);
    expect(await put(grows)).toMatchObject({ status: 413, code: "too_large" });
  });

  it("has a parameter that nobody knows: nothing is written that was meant to be tried", async () => {
    const { admin } = await refusals();
    for (const query of ["?dry_rnu=true", "?dry_run=1", "?dry_run=true&dry_run=false", "?dry_run"]) {
      const { status } = await admin.ask("PUT", query, { json: {} });
      expect([query, status]).toEqual([query, 400]);
      expect((await admin.ask("DELETE", query)).status).toBe(400);
    }
    expect(await admin.versions()).toEqual([]);
  });
});

describe("a policy that is taken", () => {
  it("may be called anything by its content type, and has names that objects have by nature", async () => {
    const { admin } = await refusals();
    const document = {
      tools: { constructor: { category: "external" }, toString: {} },
      intents: { hasOwnProperty: {} },
    };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
      const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
      const put = await admin.ask("PUT", "", { body: JSON.stringify({ ...document, name: type || "x" }), headers });
      expect([type, put.status]).toEqual([type, 200]);
    }
    const { body } = await admin.ask("PUT", "?dry_run=true", { json: {} });
    expect(body.changes.tools.map(({ tool }) => tool)).toEqual(["constructor", "toString"]);
    expect(body.changes.intents.map(({ intent, change }) => [intent, change])).toEqual([
      ["general", "added"],
      ["hasOwnProperty", "removed"],
    ]);
  });

  it("may be as large as 1 MiB, and comes back as it was sent", async () => {
    const { admin } = await refusals();
    const document = { intents: { A: { examples: ["é".repeat(520_000)] } } };
    expect((await admin.put(document)).status).toBe(200);
    expect(await admin.current()).toMatchObject({ document });
  });

  it("is told what its author may not mean, by stable codes", async () => {
    const { admin } = await refusals();
    const put = await admin.put({ execution: { strategy: "system_first" } });
    expect(put.body.warnings).toMatchObject([
      { code: "system_first_never", severity: "warning", path: "/execution/strategy" },
      { code: "intent_general", severity: "note", path: "/intents" },
    ]);
    expect(await admin.current()).toMatchObject({ warnings: put.body.warnings });
  });

  it("is told which secrets the settings bind to no such place, and nothing of other tenants'", async () => {
    const hosts = ["crm.test"];
    const TOOL_SECRETS = JSON.stringify({ MINE: { tenants: ["*"], hosts }, OTHERS: { tenants: ["acme"], hosts } });
    const admin = await policyAdmin({ variables: { TOOL_SECRETS, SECRET_MINE: "m-value", SECRET_OTHERS: "o-value" } });
    const headers = Object.fromEntries(["MINE", "OTHERS", "NOPE"].map((name) => [`x-${name}`, `{{secret.${name}}}`]));
    const find = (url: string) => ({ parameters: {}, run: { kind: "http", method: "POST", url, headers } });
    const tools = { here: find("https://crm.test/a"), there: find("https://elsewhere.test/a") };
    const told = async (query: string) => {
      const { status, body } = await admin.ask("PUT", query, { json: { tools, intents: { A: { description: "a" } } } });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain("-value");
      return body.warnings;
    };
    const dry = await told("?dry_run=true");
    expect(dry.map(({ path }) => path)).toEqual([
      "/tools/here/run/headers/x-OTHERS",
      "/tools/here/run/headers/x-NOPE",
      "/tools/there/run/headers/x-MINE",
      "/tools/there/run/headers/x-OTHERS",
      "/tools/there/run/headers/x-NOPE",
    ]);
    // A secret of another tenant reads like one that is not there.
    const [others, nope] = dry.map(({ message }) => message);
    expect(others?.replaceAll("OTHERS", "NOPE")).toBe(nope);
    expect(await told("")).toEqual(dry);
    expect(await admin.current()).toMatchObject({ warnings: dry });
  });
});
