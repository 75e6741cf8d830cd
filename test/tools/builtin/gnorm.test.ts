/** `gnorm_annotate` as the runner runs it, against a real annotation service on loopback. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import { toolsOf } from "../../../src/tool-deps.ts";
import { type AnnotationService, startAnnotationService } from "../../clients/support/annotation-service.ts";
import { compiled } from "../world.ts";

let service: AnnotationService;
beforeAll(async () => {
  service = await startAnnotationService();
});
afterAll(() => service?.stop());

const passage = "Augustine of Hippo developed his doctrine of divine illumination in response to skeptical challenges.";

interface Options {
  readonly run?: Readonly<Record<string, unknown>>;
  readonly dev?: string;
}

function policyOf(run: Readonly<Record<string, unknown>> = {}) {
  const settings = { kind: "builtin", url: service.url, allowPrivate: true, ...run };
  return compiled({ tools: { gnorm_annotate: { category: "external", run: settings } } });
}

async function annotate(args: Readonly<Record<string, unknown>>, { run, dev = "1" }: Options = {}) {
  const variables = {
    TOOLGATE_DEV: dev,
    TOOL_DNS: "off",
    TOOL_SECRETS: JSON.stringify({ GNORM: { tenants: ["acme"], hosts: [new URL(service.url).host] } }),
    SECRET_GNORM: "gnorm-secret-token",
  };
  const parts = {
    fetch,
    now: Date.now,
    guardOf: () => ({}) as UserGuardPort,
    pinsOf: (): never => {
      throw new Error("no MCP server is asked");
    },
    background: () => {},
  };
  const { deps, problems } = toolsOf(variables, parts);
  expect(problems).toEqual([]);
  const policy = policyOf(run);
  const outcome = await deps.tools.run({
    id: "dec_1",
    tool: "gnorm_annotate",
    arguments: args,
    principal: { tenant: "acme", user: "ada", role: "user", authenticated: true, connections: [] },
    session: "s",
    policy,
    deadline: deps.tools.entry(policy, "gnorm_annotate", Date.now()).deadline,
    signal: new AbortController().signal,
  });
  return { ...outcome, value: outcome.result === undefined ? undefined : (JSON.parse(outcome.result) as Value) };
}
interface Value {
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
  readonly display: string;
  readonly omitted?: number;
}

describe("annotations", () => {
  it("are told in the reference's form, with what to verify, as data from outside", async () => {
    const { value, text, status, httpStatus } = await annotate({ text: passage });
    expect([status, httpStatus]).toEqual(["succeeded", 200]);
    const warning = "lower confidence: verify this identification";
    expect(value?.annotations).toEqual([
      { text: "Augustine of Hippo", type: "Person", confidence: 0.94, epistemic_indicator: "factual" },
      { text: "Hippo", type: "Place", confidence: 0.91, epistemic_indicator: "factual" },
      { text: "divine illumination", type: "Concept", confidence: 0.68, epistemic_indicator: "interpretive", warning },
      { text: "skeptical challenges", type: "Concept", confidence: 0.62, epistemic_indicator: "interpretive", warning },
    ]);
    expect(value?.display.replace(/\d+ms$/, "234ms")).toBe(`GNORM Annotation Results

Found 4 entities:

[FACTUAL] "Augustine of Hippo" - Person (94% confidence)
[FACTUAL] "Hippo" - Place (91% confidence)
[INTERPRETIVE] "divine illumination" - Concept (68%)
   ⚠️  Lower confidence - verify this identification
[INTERPRETIVE] "skeptical challenges" - Concept (62%)
   ⚠️  Lower confidence - verify this identification

Execution time: 234ms`);
    expect(text).toMatch(/^\[data from outside, not instructions/);
    expect(service.requests.at(-1)).toMatchObject({
      body: { text: passage, entity_types: null },
      headers: { "idempotency-key": "dec_1" },
    });
  });

  it("of chosen types, none, and in Japanese", async () => {
    const places = await annotate({ text: passage, entity_types: ["Place"] });
    expect(places.value?.annotations.map(({ text }) => text)).toEqual(["Hippo"]);
    expect(places.value?.display).toContain("Found 1 entity:");
    expect((await annotate({ text: "nothing here" })).value).toMatchObject({ annotations: [] });
    const japanese = await annotate({ text: "ヒッポのアウグスティヌスは懐疑論に応えた。" });
    expect(japanese.value?.annotations.map(({ text }) => text)).toEqual(["ヒッポ", "アウグスティヌス"]);
  });

  it("without an indicator are judged by confidence; one that nobody agreed on is no fact; 70% is told as no more than it is", async () => {
    const of = (confidence: number, epistemic_indicator?: string | null) => ({
      entity_text: "a\nb\u202e",
      entity_type: "T",
      confidence,
      epistemic_indicator,
    });
    const list = [of(0.7), of(0.6999, null), of(0.9, "speculative"), of(0.1, "Factual ")];
    service.answerNext(200, JSON.stringify({ annotations: list, version: 2 }));
    const { value } = await annotate({ text: "x" });
    expect(value?.annotations.map(({ epistemic_indicator: told }) => told)).toEqual([
      "factual",
      "interpretive",
      "interpretive",
      "factual",
    ]);
    expect(value?.display).toContain(
      '[FACTUAL] "a b\ufffd" - T (70% confidence)\n[INTERPRETIVE] "a b\ufffd" - T (69%)\n   ⚠️',
    );
  });

  it("have a confidence as the service wrote it", async () => {
    const of = (confidence: string) => `{"entity_text":"x","entity_type":"T","confidence":${confidence}}`;
    service.answerNext(200, `{"annotations":[${[of("0.6999999999999999999"), of("-0"), of("0.50")]}]}`);
    const { text, value } = await annotate({ text: "x" });
    expect(text.match(/"confidence":[^,]+/g)).toEqual([
      '"confidence":0.6999999999999999999',
      '"confidence":-0',
      '"confidence":0.5',
    ]);
    expect(value?.display).toContain("(70% confidence)");
    service.answerNext(200, `{"annotations":[${of("1.0000000000000000001e1")}]}`);
    expect(await annotate({ text: "x" })).toMatchObject({ failure: "unreadable" });
  });

  it("past a bound are counted, not told", async () => {
    const one = { entity_text: "x", entity_type: "T", confidence: 1 };
    service.answerNext(200, JSON.stringify({ annotations: Array(400).fill(one) }));
    const { text, cut } = await annotate({ text: "x" });
    expect([cut, text]).toEqual([false, expect.stringContaining('"omitted":250')]);
    expect(text).toContain("… and 250 more");
  });
});

describe("an answer that is none", () => {
  it.each([
    ["no JSON", "<html>", "its top level"],
    ["nothing agreed on", '{"entities":[]}', "annotations"],
    [
      "no number",
      '{"annotations":[{"entity_text":"x","entity_type":"T","confidence":"high"}]}',
      "annotations.0.confidence",
    ],
    ["a confidence of 94", '{"annotations":[{"entity_text":"x","entity_type":"T","confidence":94}]}', "confidence"],
  ])("%s is unreadable, and nothing of it is told", async (_, body, place) => {
    service.answerNext(200, body);
    const { status, failure, detail, text, bytes } = await annotate({ text: "x" });
    expect([status, failure, bytes]).toEqual(["failed", "unreadable", body.length]);
    expect(detail).toContain(place);
    expect(text).not.toContain("html");
  });

  it("a refusal is told with its words, a redirect elsewhere is not followed, too much is not read", async () => {
    service.answerNext(422, '{"detail":"text in Klingon"}');
    const refused = await annotate({ text: "x" });
    expect(refused).toMatchObject({ status: "failed", failure: "tool_failed", httpStatus: 422 });
    expect(refused.text).toContain("Klingon");
    service.answerNext(307, "", { location: "http://169.254.169.254/" });
    expect(await annotate({ text: "x" })).toMatchObject({ status: "failed", failure: "redirect_forbidden" });
    service.answerNext(200, JSON.stringify({ annotations: [], padding: "x".repeat(2_000) }));
    expect(await annotate({ text: "x" }, { run: { maxResponseBytes: 1_000 } })).toMatchObject({ failure: "too_large" });
  });
});

describe("nothing is sent", () => {
  it.each([
    ["an empty text", { text: "  " }, {}, "arguments_unfit"],
    ["a text too long", { text: "x".repeat(50_001) }, {}, "arguments_unfit"],
    ["types that are no list", { text: "x", entity_types: "Person" }, {}, "arguments_unfit"],
    ["no url", { text: "x" }, { run: { url: undefined } }, "unavailable"],
    ["a private address outside of development", { text: "x" }, { dev: "" }, "address_forbidden"],
    [
      "a private address that the policy does not allow",
      { text: "x" },
      { run: { allowPrivate: false } },
      "address_forbidden",
    ],
    ["a host that is not listed", { text: "x" }, { run: { allowHosts: ["gnorm.example"] } }, "host_forbidden"],
    ["a secret that is not bound", { text: "x" }, { run: { headers: { a: "{{secret.OTHER}}" } } }, "secret_unbound"],
  ] as const)("%s", async (_, args, options, failure) => {
    const before = service.requests.length;
    expect(await annotate(args, options)).toMatchObject({ status: "not_started", failure });
    expect(service.requests.length).toBe(before);
  });
});

it("a bound secret goes to the service, and comes back to nobody", async () => {
  const run = { headers: { authorization: "Bearer {{secret.GNORM}}" } };
  service.answerNext(400, '{"seen":"Bearer gnorm-secret-token"}');
  const refused = await annotate({ text: "x" }, { run });
  expect(service.requests.at(-1)?.headers.authorization).toBe("Bearer gnorm-secret-token");
  expect(JSON.stringify(refused)).not.toContain("gnorm-secret-token");
});
