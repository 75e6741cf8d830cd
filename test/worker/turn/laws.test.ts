/**
 * Laws of the whole gateway under generated policies, tools, roles and models. The oracle says again, in the plainest
 * way, what a mode, a role and an intent permit; it shares nothing with the gateway's own rules.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { notedDetector } from "../intent/noted-detector.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { onceAScene } from "../support/once-a-scene.ts";
import { type Answer, ask, call, result, type ScriptedCall, says, toolsOf, user } from "../support/script.ts";

const listable = ["fs_read", "fs_write", "web_get", "web_put", "toString"] as const;
const names = [...listable, "fs_other", "constructor"] as const;
const intentNames = ["ONE", "TWO", "NONE"] as const;
const globs = ["fs_*", "*_get", "*o*"];
const selector = fc.constantFrom(
  "*",
  ...names,
  ...globs,
  "category:read_only",
  "category:modification",
  "category:external",
  "family:fs",
  "family:web",
  "class:safe",
  "class:destructive",
);
const roles = ["guest", "user", "admin"] as const;
const families = ["fs", "web"] as const;
const partial = { requiredKeys: [] as never[] };

const settings = fc.record(
  {
    category: fc.constantFrom("read_only", "modification", "external"),
    class: fc.constantFrom("safe", "destructive"),
    roles: fc.subarray([...roles]),
  },
  partial,
);
const intent = fc.record(
  {
    tools: fc.array(selector, { maxLength: 3 }),
    families: fc.record({ allowedFamilies: fc.subarray([...families]) }),
  },
  partial,
);

const scenario = fc.record({
  role: fc.constantFrom(...roles, "stranger"),
  policy: fc.record({
    tools: fc.dictionary(fc.constantFrom(...listable), settings),
    families: fc.record({
      fs: fc.subarray(["fs_*", "web_get", "toString"]),
      web: fc.subarray(["web_*", "fs_other"]),
    }),
    modes: fc.record({
      default: fc.record(
        { allow: fc.array(selector, { maxLength: 4 }), deny: fc.array(selector, { maxLength: 1 }) },
        partial,
      ),
    }),
    intents: fc.record({ ONE: intent, TWO: intent, NONE: fc.constant({ tools: [] }) }),
    unlistedTools: fc.constantFrom("read_only", "modification", "external", "deny"),
    select: fc.constantFrom("model", "detected", "off"),
  }),
  tools: fc.shuffledSubarray([...names]),
  steps: fc.array(
    fc.array(
      fc.oneof(
        fc.constantFrom(...names, "made_up", "__proto__").map((name) => ({ name, args: {} })),
        fc.constantFrom(...intentNames, "BOGUS").map((chosen) => ({ name: "select_intent", args: { intent: chosen } })),
      ),
      { maxLength: 4 },
    ),
    { minLength: 1, maxLength: 8 },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** The document: every listed tool runs unasked and there are no gates, so that only permissions decide. */
const documentOf = ({ policy: { tools, select, ...policy } }: Scenario) => ({
  ...policy,
  roles: [...roles],
  tools: Object.fromEntries(Object.entries(tools).map(([name, one]) => [name, { ...one, confirm: "auto" }])),
  handshake: { select },
  gates: { requireFirstTime: false },
});

