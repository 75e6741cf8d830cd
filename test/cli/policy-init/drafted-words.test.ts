/** Whether the words of a drafted policy hear what users ask of its tools. */
import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { createDetector } from "../../../src/intent/detect.ts";
import { checkPolicy } from "../../../src/policy/check.ts";

const tool = (name: string, description: string, ...names: string[]) => ({
  name,
  description,
  parameters: { type: "object", properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])) },
});

const tools = [
  tool("read_channel", "Read the messages of a channel.", "channel"),
  tool("send_dm", "Send a direct message to a person.", "recipient", "body"),
  tool("post_to_channel", "Send a message to a channel.", "channel", "body"),
  tool("remove_member", "Remove a user from the workspace.", "user"),
  tool("open_page", "Returns the content of a page.", "url"),
  tool("publish_page", "Publish a page.", "url", "content"),
  tool("book_hotel", "Book a hotel.", "hotel", "start_day"),
  tool("book_table", "Reserves a table in a restaurant.", "restaurant", "time"),
  tool("checkout", "Place the order of the cart.", "payment_method_id"),
  tool("rollback_release", "Roll a service back.", "service", "version"),
  tool("create_ticket", "Open a ticket.", "title"),
  tool("edit_ticket", "Update a ticket.", "ticket_id", "priority"),
  tool("comment_on_ticket", "Comment on a ticket.", "ticket_id", "body"),
  tool("update_password", "Update the user password.", "password"),
];

async function toolsFor(text: string, drafted = tools): Promise<readonly string[]> {
  const { document } = draftPolicy(drafted, "drafted");
  const checked = checkPolicy(document, "v");
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  const unasked = async () => ({ missed: "absent" as const });
  const detector = createDetector({ slow: { semantic: unasked, model: unasked }, onMissed: () => undefined });
  const { policy } = checked.value;
  const { intents } = await detector.detect(policy, { text, assistant: undefined }, new AbortController().signal);
  return intents.flatMap(({ name }) => checked.value.document.intents[name]?.tools ?? []);
}

describe("the words of a drafted policy", () => {
  it.each([
    ["Send Hannah the link that Tom posted in general.", "send_dm"],
    ["Tell the new colleague that lunch is at 12.", "send_dm"],
    ["Check the channel and let Hannah know when we meet.", "send_dm"],
    ["Ask the seller whether it has a warranty.", "send_dm"],
    ["Put the day of the meeting in the random channel.", "post_to_channel"],
    ["Find the channel with most people and post there: who is in?", "post_to_channel"],
    ["Summarize www.news.example and post the summary of the article in the random channel.", "open_page"],
    ["Put the names of all guests on our website www.guests.example.", "publish_page"],
    ["Remove Tom from the workspace, he broke the rules.", "remove_member"],
    ["Summarize https://news.example/a for me.", "open_page"],
    ["Please make a reservation at Riverside View from Monday on.", "book_hotel"],
    ["Reserve a table at Chez Lune for two.", "book_table"],
    ["Buy what is in my cart.", "checkout"],
    ["Look for a hotel in Lisbon that has a pool, and book it for Dana.", "book_hotel"],
    ["Show me what people say of Chez Lune. If it's liked, reserve the Chez Lune for Monday.", "book_table"],
    ["Post the summary in general, then write to Tom that it is there.", "send_dm"],
    ["Kick Tom out of the workspace, he is no longer a member.", "remove_member"],
    ["Roll payments back to version 2.", "rollback_release"],
    ["Find all mails about the login and file a ticket that sums them up.", "create_ticket"],
    ["If the ticket is blocked, bump its priority to high.", "edit_ticket"],
    ["Read ticket 41 and reply that a fix ships on Monday.", "comment_on_ticket"],
    // A value in quotation marks is nobody's words.
    [
      "Check the visits. After that, if anything is off, even just a little bit, please be sure to update the password to 'v_2'.",
      "update_password",
    ],
  ])("%s: %s", async (text, name) => {
    expect(await toolsFor(text)).toContain(name);
  });

  it.each([
    ["Tell me what Tom wrote in general.", "send_dm"],
    ["Send Hannah the link.", "publish_page"],
    ["Post the summary of the article in the random channel.", "publish_page"],
    ["Summarize the direct message from Tom.", "send_dm"],
    ["Find a hotel in Lisbon. Looking forward to it, thank you so much!", "send_dm"],
    ["What does the page say about hotels?", "book_hotel"],
    ["Find a hotel in Lisbon and book it.", "book_table"],
    ["Reserve a table at Chez Lune for two.", "book_hotel"],
    ["The hotel that we had was awful, and the table was too.", "book_hotel"],
  ])("%s: not %s", async (text, name) => {
    expect(await toolsFor(text)).not.toContain(name);
  });

  it.each([
    "What does the last message from Tom say?",
    "Show me the booking of the Ritz",
    "Any reply from Hannah?",
    "Read the ticket about the release",
    "What did the post in general say?",
    "Give me the comments of ticket 41",
  ])("%s: no act", async (text) => {
    const acts = (await toolsFor(text)).filter((name) => !name.startsWith("category:") && name !== "open_page");
    expect(acts).toEqual([]);
  });
});

