/** A person's answers to calls that wait, on every surface that can bring them: the same calls are released, the same rows are kept. */
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { call, says } from "../support/script.ts";
import { rowsOf, steady } from "./kept-rows.ts";
import { type Conversation, type PersonsAnswer, type SurfaceClient, surfaces, type Told } from "./surfaces.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const tools = {
  edit_file: { category: "modification" },
  upload: { category: "external", destination: "the archive" },
  create_lead: {
    category: "modification",
    description: "Create a lead",
    parameters: object({ name: { type: "string" } }),
    run: { kind: "http", method: "POST", url: "https://crm.test/leads", retries: 0 },
  },
  fetch_page: {
    category: "read_only",
    description: "Read a page",
    parameters: object({}),
    run: { kind: "http", method: "GET", url: "https://page.test/", retries: 0 },
  },
};
const policy = (confirmation: object = {}) => ({
  handshake: { select: "off" },
  roles: ["user", "admin"],
  tools,
  confirmation: { channels: ["inline", "native", "hold"], ...confirmation },
});
const edits = says({ text: "Let me.", calls: [call("c1", "edit_file", { path: "a.txt" })] });
const done = says({ text: "Done." });

interface Situation {
  readonly policy?: object;
  readonly upstream: readonly Upstream[];
  readonly drive: (talk: Conversation, last: Told) => Promise<readonly Told[]>;
  /** Names of the calls that reach the client, in order. */
  readonly released: readonly string[];
}

const codeIn = ({ words }: Told): string => /⟦(\w{4})⟧/.exec(words)?.[1] ?? "none";
const saying =
  (...texts: readonly ((last: Told) => string)[]) =>
  async (talk: Conversation, first: Told): Promise<readonly Told[]> => {
    const told: Told[] = [];
    for (const text of texts) told.push(await talk.say(text(told.at(-1) ?? first)));
    if ((told.at(-1)?.calls.length ?? 0) > 0) told.push(await talk.results());
    return told;
  };
const word = (text: string) => () => text;

const inWords: Record<string, Situation> = {
  "a yes": { upstream: [edits, done], drive: saying(word("yes")), released: ["edit_file"] },
  "a no with its reason": { upstream: [edits, done], drive: saying(word("no: not this one")), released: [] },
  "an edit": {
    upstream: [edits, done],
    drive: saying(word("edit path=b.txt")),
    released: ["edit_file"],
  },
  "another wish": { upstream: [edits, done], drive: saying(word("What is the weather in Bern?")), released: [] },
  "a yes to a first use": {
    upstream: [says({ calls: [call("c1", "upload")] }), done],
    drive: saying(word("yes")),
    released: ["upload"],
  },
  "a yes to a call that runs here": {
    upstream: [says({ calls: [call("c1", "create_lead", { name: "Ada" })] }), done],
    drive: saying(word("yes")),
    released: [],
  },
  "a yes without the code, after untrusted text, and one with it": {
    upstream: [
      says({ calls: [call("c0", "fetch_page")] }),
      says({ calls: [call("c1", "upload", { path: "a.txt" })] }),
      done,
    ],
    drive: saying(word("yes"), (last) => `yes ${codeIn(last)}`),
    released: ["upload"],
  },
  "the code of no question": { upstream: [edits, done], drive: saying(word("yes ZZZZ")), released: [] },
};

const answering =
  (answer: PersonsAnswer) =>
  async (talk: Conversation): Promise<readonly Told[]> => {
    const told = [await talk.answer(answer)];
    if ((told[0]?.calls.length ?? 0) > 0) told.push(await talk.results());
    return told;
  };

const asData: Record<string, Situation> = {
  "an approval": { upstream: [edits, done], drive: answering({ action: "approve" }), released: ["edit_file"] },
  "a denial": { upstream: [edits, done], drive: answering({ action: "deny" }), released: [] },
  "an edit": {
    upstream: [edits, done],
    drive: answering({ action: "edit", arguments: { path: "b.txt" } }),
    released: ["edit_file"],
  },
  "an approval of a call that runs here": {
    upstream: [says({ calls: [call("c1", "create_lead", { name: "Ada" })] }), done],
    drive: answering({ action: "approve" }),
    released: [],
  },
  "an approval that is sent twice": {
    upstream: [edits, done],
    drive: async (talk) => [await talk.answer({ action: "approve" }), await talk.answer({ action: "approve" })],
    released: ["edit_file"],
  },
};

const elsewhere = () => new Response("A page.");

async function play(surface: SurfaceClient, situation: Situation, headers: Record<string, string>) {
  const gate = await gateway({ policy: situation.policy ?? policy(), upstream: situation.upstream, elsewhere });
  const talk = surface.open(gate, { tools: ["edit_file", "upload"], headers });
  const first = await talk.say("please do it");
  const told = [first, ...(await situation.drive(talk, first))];
  return { told: told.map(steady), rows: await rowsOf(gate), asked: gate.sent.length };
}

const releasedIn = (told: readonly Told[]) => told.flatMap(({ calls }) => calls.map(({ name }) => name));

describe.each(Object.entries(inWords))("in words: %s", (_name, situation) => {
  it("is taken on every surface as on chat completions", async () => {
    const [first, ...others] = await Promise.all(surfaces.map((surface) => play(surface, situation, {})));
    expect(releasedIn(first?.told ?? [])).toEqual(situation.released);
    others.forEach((other, at) => {
      expect({ on: surfaces[at + 1]?.name, ...other }).toEqual({ on: surfaces[at + 1]?.name, ...first });
    });
  });
});

const served = surfaces.filter(({ isServed }) => isServed);

describe.each(Object.entries(asData))("as data: %s", (_name, situation) => {
  it("is taken on every surface as on chat completions", async () => {
    const native = { "x-toolgate-approvals": "native" };
    const [first, ...others] = await Promise.all(served.map((surface) => play(surface, situation, native)));
    expect(releasedIn(first?.told ?? []).slice(0, 1)).toEqual(situation.released);
    others.forEach((other, at) => {
      expect({ on: served[at + 1]?.name, ...other }).toEqual({ on: served[at + 1]?.name, ...first });
    });
  });
});

describe.each(["approve", "deny"] as const)("elsewhere, while the reply is held: %s", (action) => {
  const held = served.filter(({ streams }) => streams);

  async function hold(surface: SurfaceClient) {
    const gate = await gateway({ policy: policy(), upstream: [edits, done] });
    const talk = surface.open(gate, { tools: ["edit_file"], headers: { "x-toolgate-approvals": "hold" } });
    const saying = talk.say("please do it");
    const id = await waiting(gate);
    expect((await gate.fetch(`/v1/approvals/${id}`, { json: { action } })).status).toBe(200);
    const told = [await saying];
    if (told[0]?.calls.length) told.push(await talk.results());
    return { told: told.map(steady), rows: await rowsOf(gate), asked: gate.sent.length };
  }

  it("is taken on every stream as on chat completions", async () => {
    const [first, ...others] = await Promise.all(held.map(hold));
    expect(releasedIn(first?.told ?? [])).toEqual(action === "approve" ? ["edit_file"] : []);
    others.forEach((other, at) => {
      expect({ on: held[at + 1]?.name, ...other }).toEqual({ on: held[at + 1]?.name, ...first });
    });
  });
});

/** The call that waits, once it does. */
async function waiting(gate: Gateway): Promise<string> {
  for (let version = -1; ; ) {
    const { data } = await gate.guard.approvals.list({ status: "pending", limit: 1, order: "asc" });
    if (data[0]) return data[0].id;
    version = (await gate.guard.approvals.changes(version, 5_000)).version;
  }
}
