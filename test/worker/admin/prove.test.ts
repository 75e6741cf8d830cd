/** Invariants: what a write refuses, `POST /admin/policies/:tenant/prove` and `…/diff`. */
import { describe, expect, it } from "vitest";
import { tool } from "../support/gateway.ts";
import { type Failure, pointerOf, policyAdmin } from "./policy-admin.ts";

const tools = {
  read_page: { category: "read_only" },
  refund: {
    category: "modification",
    confirm: "auto",
    conditions: [
      {
        if: { properties: { cents: { exclusiveMinimum: 5000 } }, required: ["cents"] },
        roles: ["user"],
        effect: "deny",
        say: "refunds above 50 need an admin",
      },
    ],
    parameters: { type: "object", properties: { cents: { type: "integer", minimum: 1 } }, required: ["cents"] },
  },
};
const intents = { PAY: { description: "give money back", keywords: ["refund"], tools: ["refund", "read_page"] } };
const kept = {
  say: "users refund at most 50",
  never: { effect: ["allow", "confirm"], tool: "refund" },
  when: { role: "user", arguments: { properties: { cents: { minimum: 5001 } }, required: ["cents"] } },
};
const broken = {
  say: "a person sees every refund",
  never: { effect: "allow", tool: "refund" },
  when: { role: "user" },
};
const document = { roles: ["user", "admin"], tools, intents, unlistedTools: "deny" };

interface Proved {
  readonly proved: boolean;
  readonly invariants: readonly {
    readonly path: string;
    readonly proved: boolean;
    readonly counterexample: { readonly text: string; readonly turn: Record<string, unknown> } | null;
  }[];
}

interface Simulated {
  readonly steps: readonly { readonly calls: readonly { readonly name: string; readonly effect: string }[] }[];
}

describe("invariants", () => {
  it("are proved before a policy is put in force; a broken one comes with a turn that shows it", async () => {
    const admin = await policyAdmin();
    const refused = await admin.ask<Failure & { error: { errors: { turn: unknown }[] } }>("PUT", "", {
      json: { ...document, invariants: [kept, broken] },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: "policy_invalid" });
    expect(refused.body.error.errors.map(({ path }) => path)).toEqual(["/invariants/1"]);
    const [{ turn } = { turn: undefined }] = refused.body.error.errors;
    expect(turn).toMatchObject({ role: "user", calls: [{ name: "select_intent" }, { name: "refund" }] });
    expect(await pointerOf(admin.gate.tenant)).toBeNull();
    expect((await admin.put({ ...document, invariants: [kept] })).status).toBe(200);
  });

  it("of a draft are proved without a write, and the simulated turn shows the same", async () => {
    const admin = await policyAdmin({ policy: document });
    const policy = { ...document, invariants: [kept, broken] };
    const { status, body } = await admin.ask<Proved>("POST", "/prove", { json: { policy } });
    expect([status, body.proved]).toEqual([200, false]);
    expect(body.invariants.map(({ proved }) => proved)).toEqual([true, false]);
    const found = body.invariants[1]?.counterexample;
    expect(found?.text).toBe(
      'for a `user` in mode `default`, with the intent `PAY`, the model calls `refund` with {"cents":7}: it runs, and no person is asked',
    );
    const simulated = await admin.ask<Simulated>("POST", "/simulate", {
      json: { ...found?.turn, tools: [tool("refund", tools.refund.parameters)] },
    });
    expect(simulated.body.steps.at(-1)?.calls).toMatchObject([{ name: "refund", effect: "allow" }]);
    const inForce = await admin.ask<Proved>("POST", "/prove");
    expect(inForce.body).toMatchObject({ object: "policy.proof", proved: true, invariants: [] });
  });

  it("name roles, modes, intents and families that exist", async () => {
    const admin = await policyAdmin();
    const written = [
      {
        say: "a",
        never: { effect: "allow", tool: "kind:x", family: "fs" },
        when: { role: "gest", mode: "x", intent: "PY" },
      },
      { say: "b", never: { effect: "allow" }, when: { grounded: true, trust: "trusted", arguments: { type: 3 } } },
    ];
    const { body } = await admin.ask<Failure>("PUT", "", { json: { ...document, invariants: written } });
    expect(body.error.errors?.map(({ path }) => path)).toEqual([
      "/invariants/0/never/family",
      "/invariants/0/never/tool",
      "/invariants/0/when/intent",
      "/invariants/0/when/mode",
      "/invariants/0/when/role",
      "/invariants/1/when/arguments/type",
      "/invariants/1/when/grounded",
    ]);
  });

  it("that no proof can reach are refused, and say what to do", async () => {
    const admin = await policyAdmin();
    const conditions = [{ if: { properties: { to: { pattern: "^a" } } }, effect: "deny", say: "no" }];
    const send = { category: "external", confirm: "auto", firstTime: false, conditions };
    const { status, body } = await admin.ask<Failure>("PUT", "", {
      json: {
        ...document,
        tools: {
          send: { ...send, parameters: { type: "object", properties: { to: { pattern: "^a" } }, required: ["to"] } },
        },
        invariants: [{ say: "nothing is sent", never: { effect: ["allow", "confirm"], tool: "send" } }],
        intents: {},
      },
    });
    expect(status).toBe(400);
    expect(body.error.errors?.[0]).toMatchObject({ path: "/invariants/0" });
    expect(body.error.errors?.[0]?.message).toMatch(/^cannot be proved: .*`send`/);
  });
});

describe("a comparison of policies", () => {
  it("says who loses and gains what, against the one in force or another document", async () => {
    const admin = await policyAdmin({ policy: document });
    const next = { ...document, tools: { ...tools, refund: { ...tools.refund, roles: ["admin"] } } };
    const { status, body } = await admin.ask<{ summary: string[]; changes: { tools: unknown[] } }>("POST", "/diff", {
      json: { policy: next },
    });
    expect(status).toBe(200);
    expect(body.summary[0]).toBe("user loses refund in mode default under PAY (role_forbids)");
    expect(body.changes.tools).toHaveLength(1);
    const back = await admin.ask<{ summary: string[] }>("POST", "/diff", { json: { policy: document, against: next } });
    expect(back.body.summary[0]).toBe("user gains refund in mode default under PAY (was role_forbids)");
    const same = await admin.ask<{ summary: string[] }>("POST", "/diff", { json: { policy: document } });
    expect(same.body.summary).toEqual([]);
  });
});
