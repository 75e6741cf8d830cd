/**
 * The conversation of reference/human-centered-tool-calling.md through the whole gateway: the official OpenAI client asks
 * and its replies are held, the person answers in the inbox.
 */
import OpenAI from "openai";
import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import policy from "../../policies/research-assistant.json" with { type: "json" };
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../clients/support/upstream.ts";
import { type Gateway, startGateway } from "../clients/support/worker.ts";
import { hasChromium, launch, openPage, phone } from "./chromium.ts";
import { pressApprove } from "./press-approve.ts";
import { shoot } from "./shots.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let browser: Browser;

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

const patient = { ...policy, confirmation: { ...policy.confirmation, timeoutSeconds: 600 } };

const tools = ["search_notes", "create_note", "edit_note", "delete_note", "gnorm_annotate"].map(
  (name): ChatCompletionTool => {
    const declared: object = policy.tools[name as keyof typeof policy.tools];
    const parameters = { type: "object", properties: { note_id: { type: "string" }, content: { type: "string" } } };
    return {
      type: "function",
      function: { name, parameters: ("parameters" in declared ? declared.parameters : parameters) as never },
    };
  },
);

/** A frontend that knows nothing of approvals but the header that holds its replies. */
function chat(apiKey: string) {
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey, maxRetries: 0 });
  const messages: ChatCompletionMessageParam[] = [];
  const headers = { "x-toolgate-session": "ricoeur", "x-toolgate-approvals": "hold" };
  async function send(): Promise<ChatCompletion> {
    const reply = await client.chat.completions.create({ model: "gpt", messages, tools }, { headers });
    const [choice] = reply.choices;
    if (choice) messages.push(choice.message);
    return reply;
  }
  return {
    say(content: string) {
      messages.push({ role: "user", content });
      return send();
    },
    bring(id: string, result: unknown) {
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result) });
      return send();
    },
  };
}

function callOf(reply: ChatCompletion) {
  const [first] = (reply.choices[0]?.message.tool_calls ?? []) as ChatCompletionMessageFunctionToolCall[];
  return {
    id: first?.id ?? "",
    name: first?.function.name,
    arguments: JSON.parse(first?.function.arguments ?? "null"),
  };
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.goto("/console");
  await page.getByLabel("Key or token").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Live", { exact: true }).waitFor();
}

const nothing = (page: Page) => page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();

const passage = "Augustine of Hippo developed his doctrine of divine illumination in response to skeptical challenges.";
const annotate = { name: "gnorm_annotate", arguments: { text: passage, entity_types: ["PERSON", "PLACE"] } };

