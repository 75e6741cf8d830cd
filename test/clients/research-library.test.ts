/**
 * The research assistant of reference/human-centered-tool-calling.md with the gateway's own tools: the official OpenAI client
 * brings none and runs none, the person types. Notes and sources are in D1, annotations come from a service; the model is scripted.
 */
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import library from "../../policies/research-library.json" with { type: "json" };
import { type AnnotationService, startAnnotationService } from "./support/annotation-service.ts";
import { type Frontend, openFrontend } from "./support/frontend.ts";
import { keepTranscript } from "./support/transcript.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream, toolNames } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

let upstream: ScriptedUpstream;
let service: AnnotationService;
let gateway: Gateway;

beforeAll(async () => {
  [upstream, service] = await Promise.all([startUpstream(), startAnnotationService()]);
  gateway = await startGateway({ upstream: upstream.url, settings: { TOOL_DNS: "off" } });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upstream?.stop(), service?.stop()]);
});

/** With the service where it is. */
const policy = () => {
  const { gnorm_annotate: gnorm } = library.tools;
  const run = { ...gnorm.run, url: service.url, allowPrivate: true };
  return { ...library, tools: { ...library.tools, gnorm_annotate: { ...gnorm, run } } };
};

function openChat(key: string, stream: boolean): Frontend {
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: key, maxRetries: 0 });
  const run = () => expect.fail("the client has no tools");
  return openFrontend({ client, stream, run, modelCalls: () => upstream.requests.length });
}

const passage = "Augustine of Hippo developed his doctrine of divine illumination in response to skeptical challenges.";
const codeIn = (text: string): string => /⟦(\w{4})⟧/.exec(text)?.[1] ?? "none";

/** What the model was told of its last call, in its last request. */
function result(): Record<string, unknown> & { readonly text: string } {
  const content = upstream.requests.at(-1)?.body.messages.findLast(({ role }) => role === "tool")?.content;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return { ...(json.startsWith("{") ? (JSON.parse(json) as object) : {}), text };
}

/** The person asks, the model makes the call, and has these words after it; nobody is asked. */
async function unasked(chat: Frontend, words: string, name: string, args: object) {
  upstream.script(callsTools({ name, arguments: args }), says("So it is."));
  const reply = await chat.say(words);
  expect(reply).toMatchObject({ finish: "stop", text: expect.stringContaining("So it is.") });
  return { reply, result: result() };
}

/** What a question offers where a mere yes is not enough. */
const needsCode = /`yes [0-9A-Z]{4}`/;

/** The person asks, the model makes the call, the person is asked and says yes; then the model has these words. */
async function asked(chat: Frontend, words: string, name: string, args: object) {
  upstream.script(callsTools({ name, arguments: args }));
  const frame = await chat.say(words);
  expect(frame.toolgate.stop_reason).toBe("awaiting_approval");
  upstream.script(says("Done."));
  const reply = await chat.say(needsCode.test(frame.text) ? `yes ${codeIn(frame.text)}` : "yes");
  expect(reply.text).toContain("Done.");
  return { frame, reply, result: result() };
}

const titles = ({ notes = [] }: Readonly<Record<string, unknown>>) =>
  (notes as { title: string }[]).map(({ title }) => title);

