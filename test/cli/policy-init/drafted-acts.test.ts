/** What a draft asks about, and what it lets run: by the acts of tools, the values of their arguments, and the hints of their servers. */
import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { jsoncText } from "../../../src/cli/policy/init/jsonc-text.ts";
import { withoutComments } from "../../../src/lib/json/json-comments.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { compileSchema } from "../../../src/policy/arguments/argument-schema.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";

const text = { type: "string" };
const number = { type: "number" };
const yesNo = { type: "boolean" };
const chosen = (...values: string[]) => ({ type: "string", enum: values });
const said = (description: string) => ({ type: "string", description });

const tool = (name: string, description: string, properties: object = {}, annotations: object = {}): ToolWords => ({
  name,
  description,
  parameters: { type: "object", properties, required: Object.keys(properties) },
  annotations,
});
const destructive = { readOnlyHint: false, destructiveHint: true };

function drafted(...tools: readonly ToolWords[]) {
  const draft = draftPolicy(tools, "drafted");
  const source = jsoncText(draft.document, draft.comments);
  const result = checkPolicy(JSON.parse(withoutComments(source)), "v");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  expect(result.value.warnings.filter(({ severity }) => severity !== "note")).toEqual([]);
  return {
    ...draft,
    source,
    tools: result.value.document.tools,
    families: result.value.document.families,
    intents: result.value.document.intents,
  };
}
const confirms = (...tools: readonly ToolWords[]) =>
  Object.fromEntries(Object.entries(drafted(...tools).tools).map(([name, { confirm }]) => [name, confirm]));

/** Whether a condition of the tool's draft holds for a call. */
function asksAbout(one: ToolWords, call: object): boolean {
  const { conditions = [] } = drafted(one).tools[one.name] ?? {};
  return conditions.some(({ if: schema, effect }) => {
    const compiled = compileSchema(schema, workBudget());
    const matched = compiled.ok && compiled.value.matches(call, workBudget());
    return effect === "ask" && matched && matched.ok && matched.value;
  });
}

describe("what a draft asks about each time", () => {
  it("asks for the input of something that runs it, whatever the tool calls that", () => {
    const sent = tool("interact_with_process", "Send input to a running process.", { pid: number, input: text });
    const { tools, intents } = drafted(sent);
    expect(tools.interact_with_process).toMatchObject({ category: "modification", confirm: "ask" });
    expect(Object.keys(intents)).toEqual([expect.stringMatching(/_RUN$/)]);
    expect(
      confirms(
        tool("terminal_type", "Types into it.", { terminal_id: text, keys: text }),
        tool("send_keys", "Sends keys to a tmux pane.", { session: text, keys: text }),
        tool("browser_evaluate", "Evaluate a JavaScript expression on the page.", { function: text }),
        tool("add_formula", "Add a formula.", { expression: said("Python, which the server executes") }),
        tool("save_note", "Save a note to a game.", { session: text, text }),
        tool("create_discount", "Create a discount.", { code: text }),
        tool("send_message", "Send a message.", { channel: text, text }),
      ),
    ).toEqual({
      terminal_type: "ask",
      send_keys: "ask",
      browser_evaluate: "ask",
      add_formula: "ask",
      save_note: "ungrounded",
      create_discount: "ungrounded",
      send_message: "ungrounded",
    });
  });

  it("asks where a server says that its tool may destroy, but for the deletion of one record that a call names", () => {
    const id = { id: text };
    expect(
      confirms(
        tool("update_config", "Update the config.", { project_id: text, config: { type: "object" } }, destructive),
        tool("write_file", "Write a file.", { path: text, content: text }, destructive),
        tool("delete_note", "Delete a note.", id, destructive),
        tool("delete_notes", "Delete notes.", { ids: { type: "array", items: text } }, destructive),
        tool("update_note", "Update a note.", id),
      ),
    ).toEqual({
      update_config: "ask",
      write_file: "ask",
      delete_note: "ungrounded",
      delete_notes: "ask",
      update_note: "ungrounded",
    });
  });

  it("asks before what holds many records ends or stops, and not before one of them does", () => {
    expect(
      confirms(
        tool("delete_channel", "Delete a channel.", { channel_id: text }),
        tool("pause_project", "Pause a project.", { project_id: text }),
        tool("delete_message", "Delete a message.", { channel_id: text, message_id: text }),
        tool("remove_project_label", "Remove a label from a project.", { project_id: text, label: text }),
        tool("update_project", "Update a project.", { project_id: text, title: text }),
      ),
    ).toEqual({
      delete_channel: "ask",
      pause_project: "ask",
      delete_message: "ungrounded",
      remove_project_label: "ungrounded",
      update_project: "ungrounded",
    });
  });

  it("asks before rights change, before somebody is shut out, and before money is due", () => {
    const person = { member_id: text };
    expect(
      confirms(
        tool("assign_role", "Assign a role to a user.", { user_id: text, role_id: text }),
        tool("manage_file_access", "Manages access.", { file_id: text }),
        tool("transfer_ownership", "Transfers the ownership.", { file_id: text, new_owner: text }),
        tool("unban_member", "Removes a ban.", person),
        tool("kick_member", "Kicks a member.", person),
        tool("approve_timesheet", "Approve a timesheet.", { timesheet_id: text }),
        tool("create_project", "Create a project.", { name: text, confirm_cost_id: text }),
        tool("approve_post", "Approve a post.", { post_id: text }),
        tool("update_member", "Update a member.", person),
      ),
    ).toEqual({
      assign_role: "ask",
      manage_file_access: "ask",
      transfer_ownership: "ask",
      unban_member: "ask",
      kick_member: "ask",
      approve_timesheet: "ask",
      create_project: "ask",
      approve_post: "ungrounded",
      update_member: "ungrounded",
    });
  });

  it("asks before money moves where no number says how much, and above a limit where one does", () => {
    const lines = { type: "array", items: { type: "object", properties: { unitAmount: number, quantity: number } } };
    const pay = tool("create_payment", "Create a payment.", { invoiceId: text, accountId: text, amount: number });
    expect(
      confirms(
        pay,
        tool("pay_invoice", "Pay an invoice.", { invoice_id: text }),
        tool("create_bank_transaction", "Create a bank transaction.", { contactId: text, lineItems: lines }),
        tool("create-credit-note", "Create a credit note.", { contactId: text, lineItems: lines }),
        tool("create_note", "Create a note.", { text }),
      ),
    ).toEqual({
      create_payment: "ungrounded",
      pay_invoice: "ask",
      create_bank_transaction: "ask",
      "create-credit-note": "ask",
      create_note: "ungrounded",
    });
    expect([asksAbout(pay, { amount: 1200 }), asksAbout(pay, { amount: 12 })]).toEqual([true, false]);
    const bill = tool("create_invoice", "Create an invoice.", { contactId: text, lineItems: lines });
    expect(asksAbout(bill, { lineItems: [{ unitAmount: 5 }, { unitAmount: 5000 }] })).toBe(true);
    expect(asksAbout(bill, { lineItems: [{ unitAmount: 5, quantity: 500 }] })).toBe(false);
  });
});