describe.skipIf(!hasChromium)("the inbox of a real gateway", () => {
  test("answers the reference's conversation from search to the edited outline", { timeout: 180_000 }, async () => {
    const key = await gateway.key({ policy: patient });
    const { page, complaints, strangers } = await openPage(browser, new URL(gateway.baseURL).origin, phone);
    const { say, bring } = chat(key);
    await signIn(page, key);
    await nothing(page);

    // What only reads runs unasked.
    upstream.script(
      callsTools({ name: "search_notes", arguments: { query: "hermeneutical circle" } }),
      says("Found 3 relevant notes."),
    );
    const searched = callOf(await say("Search my notes for the hermeneutical circle."));
    expect(searched.name).toBe("search_notes");
    await bring(searched.id, { notes: 3 });

    const note = { title: "Gadamer on Horizon Fusion", content: "Horizons fuse.", tags: ["gadamer", "horizon"] };
    upstream.script(callsTools({ name: "create_note", arguments: note }), says("The note is made."));
    const noting = say("Write a note that sums up our discussion of Gadamer's horizon.");
    const card = page.getByRole("article");
    await card.filter({ hasText: "Gadamer on Horizon Fusion" }).waitFor();
    await shoot(page, "conversation-1-note");
    await pressApprove(card);
    const noted = callOf(await noting);
    expect(noted).toMatchObject({ name: "create_note", arguments: note });
    expect(upstream.requests).toHaveLength(1);
    await bring(noted.id, { note_id: "note_1" });

    upstream.script(callsTools(annotate), says("Four entities."));
    const annotating = say("Annotate this passage.");
    await card.filter({ hasText: "gnorm_annotate" }).waitFor();
    await shoot(page, "conversation-2-gate");
    expect(await card.getByRole("button", { name: "Edit" }).count()).toBe(0);
    await pressApprove(card);
    const annotated = callOf(await annotating);
    expect(annotated.arguments).toEqual(annotate.arguments);
    await bring(annotated.id, { annotations: 4 });

    // The gate is open; a sensitive call still asks, until it is allowed.
    upstream.script(callsTools(annotate), says("The same four."));
    const again = say("And once more.");
    await card.getByRole("button", { name: "Always allow" }).click();
    await shoot(page, "conversation-3-grant");
    await page.getByRole("button", { name: "Approve and allow" }).click();
    const repeated = callOf(await again);
    expect(repeated.name).toBe("gnorm_annotate");
    await bring(repeated.id, { annotations: 4 });
    upstream.script(callsTools(annotate), says("Still four."));
    const unasked = callOf(await say("A third time."));
    expect(unasked.name).toBe("gnorm_annotate");
    await bring(unasked.id, { annotations: 4 });

    const outline = {
      note_id: "note_7",
      title: "Ricoeur Chapter Outline",
      old_text: "Section 3.4: (to be written)",
      new_text: "Section 3.4: Distance",
    };
    upstream.script(callsTools({ name: "edit_note", arguments: outline }), says("The outline is updated."));
    const editing = say("Add a section on distanciation to the outline.");
    await card.filter({ hasText: "Section 3.4: Distance" }).waitFor();
    await shoot(page, "conversation-4-outline");
    await card.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("new_text").fill("Section 3.4: Distanciation and Critical Distance");
    await shoot(page, "conversation-4-edit");
    await page.getByRole("button", { name: "Approve as edited" }).click();
    const edited = callOf(await editing);
    expect(edited.arguments).toEqual({ ...outline, new_text: "Section 3.4: Distanciation and Critical Distance" });
    await bring(edited.id, { ok: true });

    upstream.script(callsTools({ name: "delete_note", arguments: { note_id: "note_1" } }), says("Then it stays."));
    const deleting = say("Remove the first note.");
    await card.getByRole("button", { name: "Deny" }).click();
    await page.getByLabel("Why not?").fill("I still need it.");
    await page.getByRole("button", { name: "Deny" }).click();
    expect((await deleting).choices[0]?.message.content).toBe("Then it stays.");
    expect(JSON.stringify(upstream.requests[1]?.body.messages)).toContain("I still need it.");
    await nothing(page);

    await page.getByRole("link", { name: "History" }).click();
    await expect
      .poll(() => page.locator(".badge").allTextContents())
      .toEqual(["denied", "approved, edited", "approved", "approved", "approved"]);
    await shoot(page, "conversation-5-answered");

    await page.getByRole("link", { name: "Allowed" }).click();
    const withdraw = page.getByRole("button", { name: "Withdraw gnorm_annotate" });
    await expect.poll(() => withdraw.count()).toBe(2);
    await shoot(page, "conversation-6-allowed");
    await withdraw.first().click();
    await expect.poll(() => withdraw.count()).toBe(1);
    await withdraw.click();
    await page.getByText("No external service is enabled.").waitFor();
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  test("says at its field what the gateway finds wrong with an edit", async () => {
    const key = await gateway.key({ policy: patient });
    const { page } = await openPage(browser, new URL(gateway.baseURL).origin, phone);
    await signIn(page, key);
    const note = { title: "T", content: "C", tags: ["one"] };
    upstream.script(callsTools({ name: "create_note", arguments: note }), says("no"));
    const noting = chat(key).say("Write a note.");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("title").fill("../../../etc/passwd");
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByText("which the policy guards against").waitFor();
    expect(await page.getByLabel("title").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("title").fill("Better");
    await page.getByRole("button", { name: "Approve as edited" }).click();
    expect(callOf(await noting).arguments).toEqual({ ...note, title: "Better" });
  });

  test("shows an operator what waits in the tenant, who may deny it", async () => {
    const key = await gateway.key({ policy: patient });
    const operator = await gateway.key({ role: "admin", tenantOf: key });
    const { page } = await openPage(browser, new URL(gateway.baseURL).origin, phone);
    await signIn(page, operator);
    await nothing(page);
    upstream.script(
      callsTools({ name: "edit_note", arguments: { note_id: "note_7", title: "T", old_text: "a", new_text: "b" } }),
      says("Then not."),
    );
    const editing = chat(key).say("Change the outline.");
    await upstream.arrival();
    await page.getByLabel("Everybody's").check();
    await page.getByText("asked of ada").waitFor();
    expect(await page.getByRole("button", { name: /Approve|Always/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    expect((await editing).choices[0]?.message.content).toBe("Then not.");
    await page.getByRole("heading", { name: "Nothing waits for anybody." }).waitFor();
  });
});