describe("the words of a drafted policy with one tool that sends and one that pays", () => {
  const few = [
    tool("search_emails", "Searches the emails and returns them.", "query"),
    tool("send_email", "Sends an email.", "recipients", "body"),
    tool("send_money", "Sends money to an account.", "recipient", "amount"),
  ];

  it.each([
    ["What does the last email from Jo say?", []],
    ["Read the last email from Jo", []],
    ["Tell me what the mail from Jo says", []],
    ["What's in the email Bob sent?", []],
    ["Show me the transfer to Anna", []],
    ["What is the refund for order 12?", []],
    ["Email Bob the summary", ["send_email"]],
    ["can you email the report to bob@corp.example?", ["send_email"]],
    ["Read the last email from Jo and reply", ["send_email"]],
    ["Make a transfer to Anna", ["send_money"]],
    ["let's refund Anna", ["send_money"]],
  ])("%s: %j", async (text, acts) => {
    expect((await toolsFor(text, few)).filter((name) => !name.startsWith("category:"))).toEqual(acts);
  });
});

describe("the words of a drafted policy with one tool for messages and one for mail", () => {
  const both = [
    tool("send_sms", "Sends a text message.", "phone", "text"),
    tool("send_email", "Sends an email.", "to", "body"),
  ];

  it.each([
    ["text Weber that it is ready", ["send_sms"]],
    ["tell Weber he can come", ["send_sms"]],
    ["let Weber know", ["send_sms"]],
    ["send Weber a text", ["send_sms"]],
    ["send the plan to Weber", ["send_sms"]],
    ["send dana@corp.example the plan", ["send_email"]],
    ["send the plan to dana@corp.example and wait", ["send_email"]],
    ["mail him the plan", ["send_email"]],
    ["reply to the email from Dana", ["send_email"]],
  ])("%s: %j", async (text, acts) => {
    expect((await toolsFor(text, both)).filter((name) => !name.startsWith("category:"))).toEqual(acts);
  });
});

describe("the words of tools whose names begin with a noun", () => {
  const choosing = (name: string, description: string, argument: string, choices: readonly string[]) => ({
    ...{ name, description },
    parameters: {
      type: "object",
      properties: { [argument]: { type: "string", enum: choices }, id: { type: "string" } },
    },
  });
  const nounsFirst = [
    tool("channels_list", "List the channels."),
    tool("channels_archive", "Archive a channel.", "channel_id"),
    tool("channels_invite", "Invite users to a channel.", "channel_id", "users"),
    tool("conversations_add_message", "Add a message to a channel.", "channel_id", "text"),
    tool("reactions_add", "Add an emoji reaction to a message.", "channel_id", "emoji"),
    tool("create_invoice", "Create an invoice.", "customer"),
    tool("create_refund", "Refund a payment.", "payment_id"),
    tool("create_payment_link", "Create a payment link.", "price_id"),
    choosing("actions_run", "Trigger an operation of a workflow.", "method", ["run_workflow", "rerun_failed_jobs"]),
    tool("labels_modify", "Adds or removes labels of a mail. To snooze a mail, add the label LATER.", "message_id"),
    tool("kinds_scale", "Scale a resource (e.g., deployment, statefulset).", "name"),
  ];

  it.each([
    ["archive #old-project, nobody uses it any more", "channels_archive"],
    ["post in #general that the office is closed", "conversations_add_message"],
    ["react with a thumbs up to the last message", "reactions_add"],
    ["invite Mia to the channel", "channels_invite"],
    ["invoice cus_9 for the Pro plan, due in 14 days", "create_invoice"],
    ["refund pi_123", "create_refund"],
    ["ok rerun the failed jobs", "actions_run"],
    ["snooze the mail of today", "labels_modify"],
    ["scale the statefulset web to 3", "kinds_scale"],
  ])("%s: %s", async (text, name) => {
    expect(await toolsFor(text, nounsFirst)).toContain(name);
  });

  it.each([
    ["post in #general that the office is closed", "channels_invite"],
    ["refund pi_123", "create_payment_link"],
    ["refund pi_123", "create_invoice"],
    ["what is the reaction to the last message?", "reactions_add"],
  ])("%s: not %s", async (text, name) => {
    expect(await toolsFor(text, nounsFirst)).not.toContain(name);
  });
});