describe("the values that a draft asks about", () => {
  it.each([
    [{ action: chosen("grant", "update", "transfer_owner") }, { action: "transfer_owner" }],
    [{ share_type: chosen("user", "anyone") }, { share_type: "anyone" }],
    [{ status: chosen("DRAFT", "VOIDED") }, { status: "VOIDED" }],
    [{ trashed: yesNo }, { trashed: true }],
    [{ isPublic: { anyOf: [yesNo, { type: "null" }] } }, { isPublic: true }],
    [{ role: chosen("reader", "owner") }, { role: "owner" }],
  ])("%j: %j", (properties, call) => {
    expect(
      asksAbout(tool("update_file", "Update a file.", { file_id: text, ...properties }), { file_id: "f", ...call }),
    ).toBe(true);
  });

  it.each([
    [{ action: chosen("create", "update", "delete") }, { action: "update" }],
    [{ trashed: yesNo }, { trashed: false }],
    [{ include_deleted: yesNo }, { include_deleted: true }],
    [{ pinned: yesNo }, { pinned: true }],
    [{ type: chosen("NOTE", "TASK", "EMAIL") }, { type: "EMAIL" }],
    [{ format: chosen("public", "plain") }, { format: "public" }],
    [{ title: text }, { title: "delete" }],
  ])("not %j: %j", (properties, call) => {
    expect(
      asksAbout(tool("update_file", "Update a file.", { file_id: text, ...properties }), { file_id: "f", ...call }),
    ).toBe(false);
  });

  it("asks before several records change or go at once, and not before several lines of one do", () => {
    const ids = { type: "array", items: text };
    const remove = tool("delete_mails", "Delete mails.", { mail_ids: ids });
    expect([asksAbout(remove, { mail_ids: ["1", "2"] }), asksAbout(remove, { mail_ids: ["1"] })]).toEqual([
      true,
      false,
    ]);
    const inputs = { type: "array", items: { type: "object", properties: { id: text, fields: { type: "object" } } } };
    expect(asksAbout(tool("batch_update", "Updates objects.", { inputs }), { inputs: [{}, {}] })).toBe(true);
    expect(asksAbout(tool("batch_create", "Creates objects.", { inputs }), { inputs: [{}, {}] })).toBe(false);
    const update = tool("update_list", "Updates a list.", { list_id: text, lines: ids });
    expect(asksAbout(update, { list_id: "1", lines: ["a", "b"] })).toBe(false);
  });

  it("asks before a file of keys is read, and no other", () => {
    const read = tool("read_file", "Read a file.", { path: text });
    for (const path of [
      "/home/a/.ssh/config",
      "~/.env",
      "C:\\Users\\a\\.aws\\credentials",
      "k/server.pem",
      "id_rsa.bak",
    ])
      expect([path, asksAbout(read, { path })]).toEqual([path, true]);
    for (const path of ["/home/a/README.md", "docs/environment.md", "src/keys.ts", ".github/workflows/ci.yml"])
      expect([path, asksAbout(read, { path })]).toEqual([path, false]);
    const several = tool("read_files", "Read files.", { paths: { type: "array", items: text } });
    expect(asksAbout(several, { paths: ["a.md", ".env.local"] })).toBe(true);
    expect(asksAbout(tool("get_page", "Get a page.", { path: text }), { path: ".env" })).toBe(false);
  });
});