/** What the plain words of the policy make of a tool. */
function describe({ policy }: Scenario, name: string) {
  const own = Object.hasOwn(policy.tools, name) ? policy.tools[name as (typeof listable)[number]] : undefined;
  const safe = own?.class !== undefined ? own.class === "safe" : own?.category === "read_only";
  const category = own?.category ?? (policy.unlistedTools === "deny" ? "modification" : policy.unlistedTools);
  const member = families.filter((family) => policy.families[family].some((one) => matches(one, name)));
  return { name, own, category, class: safe ? "safe" : "destructive", families: member };
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`).test(name);
const escapeRegExp = (text: string): string => text.replace(/[^\w]/g, "\\$&");

function isNamedBy(list: readonly string[], one: ReturnType<typeof describe>): boolean {
  return list.some((text) => {
    const [kind, value] = text.split(":");
    if (value === undefined) return matches(text, one.name);
    if (kind === "category") return one.category === value;
    return kind === "class" ? one.class === value : one.families.some((family) => family === value);
  });
}

/** @param held the intents; empty before there is one. */
function isPermitted(scene: Scenario, name: string, held: readonly string[]): boolean {
  const one = describe(scene, name);
  if (one.own === undefined && scene.policy.unlistedTools === "deny") return false;
  const mode = scene.policy.modes.default;
  if (!isNamedBy(mode.allow ?? ["*"], one) || isNamedBy(mode.deny ?? [], one)) return false;
  if (one.own?.roles && !one.own.roles.some((role) => role === scene.role)) return false;
  if (held.length === 0) return scene.policy.select === "off" || one.class === "safe";
  return held.some((intent) => {
    const { tools, families: allowed } = scene.policy.intents[intent as "ONE" | "TWO"];
    if (tools && !isNamedBy(tools, one)) return false;
    return !allowed || one.families.some((family) => allowed.allowedFamilies.includes(family));
  });
}

interface Shown {
  /** The tools of one request to the model, the handshake apart. */
  readonly tools: readonly string[];
  readonly intents: readonly string[];
  /** The intents that were held when the request was sent. */
  readonly held: readonly string[];
  readonly made: readonly ScriptedCall[];
}

interface Played {
  readonly shown: readonly Shown[];
  /** Each turn's answer, and the index of the last request that was made for it: -1 where a question came first. */
  readonly turns: readonly { readonly answer: Answer; readonly last: number }[];
}

const intentsOf = (sent: Record<string, unknown>): string[] => {
  type Wire = { function: { name: string; parameters: { properties: { intents: { items: { enum: string[] } } } } } };
  const handshake = ((sent.tools ?? []) as Wire[]).find((one) => one.function.name === "select_intent");
  return handshake?.function.parameters.properties.intents.items.enum ?? [];
};

/** Plays the model's steps over as many turns as they take, up to four, in one session. */
async function play(scene: Scenario): Promise<Played> {
  const shown: Shown[] = [];
  let held: readonly string[] = [];
  let calls = 0;
  // No intent has words of its own: a message can only keep what is held, where it seems to continue the task.
  const detector = notedDetector((_, { intents, followUp }) => {
    expect(intents).toEqual([]);
    if (!followUp) held = [];
  });
  const gate: Gateway = await gateway({
    policy: documentOf(scene),
    role: scene.role,
    detector: detector.wrap,
    upstream: (body, request) => {
      const made = (scene.steps[shown.length] ?? []).map(({ name, args }) => call(`c${calls++}`, name, args));
      const intents = intentsOf(body);
      shown.push({ tools: toolsOf(body).filter((name) => name !== "select_intent"), intents, held, made });
      const chosen = made.flatMap(({ args }) => (args as { intent?: string }).intent ?? []);
      held = [...new Set([...held, ...chosen.filter((one) => intents.includes(one))])];
      return says({ text: "so", calls: made })(body, request);
    },
  });
  const turns: { answer: Answer; last: number }[] = [];
  const messages: unknown[] = [user("begin")];
  const tools = scene.tools.map((name) => tool(name));
  while (turns.length < 4 && shown.length < scene.steps.length) {
    const stream = turns.length % 2 === 0;
    const before = shown.length;
    const answer = await ask(gate, { messages, tools, stream }, { "x-toolgate-session": "s" });
    expect(answer.status).toBe(200);
    turns.push({ answer, last: shown.length > before ? shown.length - 1 : -1 });
    messages.push(answer.message, ...answer.calls.map(({ id }) => result(id)));
    if (answer.calls.length > 0) continue;
    messages.push(user("tell me of the tides"));
  }
  return { shown, turns };
}

const playOnce = onceAScene(play);
const holds = (law: (scene: Scenario, played: Played) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scenario, async (scene) => law(scene, await playOnce(scene))),
    { numRuns: 60 },
  );
const timeout = { timeout: 120_000 };

it("no_destructive_or_unclassified_tool_is_shown_before_an_intent_stands", timeout, () =>
  holds((scene, { shown }) => {
    if (scene.policy.select === "off") return;
    for (const { tools, held } of shown) {
      if (held.length === 0) expect(tools.filter((name) => describe(scene, name).class !== "safe")).toEqual([]);
    }
  }),
);

it("what_is_shown_is_exactly_what_mode_role_and_intent_permit_in_the_clients_order", timeout, () =>
  holds((scene, { shown }) => {
    for (const { tools, held } of shown) {
      expect(tools).toEqual(scene.tools.filter((name) => isPermitted(scene, name, held)));
    }
  }),
);

it("the_handshake_lists_exactly_the_intents_that_could_be_acted_under", timeout, () =>
  holds((scene, { shown }) => {
    const { select, intents } = scene.policy;
    const possible = intentNames.filter((name) => {
      const { tools } = intents[name as "ONE"];
      return tools === undefined || tools.length === 0 || scene.tools.some((one) => isPermitted(scene, one, [name]));
    });
    const expected = select === "off" || scene.tools.length === 0 ? [] : possible;
    for (const one of shown) expect([...one.intents].sort()).toEqual([...expected].sort());
  }),
);

it("what_is_released_was_made_shown_and_permitted", timeout, () =>
  holds((scene, { shown, turns }) => {
    for (const { answer, last } of turns) {
      const { made = [], tools = [], held = [] } = shown[last] ?? {};
      for (const { id, name } of answer.calls) {
        expect(made.some((one) => one.id === id && one.name === name)).toBe(true);
        expect(tools).toContain(name);
        expect(isPermitted(scene, name, held)).toBe(true);
      }
    }
  }),
);

it("a_listed_tools_call_that_is_permitted_is_released_whatever_its_siblings_are", timeout, () =>
  holds((scene, { shown, turns }) => {
    for (const { answer, last } of turns) {
      const { made = [], tools = [] } = shown[last] ?? {};
      const due = made.filter(({ name }) => Object.hasOwn(scene.policy.tools, name) && tools.includes(name));
      expect(answer.calls.map(({ id }) => id)).toEqual(expect.arrayContaining(due.map(({ id }) => id)));
    }
  }),
);
