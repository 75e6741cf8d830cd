/**
 * The conversation of reference/human-centered-tool-calling.md in a frontend that knows nothing of approvals: its replies are
 * held, the person answers in the inbox, on a phone and at a desk; the tools do what they say.
 */
import OpenAI from "openai";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import policy from "../../policies/research-assistant.json" with { type: "json" };
import { type Frontend, openFrontend } from "../clients/support/frontend.ts";
import { deskTools, openDesk, passage, type ResearchDesk } from "../clients/support/research-desk.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../clients/support/upstream.ts";
import { type Gateway, startGateway } from "../clients/support/worker.ts";
import { desktop, hasChromium, launch, openPage, phone } from "./chromium.ts";
import { pressApprove } from "./press-approve.ts";
import { shoot } from "./shots.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let browser: Browser;
let desk: ResearchDesk;

beforeAll(async () => {
  if (!hasChromium) return;
  upstream = await startUpstream();
  [gateway, browser] = await Promise.all([startGateway({ upstream: upstream.url }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk?.stop());

/** Half a minute is short for a machine that has other work. */
const patient = { ...policy, confirmation: { ...policy.confirmation, timeoutSeconds: 600 } };

const openChat = (apiKey: string, stream: boolean): Frontend =>
  openFrontend({
    client: new OpenAI({ baseURL: gateway.baseURL, apiKey, maxRetries: 0 }),
    tools: deskTools,
    stream,
    run: desk.run,
    modelCalls: () => upstream.requests.length,
    headers: { "x-toolgate-approvals": "hold" },
  });

async function openInbox(key: string, options: typeof phone) {
  const opened = await openPage(browser, new URL(gateway.baseURL).origin, options);
  const { page } = opened;
  await page.goto("/console");
  await page.getByLabel("Key or token").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Live", { exact: true }).waitFor();
  return opened;
}

const told = (): string => JSON.stringify(upstream.requests.at(-1)?.body.messages);
const cardOf = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });
const nothing = (page: Page) => page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();

const gadamer = { title: "Gadamer", content: "Understanding is the fusion of horizons.", tags: ["gadamer"] };
const outline = {
  note_id: "n7",
  title: "Ricoeur Chapter Outline",
  old_text: "3.3 Metaphor",
  new_text: "3.3 Metaphor\n3.4 Distanciation and Critical Distance",
};
const annotates = (text: string) => callsTools({ name: "gnorm_annotate", arguments: { text } });

describe.skipIf(!hasChromium).each([
  ["phone", phone, true],
  ["desktop", desktop, false],
] as const)("on a %s", (device, options, stream) => {
  const name = (step: string) => `held-${device}-${step}`;

  test("the reference's conversation is answered in the inbox", { timeout: 180_000 }, async () => {
    const key = await gateway.key({ policy: patient });
    const chat = openChat(key, stream);
    const { page, complaints, strangers } = await openInbox(key, options);
    await nothing(page);

    upstream.script(
      callsTools({ name: "search_notes", arguments: { query: "circle" } }),
      says("Found 3 relevant notes."),
    );
    expect((await chat.say("Search my notes for the circle.")).text).toContain("Found 3 relevant notes.");

    upstream.script(callsTools({ name: "create_note", arguments: gadamer }), says("The note is there."));
    const noting = chat.say("Create a note that sums up our discussion of Gadamer's horizon.");
    const note = cardOf(page, "a note Gadamer");
    await note.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("title").fill("Gadamer on Horizon Fusion");
    await shoot(page, name("1-note-edited"));
    expect(chat.ran).toEqual([]);
    await page.getByRole("button", { name: "Approve as edited" }).click();
    expect((await noting).text).toBe("The note is there.");
    const title = "Gadamer on Horizon Fusion";
    expect(chat.ran).toEqual([{ tool: "create_note", args: { ...gadamer, title }, modelCalls: 1 }]);
    expect(desk.notes.get("n11")).toEqual({ ...gadamer, title });

    upstream.script(annotates(passage), says("Three entities."));
    const annotating = chat.say("Which entities does this passage name?");
    const gate = cardOf(page, "not enabled yet");
    await gate.getByText("Data goes to the GNORM API").first().waitFor();
    await gate
      .getByText(/learn more|more about/i)
      .first()
      .click();
    await gate.getByText("ITSERR project").waitFor();
    await shoot(page, name("2-gate"));
    expect([await gate.getByRole("button", { name: "Edit" }).count(), desk.sent]).toEqual([0, []]);
    await gate.getByLabel(/^Also enable gnorm_annotate/).check();
    await pressApprove(gate);
    expect((await annotating).text).toBe("Three entities.");
    expect([chat.ran.map(({ modelCalls }) => modelCalls), desk.sent]).toEqual([[1], [passage]]);

    upstream.script(annotates("Monica wept."), says("One."));
    const second = chat.say("And this one: Monica wept.");
    const plain = cardOf(page, "Monica wept.");
    await plain.waitFor();
    expect(await plain.getByText("not enabled yet").count()).toBe(0);
    await shoot(page, name("3-again"));
    await pressApprove(plain);
    await second;
    expect(desk.sent).toEqual([passage, "Monica wept."]);

    upstream.script(callsTools({ name: "edit_note", arguments: outline }), says("The outline has its section."));
    const editing = chat.say("Add a section on distanciation to my outline.");
    const changes = cardOf(page, "Ricoeur Chapter Outline");
    await changes.getByText("3.4 Distanciation and Critical Distance").first().waitFor();
    await shoot(page, name("4-outline"));
    await pressApprove(changes);
    expect((await editing).text).toBe("The outline has its section.");
    expect(chat.ran).toEqual([{ tool: "edit_note", args: outline, modelCalls: 1 }]);
    expect(desk.notes.get("n7")?.content).toContain("3.4 Distanciation");

    upstream.script(callsTools({ name: "delete_note", arguments: { note_id: "n3" } }), says("Then it stays."));
    const deleting = chat.say("Tidy up my notes on method.");
    await cardOf(page, "cannot be undone").getByRole("button", { name: "Deny" }).click();
    await page.getByLabel("Why not?").fill("I still need it.");
    await shoot(page, name("5-no"));
    await page.getByRole("button", { name: "Deny" }).click();
    expect([(await deleting).text, chat.ran, desk.notes.has("n3")]).toEqual(["Then it stays.", [], true]);
    expect(told()).toContain("I still need it.");
    await nothing(page);
    await page.getByRole("link", { name: "History" }).click();
    await expect.poll(() => page.locator(".badge").count()).toBe(5);
    await shoot(page, name("6-answered"));
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  test("a connection that is lost while it is held loses nothing", async () => {
    const key = await gateway.key({ policy: patient });
    const { page } = await openInbox(key, options);
    const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: key, maxRetries: 0 });
    const headers = { "x-toolgate-approvals": "hold", "x-toolgate-session": "lost" };
    const messages = [{ role: "user" as const, content: "Make a note of Gadamer." }];
    const ask = (signal?: AbortSignal) =>
      client.chat.completions.stream({ model: "gpt", messages, tools: deskTools }, { headers, signal }).finalMessage();
    upstream.script(callsTools({ name: "create_note", arguments: gadamer }));
    const connection = new AbortController();
    const lost = ask(connection.signal).catch(() => "lost");
    const card = cardOf(page, "a note Gadamer");
    await card.waitFor();
    connection.abort();
    expect(await lost).toBe("lost");
    // The question stays, and the client asks again as clients do.
    const retried = ask();
    await pressApprove(card);
    const { tool_calls: calls } = (await retried) as { tool_calls?: { function: { arguments: string } }[] };
    expect(calls?.map((call) => JSON.parse(call.function.arguments))).toEqual([gadamer]);
    await nothing(page);
    // Its answer may be lost, too: the very same call comes again, and nobody is asked.
    expect(await ask()).toMatchObject({ tool_calls: calls });
    expect(upstream.requests).toHaveLength(1);
    expect(await page.getByRole("article").count()).toBe(0);
  });
});