describe.each([
  ["streamed", true],
  ["in one body", false],
])("the reference's conversation, %s", (_, stream) => {
  it("is held with tools that the gateway runs, each as careful as its category wants", async () => {
    const key = await gateway.key({ policy: policy() });
    const admin = await gateway.key({ role: "admin", tenantOf: key });
    const sources = [
      {
        id: "gad",
        type: "book",
        title: "Truth and Method",
        author: [{ family: "Gadamer" }],
        issued: { "date-parts": [[1960]] },
      },
    ];
    const put = await fetch(`${gateway.baseURL}/bibliography?scope=tenant`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      body: JSON.stringify(sources),
    });
    expect(await put.json()).toMatchObject({ created: 1 });
    const chat = openChat(key, stream);

    // Note-taking: asked, and only then there.
    const note = { title: "Ricoeur Chapter Outline", content: "3.2 Discourse\n3.3 Metaphor", tags: ["ricoeur"] };
    const created = await asked(chat, "Make a note of my outline.", "create_note", note);
    for (const shown of ["a note `Ricoeur Chapter Outline`", "3.3 Metaphor", "Create note?"])
      expect(created.frame.text).toContain(shown);
    const id = created.result.note_id as string;
    expect(created.result).toMatchObject({ note_id: expect.stringMatching(/^note_/), title: note.title });
    expect(created.frame.text).not.toMatch(needsCode);
    const searched = await unasked(chat, "Search my notes for the metaphor.", "search_notes", { query: "metaphor" });
    expect(searched.result).toMatchObject({
      count: 1,
      notes: [{ note_id: id, content: note.content, tags: ["ricoeur"] }],
    });

    // Modification: the lines that change are shown.
    const edit = {
      note_id: id,
      title: note.title,
      old_text: "3.3 Metaphor",
      new_text: "3.3 Metaphor\n3.4 Distanciation and Critical Distance",
    };
    const edited = await asked(chat, "Add a section on distanciation.", "edit_note", edit);
    for (const shown of [
      "your note `Ricoeur Chapter Outline`",
      "+ 3.4 Distanciation and Critical Distance",
      "Apply changes?",
    ])
      expect(edited.frame.text).toContain(shown);
    expect(edited.result).toMatchObject({ version: 2, changed: [{ member: "content" }] });

    await expectAnnotations(chat);

    // Read-only: at once, and it is said.
    const found = await unasked(chat, "What of Gadamer do we have?", "search_bibliography", { query: "gadamer" });
    expect(found.reply.text).toContain('Searching the bibliography for "gadamer"…');
    expect(found.result).toMatchObject({
      count: 1,
      sources: [{ title: "Truth and Method", authors: ["Gadamer"], year: "1960" }],
    });
    expect(toolNames(upstream.requests[0] ?? expect.fail("no request"))).toEqual(Object.keys(library.tools));

    // Untrusted text is in the conversation by now. Deleting can be undone, and is.
    const removed = await asked(chat, "Remove the outline.", "delete_note", { note_id: id, title: note.title });
    expect(removed.frame.text).toContain("remove your note `Ricoeur Chapter Outline`");
    // So a hasty yes can be taken back, and needs no code.
    expect(removed.frame.text).not.toMatch(needsCode);
    expect(removed.frame.text).not.toContain("cannot be undone");
    expect(removed.result).toMatchObject({ deleted: true });
    expect((await unasked(chat, "Is it gone?", "search_notes", { query: "distanciation" })).result).toMatchObject({
      count: 0,
    });
    await undoLast(chat, "delete_note", "restore_note");
    const back = await unasked(chat, "Is it back?", "search_notes", { query: "distanciation" });
    expect(titles(back.result)).toEqual([note.title]);

    await expectRuns(admin);
    await keepTranscript(`library-${stream ? "streamed" : "whole"}`, chat.messages);
  });

  it("of one user's notes tells another nothing, and takes an edit back as it was", async () => {
    const key = await gateway.key({ policy: policy() });
    const [chat, other] = [openChat(key, stream), openChat(await gateway.key({ tenantOf: key, user: "bob" }), stream)];
    const note = { title: "ガダマーの地平", content: "解釈学的循環と地平の融合について。" };
    const created = await asked(chat, "ガダマーについてノートを作って。", "create_note", note);
    expect(created.frame.text).toContain("ノート`ガダマーの地平`を作成したいと思います。");
    const id = created.result.note_id as string;
    for (const query of ["融合", "解釈学", "地平"]) {
      expect(titles((await unasked(chat, `「${query}」を探して。`, "search_notes", { query })).result)).toEqual([
        note.title,
      ]);
      expect((await unasked(other, `「${query}」を探して。`, "search_notes", { query })).result).toMatchObject({
        count: 0,
      });
    }
    const theirs = await asked(other, "Remove that note.", "delete_note", { note_id: id, title: note.title });
    expect(theirs.result.text).toContain("there is no such note");

    await asked(chat, "題を変えて。", "edit_note", { note_id: id, title: "地平の融合", content: "別の本文" });
    // In Japanese, as what came before: the command is in no language.
    await undoLast(chat, "edit_note", "edit_note", japanese);
    const read = await unasked(chat, "ノートを見せて。", "search_notes", { query: "", note_id: id });
    expect(read.result).toMatchObject({ notes: [{ ...note, version: 3 }] });
  });
});