describe("what a draft takes for an argument that must be the user's", () => {
  const roles = (one: ToolWords, ...others: readonly ToolWords[]) =>
    Object.fromEntries(
      Object.entries(drafted(one, ...others).tools[one.name]?.arguments ?? {}).map(([key, { role }]) => [key, role]),
    );

  it("holds the record that is written to, and not only who may see it", () => {
    const comment = {
      issueIdOrKey: said("The issue id or key"),
      commentBody: text,
      commentVisibility: { type: "object" },
    };
    const one = tool("addCommentToJiraIssue", "Adds a comment to an issue.", comment);
    expect(roles(one)).toEqual({ issueIdOrKey: "destination", commentVisibility: "destination" });
  });

  it("holds a key that people say, and the records of a list, and not the id of one record that is changed", () => {
    expect(
      roles(tool("editJiraIssue", "Update an issue.", { issueIdOrKey: text, fields: { type: "object" } })),
    ).toEqual({
      issueIdOrKey: "destination",
    });
    const inputs = {
      type: "array",
      items: { type: "object", properties: { id: text, properties: { type: "object" } } },
    };
    expect(roles(tool("batch-update-objects", "Updates objects.", { inputs }))).toEqual({
      "/inputs/*/id": "destination",
    });
    const item_ids = { type: "array", items: text };
    expect(roles(tool("modify_order_items", "Modifies the items of an order.", { order_id: text, item_ids }))).toEqual(
      {},
    );
    expect(roles(tool("modify_items", "Modifies items.", { item_ids }))).toEqual({ item_ids: "destination" });
    expect(roles(tool("modify_event", "Modifies an event.", { event_id: text, start: text }))).toEqual({});
  });

  it("trusts the keys of records where its tools take keys, and no key elsewhere", () => {
    const find = tool("searchIssues", "Search issues.", { jql: text });
    const trusted = (...tools: readonly ToolWords[]) => drafted(find, ...tools).tools.searchIssues?.trusted;
    expect(trusted(tool("editIssue", "Update an issue.", { issueIdOrKey: text }))).toContain("/*/*/key");
    expect(trusted(tool("editIssue", "Update an issue.", { issueId: text }))).not.toContain("/*/*/key");
  });

  it("asks nothing about the account that all tools work in, but where it pays or says that somebody gets something", () => {
    const user_google_email = said("The user's Google email address. Required.");
    const others = ["get_events", "list_files", "get_file"].map((name) =>
      tool(name, "Gets it.", { user_google_email }),
    );
    const send = tool("send_mail", "Sends a mail.", { user_google_email, to: text });
    expect(roles(send, ...others)).toEqual({ user_google_email: "content", to: "destination" });
    expect(roles(tool("send_money", "Sends money.", { user_google_email, amount: number }), ...others)).toMatchObject({
      user_google_email: "destination",
    });
    const shared = others.map((one) =>
      tool(one.name, "Gets it.", { user_email: said("The user's email to share it with") }),
    );
    expect(
      roles(tool("share_file", "Shares.", { user_email: said("The user's email to share it with") }), ...shared),
    ).toEqual({
      user_email: "destination",
    });
    // Few tools take it: it is a choice.
    expect(roles(send)).toEqual({ user_google_email: "destination", to: "destination" });
  });
});

describe("what a draft says of readers", () => {
  it("takes a domain for content where nobody outside takes part, and a URL for where it goes", () => {
    const inside = { readOnlyHint: true, openWorldHint: false };
    const link = (name: string) =>
      drafted(tool("get_link", "Get a link.", { [name]: text }, inside)).tools.get_link?.arguments;
    expect([link("ui_domain"), link("url")]).toEqual([
      { ui_domain: { role: "content" } },
      { url: { role: "destination" } },
    ]);
  });

  it("says what `directory` lets calls do", () => {
    const { comments, tools } = drafted(tool("list_contacts", "List the contacts."));
    expect(tools.list_contacts?.directory).toBe(true);
    expect(comments.get("/tools/list_contacts")?.join()).toContain("a call may go to every value that it returns");
  });
});

