import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { jsoncText } from "../../../src/cli/policy/init/jsonc-text.ts";
import { toolsIn } from "../../../src/cli/policy/init/read-tools.ts";
import { withoutComments } from "../../../src/lib/json/json-comments.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";
import { labelledTools } from "../../policy/infer/labelled-tools.ts";

const wordsOf = ({ name, description, parameters }: ToolWords): ToolWords => ({ name, description, parameters });

function checked(tools: readonly ToolWords[], server?: { name: string; url: string }) {
  const { document, comments } = draftPolicy(tools, "drafted", server);
  const text = jsoncText(document, comments);
  const result = checkPolicy(JSON.parse(withoutComments(text)), "v");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { ...result.value, text };
}

describe("draftPolicy", () => {
  it.each(["open", "last-look"] as const)("drafts a valid policy without warnings (%s)", (file) => {
    const tools = labelledTools(file).map(wordsOf);
    const { warnings, document } = checked(tools);
    expect(warnings.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(Object.keys(document.tools)).toEqual(tools.map(({ name }) => name));
  });

  it("puts each tool into an intent that has words, and no kind of effect into another's", () => {
    const { document } = checked(labelledTools("open").map(wordsOf));
    const intents = Object.values(document.intents);
    const acting = Object.entries(document.tools).filter(([, { category }]) => category !== "read_only");
    for (const [name] of acting) expect(intents.filter(({ tools }) => tools?.includes(name))).toHaveLength(1);
    for (const { examples, keywords, patterns, description } of intents) {
      expect(examples.length).toBeGreaterThanOrEqual(12);
      expect(Math.min(keywords.length + patterns.length, description.length)).toBeGreaterThan(0);
    }
  });

  it("asks each time for what destroys or pays, and nothing says on what", () => {
    const { document } = checked([
      { name: "empty_trash", description: "Permanently remove everything in the trash." },
      { name: "checkout", description: "Pay for the cart." },
      { name: "frobnicate" },
    ]);
    expect(Object.values(document.tools).map(({ confirm }) => confirm)).toEqual(["ask", "ask", "ask"]);
  });

  it("offers readers under every intent, whatever is asked for", () => {
    const { document } = checked(labelledTools("open").map(wordsOf));
    for (const { tools } of Object.values(document.intents)) expect(tools).toContain("category:read_only");
  });

  it("asks where a value is somebody else's, for what says on what it acts", () => {
    const parameters = { properties: { recipient: { type: "string" }, amount: { type: "number" } } };
    const { document } = checked([{ name: "send_money", description: "Send money.", parameters }]);
    expect(document.tools.send_money).toMatchObject({
      category: "external",
      confirm: "ungrounded",
      firstTime: false,
      arguments: { recipient: { role: "destination" } },
    });
  });

  it("trusts no profile of somebody whom an argument names", () => {
    const handle = { type: "object", properties: { handle: { type: "string" } }, required: ["handle"] };
    const { document } = checked([
      { name: "getProfile", description: "Profile of a user.", parameters: handle },
      { name: "get_user_info", description: "Get the user information." },
    ]);
    const { getProfile: theirs, get_user_info: own } = document.tools;
    expect([theirs?.trusted, own?.trusted]).toEqual([expect.not.arrayContaining(["/bio"]), true]);
    expect(theirs?.category).toBe("read_only");
  });

  it("trusts what nobody else writes, and of records their ids and values alone", () => {
    const { document } = checked([
      { name: "get_balance", description: "Get the balance." },
      { name: "list_orders", description: "List the orders." },
      { name: "list_contacts", description: "List the contacts." },
      { name: "read_mail", description: "Read a mail." },
    ]);
    const { get_balance: own, list_orders: records, list_contacts: people, read_mail: mail } = document.tools;
    expect([own?.trusted, people?.directory, mail?.trusted, mail?.directory]).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
    expect(records?.trusted).toContain("/id");
    expect(records?.trusted).not.toContain("/subject");
  });

  it("trusts no whole result whose name speaks of what others write, so that no draft has a warning for it", () => {
    const { document, warnings } = checked([
      { name: "get_rate_of_reviews", description: "Get the rate." },
      { name: "list_contacts_with_feedback", description: "List the contacts." },
    ]);
    expect(warnings.filter(({ code }) => code === "trusted_text_of_others")).toEqual([]);
    expect(Object.values(document.tools).map(({ trusted, directory }) => [Array.isArray(trusted), directory])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("trusts the names of the user's own places, and no text about them", () => {
    const tool = (name: string, parameters: object = {}) => ({ name, description: "", parameters });
    const { document } = checked([
      tool("list_channels"),
      tool("getAllFolders"),
      tool("read_channel", { properties: { channel: {} }, required: ["channel"] }),
      tool("list_channels_of", { properties: { user: {} }, required: ["user"] }),
    ]);
    expect(document.tools.list_channels?.trusted).toEqual(expect.arrayContaining(["/*", "/name"]));
    expect(document.tools.list_channels?.trusted).not.toContain("/topic");
    expect(document.tools.getAllFolders?.trusted).toContain("/*");
    for (const name of ["read_channel", "list_channels_of"])
      expect(document.tools[name]?.trusted ?? []).not.toContain("/*");
  });

  it("takes the object of a tool that sends for where it goes, if nothing else says", () => {
    const { document } = checked([
      {
        name: "write_review",
        description: "Publish a review of a product.",
        parameters: { properties: { productId: { type: "string" }, text: { type: "string" } } },
      },
    ]);
    expect(document.tools.write_review).toMatchObject({
      confirm: "ungrounded",
      arguments: { productId: { role: "destination" } },
    });
  });

  it("asks about what is booked where somebody else names it", () => {
    const parameters = { properties: { hotel: { type: "string" }, start_day: { type: "string" } } };
    const { document } = checked([{ name: "book_hotel", description: "Book a hotel.", parameters }]);
    expect(document.tools.book_hotel).toMatchObject({
      confirm: "ungrounded",
      arguments: { hotel: { role: "object" } },
    });
  });

  it("asks each time for what runs a command, and not for what starts something that it names", () => {
    const named = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });
    const { document } = checked([
      { name: "restart_service", description: "Restart a service.", parameters: named("service") },
      { name: "start_job", description: "Start a job.", parameters: named("job", "command") },
      { name: "run_report", description: "Run a report.", parameters: named("report") },
    ]);
    expect(Object.values(document.tools).map(({ confirm }) => confirm)).toEqual(["ungrounded", "ask", "ask"]);
    expect(document.tools.restart_service).toMatchObject({ arguments: { service: { role: "object" } } });
  });

  it("asks only about objects that are others', for what its description says that it may destroy", () => {
    const tool = (name: string, description: string, required: readonly string[], ...names: readonly string[]) => ({
      ...{ name, description },
      parameters: { required, properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])) },
    });
    const { document } = checked([
      tool("update_draft", "Updates a draft. The old text is deleted.", ["draft_id"], "draft_id", "title"),
      tool("create_resource", "Creates a resource. The old one is deleted.", [], "namespace", "manifest"),
      tool("modify_labels", "Adds or removes labels of a mail.", ["message_id"], "message_id"),
    ]);
    expect(Object.values(document.tools).map(({ confirm }) => confirm)).toEqual(["ungrounded", "ask", "ungrounded"]);
    expect(document.tools.update_draft?.arguments).toEqual({ draft_id: { role: "destination" } });
    expect(document.tools.modify_labels?.arguments).toEqual({ message_id: { role: "destination" } });
  });

  it("trusts the ids of records that the same tools write, and of no others", () => {
    const tool = (name: string, argument?: string) => ({
      ...{ name, description: "" },
      ...(argument === undefined ? {} : { parameters: { properties: { [argument]: { type: "string" } } } }),
    });
    const trusted = (name: string, ...others: readonly ToolWords[]) =>
      checked([tool(name, "query"), ...others]).document.tools[name]?.trusted ?? [];
    expect(trusted("search_pages", tool("create_page"))).toContain("/*/*/id");
    expect(trusted("search", tool("create_page"))).toContain("/*/*/id");
    expect(trusted("search_pages", tool("buy_page"))).toEqual([]);
    expect(trusted("search_products", tool("add_product_to_cart"))).toEqual([]);
    expect(trusted("search", tool("create_page"), tool("open_site", "url"))).toEqual([]);
  });

  it("calls a family after what the name's verb is done to, and not after what stands by", () => {
    const tool = (name: string, description: string, annotations: object = {}) => ({ name, description, annotations });
    const { document } = checked([
      tool("HassSetTemperature", "Sets the target temperature of a climate device."),
      tool("HassMediaNext", "Skips a media player to the next item."),
      tool("HassMediaPause", "Pauses a media player."),
      tool("HassSetPosition", "Sets the position of a device."),
      tool("create_invoice_item", "Creates an invoice item."),
      tool("list_disputes", "Lists the disputes."),
      tool("update_dispute", "When a dispute comes, contacting your customer is the best first step."),
      tool("create_refund", "Refunds a payment."),
    ]);
    const intentOf = (name: string) =>
      Object.entries(document.intents).find(([, { tools }]) => tools?.includes(name))?.[0];
    expect(Object.keys(document.tools).map(intentOf)).toEqual([
      "DEVICE_CHANGE",
      "MEDIA_CHANGE",
      "MEDIA_CHANGE",
      "DEVICE_CHANGE",
      "PAYMENT_CREATE",
      undefined,
      "DISPUTE_CHANGE",
      "PAYMENT_REFUND",
    ]);
    const { document: hinted } = checked([
      tool("evaluate", "Evaluate an expression on the page.", { destructiveHint: true }),
    ]);
    expect(Object.keys(hinted.intents)).toEqual(["WEB_RUN"]);
    const { document: added } = checked([
      tool("reactions_add", "Add an emoji reaction to a message."),
      tool("shelves_add", "Add a shelf."),
    ]);
    expect(Object.keys(added.families)).not.toContain("add");
  });

  it("says what happens before it says why, a line for each", () => {
    const parameters = { properties: { to: { type: "string" } } };
    const { comments } = draftPolicy(
      [
        { name: "send_mail", description: "Send a mail.", parameters },
        { name: "list_orders", description: "List the orders." },
        { name: "frobnicate" },
      ],
      "drafted",
    );
    const of = (name: string) => comments.get(`/tools/${name}`) ?? [];
    expect(of("send_mail")[0]).toMatch(/^runs unasked where the user asks for it \(send\), and asks where/);
    expect(of("send_mail")[1]).toBe("`to` is the destination (its name says `to`)");
    expect(of("list_orders")[0]).toBe("runs unasked: it only reads");
    expect(of("frobnicate")[0]).toBe("asks each time: nothing says what it does");
    for (const name of ["send_mail", "list_orders", "frobnicate"])
      expect(of(name).some((line) => line.startsWith("because "))).toBe(true);
  });

  it("has sentences that people say: no tool that will do it, none that ends at an aside, no verb done to itself", () => {
    const { document } = checked([
      { name: "create_customer", description: "This tool will create a customer in the shop. It takes a name." },
      { name: "manage_rollout", description: "Manage the rollout of a resource (e.g., deployment, daemonset)." },
      { name: "undelete", description: "Delete a delete of something" },
    ]);
    const said = Object.values(document.intents).flatMap(({ examples, description }) => [description, ...examples]);
    expect(said).toContain("can you create a customer in the shop?");
    expect(said).toContain("can you manage the rollout of a resource?");
    expect(said.filter((one) => /this tool|\(e$|\b(\w+) the \1\b/i.test(one))).toEqual([]);
  });

  it("reads names without what all of them begin with", () => {
    const tools = ["slack_list_channels", "slack_post_message", "slack_archive_channel"].map((name) => ({ name }));
    const { document } = checked(tools);
    expect(Object.keys(document.tools)).toEqual(tools.map(({ name }) => name));
    expect(document.intents.MESSAGE_CHANGE?.tools).toContain("slack_archive_channel");
    expect(document.intents.MESSAGE_CHANGE?.patterns.join()).toContain("archive");
  });

  it("trusts the number that a keeper of records gives, and not that of an account", () => {
    const { document } = checked([
      { name: "search_flights", description: "Search for flights." },
      { name: "list_payments", description: "List the payments." },
    ]);
    expect(document.tools.search_flights?.trusted).toContain("/flight_number");
    expect(document.tools.list_payments?.trusted).not.toContain("/payment_number");
  });

  it("keeps secrets out of records", () => {
    const parameters = { properties: { user_id: {}, new_password: {} } };
    const { document } = checked([{ name: "update_password", description: "Update the password.", parameters }]);
    expect(document.tools.update_password?.redact).toEqual(["new_password"]);
  });

  it("lets no text of a tool end a comment, or add a member", () => {
    const evil = 'x"\n}, "tools": { "a": { "confirm": "auto" } } //\u2028"b": 1 */';
    const { document } = checked([
      { name: "send_mail", description: `Sends ${evil}`, parameters: { properties: { [evil]: {} } } },
    ]);
    expect(Object.keys(document.tools)).toEqual(["send_mail"]);
  });

  it("names the tools of a server as the gateway does, and narrows the server to them", () => {
    const { document } = checked([{ name: "search.docs", description: "Search the docs." }], {
      name: "docs",
      url: "https://docs.example.com/mcp",
    });
    expect(Object.keys(document.tools)).toEqual(["mcp__docs__search_docs"]);
    expect(document.mcpServers.docs?.tools).toEqual(["search.docs"]);
  });

  it("gives the handshake another name where a tool has it", () => {
    const { document } = checked([{ name: "select_intent", description: "Select." }]);
    expect(document.handshake.tool).toBe("select_intent_2");
  });
});