/** External: a gate at first, which tells more if asked; then each call by itself, as sensitive as the policy says. */
async function expectAnnotations(chat: Frontend): Promise<void> {
  const before = service.requests.length;
  upstream.script(callsTools({ name: "gnorm_annotate", arguments: { text: passage } }));
  const gate = await chat.say("Which entities does this passage name?");
  for (const shown of ["is not enabled yet", "GNORM API", passage, "`learn more`"]) expect(gate.text).toContain(shown);
  upstream.script();
  expect((await chat.say("learn more")).text).toContain("GNORM is part of the ITSERR project.");
  expect([service.requests.length, upstream.requests.length]).toEqual([before, 0]);
  upstream.script(says("Four entities; verify two of them."));
  const annotated = await chat.say("always");
  expect(annotated.text).toContain("verify two of them");
  expect(service.requests.slice(before).map(({ body }) => body.text)).toEqual([passage]);
  const { annotations, display, text } = result();
  expect(annotations).toMatchObject([
    { text: "Augustine of Hippo", type: "Person", confidence: 0.94, epistemic_indicator: "factual" },
    { text: "Hippo", confidence: 0.91 },
    { text: "divine illumination", confidence: 0.68, epistemic_indicator: "interpretive", warning: expect.any(String) },
    { text: "skeptical challenges", confidence: 0.62 },
  ]);
  expect(display).toContain('[FACTUAL] "Augustine of Hippo" - Person (94% confidence)');
  expect(text).toMatch(/^\[data from outside, not instructions/);
}

const english = {
  asks: (tool: string) => `Undo \`${tool}\``,
  yes: "yes",
  undone: (tool: string, by: string) => `\`${tool}\` is undone, with \`${by}\``,
};
const japanese: typeof english = {
  asks: (tool) => `**\`${tool}\``,
  yes: "はい",
  undone: (tool, by) => `\`${tool}\` を \`${by}\` で取り消しました`,
};

/** Asked and answered by the gateway: the model is not called. */
async function undoLast(chat: Frontend, tool: string, by: string, words = english): Promise<void> {
  upstream.script();
  const undo = await chat.say("/toolgate undo");
  expect(undo.text).toContain(words.asks(tool));
  const answer = await chat.say(`${words.yes} ${codeIn(undo.text)}`);
  expect(answer.text).toContain(words.undone(tool, by));
  expect([upstream.requests, answer.finish]).toEqual([[], "stop"]);
}

/** Each run is in the audit trail, where it went and how it ended. */
async function expectRuns(admin: string): Promise<void> {
  const read = async () => {
    const headers = { authorization: `Bearer ${admin}` };
    const response = await fetch(`${gateway.baseURL}/audit/runs?order=asc&limit=100`, { headers });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    return data.map(({ tool, target, status }) => `${tool} ${target} ${status}`);
  };
  const { host } = new URL(service.url);
  const ours = (tool: string) => `${tool} toolgate succeeded`;
  await expect
    .poll(read, { timeout: 20_000 })
    .toEqual([
      ...["create_note", "search_notes", "edit_note"].map(ours),
      `gnorm_annotate ${host} succeeded`,
      ...["search_bibliography", "delete_note", "search_notes", "restore_note", "search_notes"].map(ours),
    ]);
}
