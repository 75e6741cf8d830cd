/**
 * The conversation of reference/human-centered-tool-calling.md in a frontend that knows nothing of approvals: the official
 * OpenAI client, the person types. The tools do what they say; the model is scripted, and counted.
 */
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import policy from "../../policies/research-assistant.json" with { type: "json" };
import { type Frontend, openFrontend } from "./support/frontend.ts";
import { deskTools, openDesk, passage, type ResearchDesk } from "./support/research-desk.ts";
import { keepTranscript } from "./support/transcript.ts";
import { answers, callsTools, type ScriptedUpstream, says, startUpstream } from "./support/upstream.ts";
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
  readonly key: string;
  readonly chat: Frontend;
}

async function openChat(stream: boolean, key?: string): Promise<Chat> {
  const own = key ?? (await gateway.key({ policy }));
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: own, maxRetries: 0 });
  const modelCalls = () => upstream.requests.length;
  return { key: own, chat: openFrontend({ client, tools: deskTools, stream, run: desk.run, modelCalls }) };
}

/** As a person reads it off the frame. */
const codeIn = (text: string): string => /⟦(\w{4})⟧/.exec(text)?.[1] ?? "none";

/** The results that the model was told in its last request, and what the assistant's messages before them called. */
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
  ["streamed", true],
  ["in one body", false],
])("the reference's conversation, %s", (_, stream) => {
  it("is played by typing alone, and no answer costs a call of the model", async () => {
    const { chat, key } = await openChat(stream);

    upstream.script(
      callsTools({ name: "search_notes", arguments: { query: "hermeneutical circle" } }),
      says("Found 3 relevant notes."),
    );
    const searched = await chat.say("Search my notes for the hermeneutical circle.");
    expect(searched.text).toContain('Searching your notes for "hermeneutical circle"…');
    expect(searched.text).toContain("Found 3 relevant notes.");
    expect(told()).toContain("Schleiermacher");

    upstream.script(answers({ text: "Let me write that down.", calls: [{ name: "create_note", arguments: gadamer }] }));
    const noting = await chat.say("Create a note that sums up our discussion of Gadamer's horizon.");
    expect(noting).toMatchObject({ finish: "stop", message: { content: expect.stringContaining("Let me write") } });
    for (const shown of [
      "a note `Gadamer`. Create note?",
      "fusion of horizons",
      "Reply `yes` / `no` / `edit field=value`.",
    ])
      expect(noting.text).toContain(shown);
    expect(chat.ran).toEqual([]);

    upstream.script(says("The note is there."));
    const title = "Gadamer on Horizon Fusion";
    const edited = await chat.say(`edit title=${title}`);
    expect(chat.ran).toEqual([{ tool: "create_note", args: { ...gadamer, title }, modelCalls: 0 }]);
    expect(edited.text).toBe("The note is there.");
    expect(desk.notes.get("n11")).toEqual({ ...gadamer, title });
    expect(told()).toContain(title);

    upstream.script(annotates(passage));
    const gate = await chat.say("Which entities does this passage name?");
    for (const shown of ["is not enabled yet", "GNORM API", passage, "`learn more`"])
      expect(gate.text).toContain(shown);
    upstream.script();
    const more = await chat.say("learn more");
    expect(more.text).toContain("GNORM is part of the ITSERR project.");
    expect(more.text).toContain(codeIn(gate.text));
    expect([chat.ran, desk.sent, upstream.requests]).toEqual([[], [], []]);
    upstream.script(says('[FACTUAL] "Augustine of Hippo" - Person (94% confidence)'));
    const annotated = await chat.say("always");
    expect(chat.ran).toMatchObject([{ tool: "gnorm_annotate", args: { text: passage }, modelCalls: 0 }]);
    expect([desk.sent, annotated.text]).toEqual([[passage], expect.stringContaining("94% confidence")]);
    expect(told()).toContain("divine illumination");

    upstream.script(annotates("Monica wept."));
    const second = await chat.say("And this one: Monica wept.");
    expect(second.text).not.toContain("is not enabled yet");
    // Somebody else's text is in the conversation by now: a mere yes is not enough.
    upstream.script();
    expect((await chat.say("yes")).text).toContain("Type the code");
    expect([chat.ran, upstream.requests]).toEqual([[], []]);
    upstream.script(says("Monica is a person."));
    await chat.say(`yes ${codeIn(second.text)}`);
    expect([chat.ran.length, desk.sent]).toEqual([1, [passage, "Monica wept."]]);

    upstream.script(callsTools({ name: "edit_note", arguments: outline }));
    const editing = await chat.say("Add a section on distanciation to my outline.");
    for (const shown of [
      "update your note `Ricoeur Chapter Outline`. Apply changes?",
      "+ 3.4 Distanciation and Critical Distance",
    ])
      expect(editing.text).toContain(shown);
    upstream.script();
    const preview = await chat.say("preview");
    expect(preview.text).toContain("What changes:");
    expect(desk.notes.get("n7")?.content).toBe("3.2 Discourse\n3.3 Metaphor");
    upstream.script(says("The outline has its section."));
    expect((await chat.say(`Yes, ${codeIn(preview.text)} please.`)).text).toBe("The outline has its section.");
    expect(chat.ran).toEqual([{ tool: "edit_note", args: outline, modelCalls: 0 }]);
    expect(desk.notes.get("n7")?.content).toBe("3.2 Discourse\n3.3 Metaphor\n3.4 Distanciation and Critical Distance");

    upstream.script(callsTools({ name: "delete_note", arguments: { note_id: "n3" } }), says("Then it stays."));
    const deleting = await chat.say("Tidy up my notes on method.");
    expect(deleting.text).toContain("cannot be undone");
    const kept = await chat.say(`no ${codeIn(deleting.text)}: I still need it`);
    expect([kept.text, chat.ran, desk.notes.has("n3")]).toEqual(["Then it stays.", [], true]);
    expect(told()).toContain("I still need it");

    await expectTrail(key);
    await keepTranscript(`inline-${stream ? "streamed" : "whole"}`, chat.messages);
  });

  it("takes a mere yes where nothing of somebody else's was read, and once", async () => {
    const { chat } = await openChat(stream);
    upstream.script(callsTools({ name: "create_note", arguments: gadamer }), says("Made."), says("Yes what?"));
    const asked = await chat.say("Make a note of Gadamer.");
    expect(asked.text).not.toContain("with the code");
    expect((await chat.say("Yes, please!")).text).toBe("Made.");
    expect(chat.ran).toEqual([{ tool: "create_note", args: gadamer, modelCalls: 1 }]);
    expect((await chat.say("yes")).text).toBe("Yes what?");
    expect([chat.ran, desk.notes.size]).toEqual([[], 5]);
  });

  it("keeps the gate shut where it was refused, and open in the next conversation where it was not", async () => {
    const { chat, key } = await openChat(stream);
    upstream.script(annotates(passage), says("I read it myself."), annotates(passage), says("Sent."));
    await chat.say("Which entities?");
    expect((await chat.say("No, thanks.")).text).toBe("I read it myself.");
    expect((await chat.say("And now?")).text).toContain("is not enabled yet");
    // A yes is to this call alone.
    expect((await chat.say("ok")).text).toBe("Sent.");
    upstream.script(annotates(passage), says("Sent again."));
    const again = await chat.say("Once more.");
    expect(again.text).toContain("is not enabled yet");
    expect((await chat.say(`always ${codeIn(again.text)}`)).text).toBe("Sent again.");
    expect(desk.sent).toEqual([passage, passage]);
    const { chat: next } = await openChat(stream, key);
    upstream.script(annotates(passage));
    const asked = await next.say("Which entities does it name?");
    expect(asked.toolgate.stop_reason).toBe("awaiting_approval");
    expect(asked.text).not.toContain("is not enabled yet");
  });
});

/** Each question and answer is in the audit trail, and the chain verifies. */
async function expectTrail(key: string): Promise<void> {
  const admin = await gateway.key({ role: "admin", tenantOf: key });
  const read = async (path: string) =>
    (await (
      await fetch(`${gateway.baseURL}/audit/${path}`, { headers: { authorization: `Bearer ${admin}` } })
    ).json()) as { data: { tool: string; event: string }[] };
  const events = async () =>
    (await read("approvals?order=asc&limit=100")).data.map(({ tool, event }) => `${tool} ${event}`);
  await expect
    .poll(events, { timeout: 20_000 })
    .toEqual([
      ...["create_note asked", "create_note edited"],
      ...["gnorm_annotate asked", "gnorm_annotate approved", "gnorm_annotate asked", "gnorm_annotate approved"],
      ...["edit_note asked", "edit_note approved"],
      ...["delete_note asked", "delete_note denied"],
    ]);
  await expect.poll(() => read("verify?user=ada"), { timeout: 20_000 }).toMatchObject({ ok: true, waiting: 0 });
}
