/**
 * The conversation of reference/human-centered-tool-calling.md in a client that knows approvals: it gets them as data, and
 * answers in the body's `toolgate.approvals` or by `POST /v1/approvals/:id`.
 */
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import policy from "../../policies/research-assistant.json" with { type: "json" };
import { type AskedCall, type Frontend, openFrontend, type Reply } from "./support/frontend.ts";
import { deskTools, openDesk, passage, type ResearchDesk } from "./support/research-desk.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let desk: ResearchDesk;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ upstream: upstream.url });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk?.stop());

interface Chat {
  readonly chat: Frontend;
  /** Gives the answer, and goes on until the reply that calls nothing. */
  readonly answer: (call: AskedCall, answer: object) => Promise<Reply>;
}

type Way = (frontend: Frontend, key: string) => Chat["answer"];

const inTheBody: Way = (chat) => (call, answer) =>
  chat.again({ toolgate: { approvals: [{ id: call.id, ...answer }] } });

const byTheApi: Way = (chat, key) => async (call, answer) => {
  const response = await fetch(`${gateway.baseURL}/approvals/${call.id}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(answer),
  });
  expect(response.status).toBe(200);
  return chat.again({ toolgate: { approvals: [{ id: call.id }] } });
};

async function openChat(stream: boolean, way: Way): Promise<Chat> {
  const key = await gateway.key({ policy });
  const chat = openFrontend({
    client: new OpenAI({ baseURL: gateway.baseURL, apiKey: key, maxRetries: 0 }),
    tools: deskTools,
    stream,
    run: desk.run,
    modelCalls: () => upstream.requests.length,
    headers: { "x-toolgate-approvals": "native" },
  });
  return { chat, answer: way(chat, key) };
}

function onlyCall({ finish, toolgate }: Reply): AskedCall {
  expect([finish, toolgate.stop_reason, toolgate.approvals.length]).toEqual(["stop", "awaiting_approval", 1]);
  return toolgate.approvals[0] as AskedCall;
}

const told = (): string => JSON.stringify(upstream.requests.at(-1)?.body.messages);
const gadamer = { title: "Gadamer", content: "Understanding is the fusion of horizons.", tags: ["gadamer"] };
const outline = {
  note_id: "n7",
  title: "Ricoeur Chapter Outline",
  old_text: "3.3 Metaphor",
  new_text: "3.3 Metaphor\n3.4 Distanciation and Critical Distance",
};
const annotates = (text: string) => callsTools({ name: "gnorm_annotate", arguments: { text } });

describe.each([
  ["in the body, streamed", true, inTheBody],
  ["in the body, in one body", false, inTheBody],
  ["by the API, streamed", true, byTheApi],
  ["by the API, in one body", false, byTheApi],
])("the reference's conversation, answered %s", (_, stream, way) => {
  it("is played with questions as data, and no answer costs a call of the model", async () => {
    const { chat, answer } = await openChat(stream, way);

    upstream.script(callsTools({ name: "search_notes", arguments: { query: "circle" } }), says("Found 3 notes."));
    expect((await chat.say("Search my notes for the hermeneutical circle.")).text).toContain("Found 3 notes.");

    upstream.script(callsTools({ name: "create_note", arguments: gadamer }));
    const noting = await chat.say("Create a note that sums up our discussion.");
    const note = onlyCall(noting);
    expect(noting.text).toBe("");
    expect(note).toMatchObject({ tool: "create_note", arguments: gadamer, editable: true });
    expect(note).toMatchObject({ question: "I'd like to create a note `Gadamer`. Create note?" });
    expect(note.disclosure).toContain("I'd like to create a note `Gadamer`.");
    upstream.script(says("The note is there."));
    const title = "Gadamer on Horizon Fusion";
    expect((await answer(note, { action: "edit", arguments: { title } })).text).toBe("The note is there.");
    expect(chat.ran).toEqual([{ tool: "create_note", args: { ...gadamer, title }, modelCalls: 0 }]);
    expect(desk.notes.get("n11")).toEqual({ ...gadamer, title });

    upstream.script(annotates(passage));
    const gate = onlyCall(await chat.say("Which entities does this passage name?"));
    expect(gate).toMatchObject({ asks: ["first_use", "confirmation_required"], editable: false });
    expect(gate).toMatchObject({ details: { learn_more: expect.stringContaining("ITSERR project") } });
    upstream.script(says("Four entities."));
    await answer(gate, { action: "approve", enable: true });
    expect([chat.ran, desk.sent]).toMatchObject([[{ tool: "gnorm_annotate", modelCalls: 0 }], [passage]]);

    upstream.script(annotates("Monica wept."));
    const second = onlyCall(await chat.say("And this one: Monica wept."));
    expect(second).toMatchObject({ asks: ["confirmation_required"] });
    upstream.script(says("One."));
    await answer(second, { action: "approve", grant: { until: "session" } });
    expect(desk.sent).toEqual([passage, "Monica wept."]);
    upstream.script(annotates("Adeodatus spoke."), says("None."));
    await chat.say("And: Adeodatus spoke.");
    expect([chat.ran.length, desk.sent.length]).toEqual([1, 3]);

    upstream.script(callsTools({ name: "edit_note", arguments: outline }));
    const editing = onlyCall(await chat.say("Add a section on distanciation to my outline."));
    const added = { kind: "added", text: "3.4 Distanciation and Critical Distance" };
    expect(editing).toMatchObject({
      question: expect.stringContaining("Apply changes?"),
      details: { changes: expect.arrayContaining([added]) },
    });
    upstream.script(says("The outline has its section."));
    await answer(editing, { action: "approve" });
    expect(chat.ran).toEqual([{ tool: "edit_note", args: outline, modelCalls: 0 }]);
    expect(desk.notes.get("n7")?.content).toContain("3.4 Distanciation and Critical Distance");

    upstream.script(callsTools({ name: "delete_note", arguments: { note_id: "n3" } }), says("Then it stays."));
    const deleting = onlyCall(await chat.say("Tidy up my notes on method."));
    const kept = await answer(deleting, { action: "deny", reason: "I still need it" });
    expect([kept.text, chat.ran, desk.notes.has("n3")]).toEqual(["Then it stays.", [], true]);
    expect(told()).toContain("I still need it");
    expect(told()).not.toContain("⟦");
  });
});