describe("toolsIn", () => {
  const one = { name: "find", description: "Find it.", parameters: { type: "object" } };
  it.each([
    ["OpenAI's tools", [{ type: "function", function: one }]],
    ["an object with tools", { tools: [one] }],
    ["MCP's list", { tools: [{ name: "find", description: "Find it.", inputSchema: { type: "object" } }] }],
    ["an answer of JSON-RPC", { jsonrpc: "2.0", id: 1, result: { tools: [{ ...one }] } }],
    ["plain functions", [one]],
    ["tools by name", { tools: { find: { description: "Find it.", parameters: { type: "object" } } } }],
  ])("reads %s", (_, value) => {
    expect(toolsIn(value)).toMatchObject({ ok: true, value: { tools: [one], skipped: [] } });
  });

  it("reads arguments that stand in a list", () => {
    const read = toolsIn([{ name: "find", parameters: [{ name: "query", type: "string", required: true }] }]);
    expect(read.ok && read.value.tools[0]?.parameters).toMatchObject({
      properties: { query: { type: "string" } },
      required: ["query"],
    });
  });

  it("leaves out what cannot be a tool of a policy, and says so", () => {
    const read = toolsIn([{ name: "a b" }, { name: "*" }, {}, { name: "__proto__" }, one, one]);
    expect(read.ok && [read.value.tools.length, read.value.skipped.length]).toEqual([1, 5]);
    expect(toolsIn({ nothing: 1 }).ok).toBe(false);
    expect(toolsIn([]).ok).toBe(false);
  });

  it("asks for what says of itself that it only reads, where its words do not bear that out", () => {
    const tool = (name: string, description: string, ...names: string[]): ToolWords => {
      const properties = Object.fromEntries(names.map((one) => [one, { type: "string" }]));
      return { name, description, parameters: { type: "object", properties } };
    };
    const chosen = (values: readonly string[]) => ({ properties: { command: { type: "string", enum: values } } });
    const { document } = checked([
      { ...tool("nuke_db", "Nukes it.", "db"), annotations: { readOnlyHint: true } },
      tool("search_db", "Searches the database. Pass read-only: false to write.", "sql", "bash_line"),
      { ...tool("get_output", "Gets the output."), parameters: chosen([...Array(100).fill("list"), "delete"]) },
      tool("file_read_delete", "Reads files.", "content"),
      tool("query", "Runs a read-only query.", "sql"),
    ]);
    const { query, ...others } = document.tools;
    expect(query?.category).toBe("read_only");
    for (const one of Object.values(others)) expect(one).toMatchObject({ category: "modification", confirm: "ask" });
  });

  it("trusts the ids of records in the user's own stores, and of nothing that holds one text", () => {
    const tool = (name: string, description: string) => ({ name, description });
    const { document } = checked([
      tool("search_files", "Search the files and return their contents."),
      tool("read_file", "Reads the content of a file."),
      tool("search_web", "Search web pages."),
      tool("create_file", "Create a file."),
    ]);
    expect(document.tools.search_files?.trusted).toContain("/id_");
    expect(document.tools.search_files?.trusted).not.toContain("/status");
    expect(document.tools.create_file?.trusted).toContain("/file_id");
    expect([document.tools.read_file, document.tools.search_web].map((one) => one?.trusted)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("parts who changes a payment from who pays, and takes a verb that is a noun too where a request begins", () => {
    const parameters = { properties: { id: { type: "string" }, recipient: { type: "string" } } };
    const { document } = checked([
      { name: "send_money", description: "Send money.", parameters },
      { name: "update_scheduled_payment", description: "Update a scheduled payment.", parameters },
      { name: "exchange_order", description: "Exchange an order.", parameters },
    ]);
    const of = (tool: string) => Object.entries(document.intents).find(([, { tools }]) => tools?.includes(tool));
    expect(of("send_money")?.[0]).toBe("PAYMENT_PAY");
    expect(of("update_scheduled_payment")?.[0]).toBe("PAYMENT_CHANGE");
    const opening = of("exchange_order")?.[1].patterns.map((source) => new RegExp(source, "i")) ?? [];
    const finds = (text: string) => opening.some((pattern) => pattern.test(text));
    expect([finds("For 12, exchange the lamp"), finds("what is the exchange rate")]).toEqual([true, false]);
  });

  it("hears whoever asks to send something to an address", () => {
    const { document } = checked([
      { name: "send_email", description: "Sends an email." },
      { name: "send_money", description: "Sends money." },
    ]);
    const patterns = document.intents.EMAIL_SEND?.patterns.map((source) => new RegExp(source, "i")) ?? [];
    expect(patterns.some((pattern) => pattern.test("send the summary to bob@corp.example"))).toBe(true);
    expect(patterns.some((pattern) => pattern.test("what did bob@corp.example send?"))).toBe(false);
  });
});