describe("the draft for a browser", () => {
  const ref = said("Exact target element reference from the page snapshot");
  const element = said("Human-readable element description");
  const click = tool("browser_click", "Perform click on a web page.", { element, target: ref }, destructive);
  const browser = [
    click,
    tool("browser_navigate", "Navigate to a URL.", { url: text }, destructive),
    tool("browser_press_key", "Press a key on the keyboard.", { key: said("Name of the key to press") }, destructive),
    tool("browser_snapshot", "Capture a snapshot of the page.", {}, { readOnlyHint: true }),
    tool("browser_file_upload", "Upload files.", { paths: { type: "array", items: text } }, destructive),
    tool("browser_run_code", "Run a Playwright code snippet.", { code: text }, destructive),
  ];

  it("lets a person's gestures run on the user's word, asks of an address, and of files and code each time", () => {
    const { tools, families } = drafted(...browser);
    expect(tools.browser_click).toMatchObject({
      confirm: "ungrounded",
      arguments: { element: { role: "content" }, target: { role: "content" } },
    });
    expect(tools.browser_navigate).toMatchObject({
      category: "external",
      confirm: "ungrounded",
      arguments: { url: { role: "destination" } },
    });
    expect(tools.browser_press_key).toMatchObject({ confirm: "ungrounded", arguments: { key: { role: "content" } } });
    expect([tools.browser_file_upload?.confirm, tools.browser_run_code?.confirm]).toEqual(["ask", "ask"]);
    expect(families.web).toEqual(expect.arrayContaining(["browser_click", "browser_press_key"]));
  });

  it("has another intent for opening a page than for acting on it", () => {
    const { intents } = drafted(...browser);
    expect(intents.WEB_OPEN?.tools).not.toContain("browser_click");
    expect(intents.WEB_CHANGE?.tools).not.toContain("browser_navigate");
  });

  it("asks before a click on what pays, sends or deletes", () => {
    for (const shown of ["Buy now", "Pay 20 €", "Place order", "Jetzt bezahlen", "Delete"])
      expect([shown, asksAbout(click, { element: shown, target: "e1" })]).toEqual([shown, true]);
    for (const shown of ["Search", "Storm hits coast", "Paypal news archive", "Reorder columns"])
      expect([shown, asksAbout(click, { element: shown, target: "e1" })]).toEqual([shown, false]);
  });

  it("takes no other tool for a gesture: what a target is elsewhere stays what it was", () => {
    const { tools } = drafted(
      tool("move_money", "Transfer money to a page's owner.", {
        target: said("The element of the account"),
        amount: number,
      }),
    );
    expect(tools.move_money?.arguments).toMatchObject({ target: { role: "destination" } });
  });
});

describe("what a draft opens to guests", () => {
  const opened = (...tools: readonly ToolWords[]) =>
    Object.entries(drafted(...tools).tools).flatMap(([name, { roles }]) => (roles === undefined ? [name] : []));

  it("closes what belongs to something that is closed", () => {
    const comments = tool("get_page_comments", "Get the comments of a page.", { page_id: text });
    expect(opened(comments)).toEqual(["get_page_comments"]);
    expect(
      opened(
        comments,
        tool("get_page", "Get a page.", { page_id: text }),
        tool("update_page", "Update a page.", { page_id: text }),
      ),
    ).toEqual([]);
    expect(
      opened(
        tool("get_project", "Get a project.", { id: text }),
        tool("get_project_url", "Gets the API URL of a project.", { id: text }),
      ),
    ).toEqual([]);
    const shop = [tool("list_orders", "List the orders."), tool("add_product_to_cart", "Add a product.", { id: text })];
    expect(opened(tool("search_products", "Search the products.", { query: text }), ...shop)).toEqual([
      "search_products",
    ]);
  });

  it("opens the documentation of a product, and no documents", () => {
    const query = { query: text };
    expect(opened(tool("search_docs", "Search the Supabase documentation.", query))).toEqual(["search_docs"]);
    for (const description of [
      "Search your documentation.",
      "Search the internal Acme documentation.",
      "Search the docs.",
    ])
      expect(opened(tool("search_docs", description, query))).toEqual([]);
    expect(
      opened(
        tool("search_docs", "Search the Acme documentation.", query),
        tool("create_doc", "Create a doc.", { text }),
      ),
    ).toEqual([]);
  });
});
