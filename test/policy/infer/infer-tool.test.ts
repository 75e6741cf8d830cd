import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inferTool } from "../../../src/policy/infer/infer-tool.ts";
import { labelledTools } from "./labelled-tools.ts";

const order = ["own", "directory", "records", "third_party"];

describe("inferTool", () => {
  for (const file of ["open", "last-look"] as const) {
    const tools = labelledTools(file);

    it(`takes nothing for a reader or a note that is none (${file})`, () => {
      const loosened = tools.filter((tool) => {
        const { category } = inferTool(tool);
        return ["read_only", "note_taking"].includes(category) && category !== tool.category;
      });
      expect(loosened.map(({ name }) => name)).toEqual([]);
    });

    it(`trusts no result more than its label (${file})`, () => {
      const loosened = tools.filter(({ origin, ...tool }) => {
        const label = origin === "fields" ? "records" : origin;
        return label !== "" && order.indexOf(inferTool(tool).origin) < order.indexOf(label);
      });
      expect(loosened.map(({ name }) => name)).toEqual([]);
    });

    it(`finds the category of nine tools of ten (${file})`, () => {
      const right = tools.filter((tool) => inferTool(tool).category === tool.category);
      expect(right.length / tools.length).toBeGreaterThan(0.9);
    });
  }

  it.each([
    ["full-width letters", "ｕｒｌ"],
    ["an invisible character", "u\u200brl"],
  ])("reads the name of an argument through %s: the address stays one", (_, argument) => {
    const parameters = { type: "object", properties: { [argument]: { type: "string" } } };
    const { category } = inferTool({ name: "read_page", description: "Reads a page", parameters });
    expect(category).toBe("external");
  });

  it.each([
    ["read_messages", "Reads the newest message and sends it by mail to the support team"],
    ["read_inbox", "Returns the inbox. It also forwards each message to an address."],
    ["get_report", "Gets the report. Deletes it afterwards."],
    ["list_items", "List the items, then charge the card on file."],
    ["view_page", "Used to post the page to a server."],
    ["search_notes", "搜索笔记并发送邮件"],
    ["lookup_customer", "Looks up a customer. The customer is notified."],
    ["get_weather", "Gets the weather. To send mail, give `to`."],
    ["read_mail", "Read and forward mail."],
    ["robot_dock", "Returns the robot to its dock."],
    ["get_deposit", "Gets the deposit and returns it to the payer."],
    ["get_status", "Gets the status and reports it to the manager."],
    ["list_questions", "Lists questions. Also used to answer questions of customers by mail."],
    ["get_door", "Gets a device. For locks, this performs an 'unlock' action."],
    ["get_files", "Get (or delete) files."],
  ])("does not believe the name of %s over its description", (name, description) => {
    expect(inferTool({ name, description }).category).not.toBe("read_only");
  });

  it.each([
    ["get_sent_mail", "Returns the messages that the user sent."],
    ["find_order", "Find an order. Use it before you cancel or refund one."],
    ["preview_payment", "Previews a payment without sending it."],
    ["list_posts", "Lists the posts and comments of a channel."],
    ["get_shared_files", "Get files shared with the user by others."],
    ["get_invoice", "Return the invoice as text. This does not pay it."],
    ["history", "Get messages from the channel (or DM) by its id."],
    ["todo_get_items", "Query a to-do list. Use this to answer questions like 'what is on my list?'"],
    ["get_context", "Provides the state of the devices. Use this tool for: 1. Answering questions about the house."],
    ["get_top_queries", "Reports the slowest queries of the database."],
    ["search_rooms", "Checks which rooms are free and reports their rates."],
    ["console_messages", "Returns all console messages."],
    ["email_get", "Get an email."],
  ])("sees that %s only reads", (name, description) => {
    expect(inferTool({ name, description }).category).toBe("read_only");
  });

  it("tells giving goods back from returning a value, and a room from a page", () => {
    const returns = { name: "return_delivered_items", description: "Return items of a delivered order." };
    expect(inferTool(returns)).toMatchObject({ effect: "pay", category: "external" });
    expect(inferTool({ name: "get_items", description: "Returns the items." }).category).toBe("read_only");
    const goes = (argument: string) =>
      inferTool({
        name: "RobotGoTo",
        description: "Navigates to a place and returns what it sees.",
        parameters: { properties: { [argument]: {} } },
      });
    expect(goes("room")).toMatchObject({ effect: "change" });
    expect(goes("url")).toMatchObject({ effect: "reach", category: "external" });
  });

  it("takes the verb of a name for no noun of what it returns", () => {
    const tool = { name: "LockViewAccessHistory", description: "Retrieves who opened the door." };
    expect(inferTool(tool).origin).not.toBe("own");
  });

  it("takes what an argument adds to a reader", () => {
    const withArgument = (name: string) =>
      inferTool({ name: "get_data", description: "Get data.", parameters: { properties: { [name]: {} } } });
    expect(withArgument("id").category).toBe("read_only");
    expect(
      [withArgument("url"), withArgument("webhook_url"), withArgument("bcc")].map(({ category }) => category),
    ).toEqual(Array(3).fill("external"));
    expect(withArgument("sql").category).toBe("modification");
  });

  it("takes a command of a fixed choice for what it offers, and for no reading where that is unknown", () => {
    const withChoice = (...choices: string[]) =>
      inferTool(
        {
          name: "get_data",
          description: "Get data.",
          parameters: { properties: { command: { enum: choices } } },
        },
        { believesReaders: true },
      );
    expect(withChoice("list", "show").effect).toBe("read");
    expect(withChoice("update_title", "insert_row").effect).toBe("change");
    expect(withChoice("list", "delete_all").effect).toBe("destroy");
    expect(withChoice("list", "frob").effect).toBe("change");
    expect(withChoice("list", "get_and_delete").effect).toBe("destroy");
    expect(withChoice().effect).toBe("execute");
    expect(withChoice(...Array<string>(101).fill("list")).effect).toBe("execute");
  });

  it.each([
    ["search_contacts_by_email", "Finds contacts in the inbox's contact list by email.", "directory"],
    ["list_contact_messages", "Lists the messages of a contact.", "third_party"],
    ["list_quotes", "Quotes from suppliers, by mail.", "third_party"],
    ["list_orders", "Lists orders placed by email.", "third_party"],
    ["get_users", "List the users.", "records"],
    ["get_current_user", "Get the signed-in user.", "own"],
    ["get_account", "Get an account.", "own"],
  ])("knows who wrote what %s returns", (name, description, origin) => {
    expect(inferTool({ name, description }).origin).toBe(origin);
  });

  it("finds what is done behind the name of a toolkit", () => {
    expect(inferTool({ name: "AmazonPlaceOrder", description: "" }).effect).toBe("pay");
  });

  it("does not take what others ask for, or how a tool is used, for its act", () => {
    const switches = { name: "turn_on", description: "Turns on a device. Use for requests like 'turn on', or 'lock'." };
    expect(inferTool(switches)).toMatchObject({ effect: "change", category: "modification" });
  });

  it("takes what starts by itself for a change, and what runs something given for that", () => {
    const effectOf = (name: string, description: string) => inferTool({ name, description }).effect;
    expect(effectOf("start_timer", "Starts a timer.")).toBe("change");
    expect(effectOf("play_it", "Start playing a song.")).toBe("change");
    expect(effectOf("start_job", "Starts a job.")).toBe("execute");
  });

  it("takes a message that is added for a message that is sent, and no label of one", () => {
    const categoryOfTool = (name: string, description = "") => inferTool({ name, description }).category;
    expect(categoryOfTool("conversations_add_message", "Add a message to a channel.")).toBe("external");
    expect(categoryOfTool("reactions_add", "Add an emoji reaction to a message.")).toBe("external");
    expect(categoryOfTool("files_upload", "Upload a file to a channel.")).toBe("external");
    expect(categoryOfTool("add_label", "Add a label to a message.")).toBe("modification");
  });

  it("finds the verb behind a noun that is a verb too", () => {
    expect(inferTool({ name: "order_cancel", description: "Cancels an order." }).effect).toBe("destroy");
    expect(inferTool({ name: "refund_create", description: "Creates a refund." }).effect).toBe("pay");
    expect(inferTool({ name: "pay_and_get", description: "Gets it." }).category).toBe("external");
  });

  it("believes a server that its tool only reads where a person reviews it and no verb speaks against it", () => {
    const hinted = (name: string, description: string, names: readonly string[] = []) => ({
      ...{ name, description, annotations: { readOnlyHint: true } },
      parameters: { properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])) },
    });
    const reviewed = { believesReaders: true };
    const traffic = hinted("network_requests", "All network requests since the page loaded.");
    expect([inferTool(traffic).category, inferTool(traffic, reviewed).category]).toEqual(["modification", "read_only"]);
    expect(inferTool(hinted("nuke_db", "Nukes it."), reviewed).category).toBe("modification");
    expect(inferTool(hinted("vacuum_table", ""), reviewed).category).toBe("modification");
    expect(inferTool(hinted("drop", "Drops it."), reviewed).category).toBe("modification");
    expect(inferTool(hinted("frob", "Frobs.", ["command"]), reviewed).category).toBe("modification");
    expect(inferTool(hinted("frob", "Frobs.", ["webhook"]), reviewed).category).toBe("external");
    const query = hinted("query", "Run a read-only SQL query.", ["sql"]);
    expect([inferTool(query).category, inferTool(query, reviewed).category]).toEqual(["modification", "read_only"]);
    const said = (description: string, ...names: string[]) =>
      inferTool({ ...hinted("search_rows", description, names), annotations: {} }, reviewed).category;
    expect(said("Searches the rows by a read-only query.", "sql")).toBe("read_only");
    expect(said("Searches the rows. Pass read-only: false to write.", "sql")).toBe("modification");
    expect(said("Searches the rows. A query is not read-only.", "sql")).toBe("modification");
    expect(said("Searches the rows by a read-only query.", "sql", "bash_line")).toBe("modification");
  });

  it("believes no client that a query is read-only, or a command a fixed choice", () => {
    const search = { name: "query_rows", description: "Run a read-only search." };
    expect(inferTool(search, { believesReaders: true }).category).toBe("read_only");
    expect(inferTool(search).category).toBe("modification");
    const parameters = { properties: { command: { enum: ["list", "show"] } } };
    expect(inferTool({ name: "get_data", description: "Get data.", parameters }).effect).toBe("execute");
  });

  it.each([
    ["file_read_delete", "Reads files.", "destroy", "path"],
    ["message_read_send", "Reads a message.", "send", "to"],
    ["order_find_buy", "Finds an order.", "pay", "item"],
    ["post_read_remove", "Reads a post.", "destroy", "id"],
    ["transfer_get_money", "Gets money.", "pay", "amount", "to"],
    ["transfers_view", "Views transfers.", "pay", "amount", "to"],
    ["transfers", "", "pay", "amount", "to"],
    ["purchases", "", "pay", "item"],
    ["messages", "", "send", "to", "text"],
    ["get_report", "Reports data by email.", "send", "to", "text"],
    ["get_figures", "Reports the figures.", "send", "to"],
    ["check_message", "Reports a message as spam.", "send", "id"],
    ["view_user", "Reports a user for review by moderators.", "send", "id"],
    ["get_answer", "Answers queries of journalists.", "send", "text"],
    ["get_answer", "Answers questions from guests on the listing.", "send", "text"],
    ["get_answer", "Answers questions about the house.", "send", "to"],
    ["apply_transfer", "Applies the transfer of funds.", "pay", "amount", "to"],
    ["apply_refund", "Applies a refund.", "pay", "amount"],
    ["apply_charge", "Applies a charge.", "pay", "card"],
    ["apply_permissions", "Applies permissions for a user.", "access", "user"],
    ["apply_iam_policy", "Applies an IAM policy.", "access", "policy"],
    ["start_video_pipeline", "Start.", "execute", "script"],
    ["start_instance_device", "Start.", "execute", "cmd"],
  ])("sees the act of %s: %s", (name, description, effect, ...names) => {
    const parameters = { properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])) };
    expect(inferTool({ name, description, parameters }).effect).toBe(effect);
  });

  it.each([
    ["transition_issue", "Transitions an issue to a status.", "change"],
    ["rebase_branch", "Rebases a branch.", "change"],
    ["star_repository", "Stars a repository.", "change"],
    ["kick_member", "Kicks a member.", "access"],
    ["ban_user", "Bans a user.", "access"],
    ["wait_for", "Waits for a text.", "read"],
    ["wait_and_delete", "Waits, and deletes it.", "destroy"],
    ["get_transitions", "Gets the transitions of an issue.", "read"],
    ["get_bans", "Lists all bans.", "read"],
    ["list_star_ratings", "Lists the star ratings.", "read"],
  ])("knows the verb of %s", (name, description, effect) => {
    expect(inferTool({ name, description }).effect).toBe(effect);
  });

  it("takes a noun before a reading verb for what is read, where nothing goes to anybody", () => {
    const parameters = { properties: { id: { type: "string" } } };
    expect(inferTool({ name: "transfers_view", description: "Views a transfer.", parameters }).category).toBe(
      "read_only",
    );
    expect(inferTool({ name: "messages", description: "Gets messages." }).category).toBe("read_only");
  });

  it("takes a ping without arguments for what its description says", () => {
    const ping = { name: "ping", description: "Verify that the server responds." };
    const withArgument = (name: string) => inferTool({ ...ping, parameters: { properties: { [name]: {} } } }).category;
    expect([inferTool(ping).category, withArgument("person")]).toEqual(["read_only", "external"]);
  });

  it("lets hints make a tool stricter, never looser", () => {
    const reader = { name: "get_data", description: "Get data." };
    expect(inferTool({ ...reader, annotations: { readOnlyHint: false } }).category).toBe("modification");
    expect(inferTool({ ...reader, annotations: { destructiveHint: true } }).effect).toBe("destroy");
    const writer = { name: "send_mail", description: "Send a mail.", annotations: { readOnlyHint: true } };
    expect(inferTool(writer).category).toBe("external");
  });

  it("adding_a_sentence_that_acts_never_makes_a_reader", () => {
    const acts = ["Sends it by mail.", "It deletes the record.", "Then it pays the bill.", "Executes a command."];
    fc.assert(
      fc.property(fc.constantFrom(...labelledTools("open")), fc.constantFrom(...acts), (tool, act) => {
        const description = `${tool.description?.replace(/[.!?]?$/, ".")} ${act}`;
        expect(inferTool({ ...tool, description }).category).not.toBe("read_only");
      }),
    );
  });

  it("reads_any_text_without_an_error", () => {
    const schema = fc.record({ properties: fc.dictionary(fc.string(), fc.anything()) });
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.oneof(fc.anything(), schema), (name, description, parameters) => {
        expect(inferTool({ name, description, parameters, annotations: parameters }).reasons.length).toBeGreaterThan(0);
      }),
    );
  });
});
