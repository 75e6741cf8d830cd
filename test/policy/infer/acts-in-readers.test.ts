import { describe, expect, it } from "vitest";
import { inferTool } from "../../../src/policy/infer/infer-tool.ts";

/** Whether its calls run unasked where a policy infers (`with-inferred.ts`). */
function isReader(name: string, description: string, args: readonly string[]): boolean {
  const parameters = { type: "object", properties: Object.fromEntries(args.map((one) => [one, { type: "string" }])) };
  const { category, sure, effects } = inferTool({ name, description, parameters });
  return category === "read_only" && sure && effects.size === 1;
}

describe("inferTool: acts that are told like reading", () => {
  it.each([
    [
      "evaluate_script",
      "Evaluate a JavaScript function inside the selected page. Returns the response as JSON.",
      "function",
    ],
    ["browser_evaluate", "Evaluate JavaScript expression on page or element", "function"],
    ["evaluate_expression", "Evaluates an expression in the debuggee.", "expression"],
    ["resolve_review_thread", "Resolve a review thread", "thread_id"],
    ["resolve_ticket", "Resolves a ticket.", "ticket_id"],
    ["tell_customer", "Tells the customer something.", "customer_id", "text"],
    ["tell_team", "Tell the team a text", "text"],
    ["provide_feedback", "Provides feedback to the seller", "seller", "text"],
    ["provide_access", "Provides access to the document", "document", "user"],
    ["provide_refund", "Provide a refund to the customer", "order_id", "amount"],
    ["load_funds", "Loads funds onto the card", "card", "amount"],
    ["load_module", "Loads a kernel module", "module"],
    ["convert_points", "Converts the points of the member into a voucher", "member"],
    ["convert_currency", "Converts money of the account into another currency", "account", "amount"],
    ["convert_lead", "Converts a lead into a customer", "lead"],
    ["verify_payment", "Verifies a payment, so that it goes out", "payment"],
    ["track_event", "Track an analytics event", "event"],
    ["watch_repository", "Watches a repository for the user", "repo"],
    ["sort_inbox", "Sorts the inbox into folders"],
    ["filter_sender", "Filter a sender", "sender"],
    ["classify_ticket", "Classifies a ticket", "ticket", "label"],
    ["display_message", "Display a message to the customer", "message", "customer"],
    ["show_notification", "Shows a notification on the user's phone", "text"],
    ["get_loan", "Gets a loan for the amount", "amount"],
    ["get_cash", "Get cash from the account", "account", "amount"],
    ["get_ride", "Gets a ride to the place", "to"],
    ["recommend_user", "Recommends the user for a promotion", "user"],
    ["suggest_edit", "Suggest an edit to the author of a page", "page", "text"],
    ["explain_charge", "Explains a charge to the customer", "customer", "text"],
    ["translate_message", "Translates a message, with delivery to the recipient.", "text", "person"],
    ["download_update", "Downloads the firmware onto the device", "device"],
    ["extract_funds", "Extracts funds from the pool", "pool", "share"],
    ["access_door", "Access the door", "door"],
    ["scan_network", "Scans a network with exploits", "net"],
    ["peek_and_pop", "Peeks at the queue", "q"],
  ])("asks about the occasional reader %s: %s", (name, description, ...args) => {
    expect(isReader(name, description, args)).toBe(false);
  });

  it.each([
    "Finds a slot. The first free one is booked.",
    "Finds a slot, which is then automatically booked.",
    "Finds a slot. It is found and booked.",
    "Checks the price. If it is low, it is ordered at once.",
    "Checks the stock. Missing goods are reordered from the supplier.",
    "Finds a customer. A ticket is opened for them.",
    "Checks the account. After three checks it is locked.",
    "Searches files. Matches are moved to the trash.",
    "Lists the files. Old ones are purged.",
    "Lists the files. Old ones will be permanently deleted.",
    "Gets a file. It is uploaded to the partner first.",
    "Finds the cheapest flight. A seat gets reserved on it.",
    "Gets a user. Who is not known is invited.",
    "Looks up an order. Unshipped ones are refunded.",
    "Gets an order. The customer is billed.",
    "Gets a page. The owner is paid, and the page sold.",
    "Gets a key. The key is given to the guest.",
    "Gets the report with subsequent deletion.",
    "Reads the mail, followed by removal from the server.",
    "Monitors the door, unlocking it for guests.",
    "Gets an invoice, paying it where it is due.",
    "Checks the mail, forwarding each one to the archive address.",
    "Lists messages while marking them read and deleting spam.",
    "Gets mail (deleting it).",
    "Gets mail - deleting it.",
    "Locates the phone by ringing it loudly",
  ])("finds the act in: %s", (description) => {
    expect(isReader("get_data", description, [])).toBe(false);
  });

  it.each([
    ["convert_currency", "Convert an amount from one currency to another.", "amount", "from", "to"],
    ["resolve_library_id", "Resolves a package name to a library ID.", "name"],
    ["evaluate_expression", "Evaluates a mathematical expression.", "expression"],
    ["tell_time", "Tells the time in a city.", "city"],
    ["provide_weather", "Provides the weather of a city.", "city"],
    ["load_page", "Loads a page of results."],
    ["filter_products", "Filters products by price.", "price"],
    ["sort_numbers", "Sorts a list of numbers."],
    ["track_order", "Track an order by its number."],
    ["classify_text", "Classifies a text."],
    ["access_docs", "Access the documentation."],
    ["verify_identity", "Verifies the identity of the caller."],
    ["recommend_movies", "Recommends movies to watch."],
    ["suggest_restaurants", "Suggests a restaurant nearby."],
    ["explain_error", "Explains an error to the user."],
    ["show_notifications", "Shows the notifications of the user."],
    ["download_file", "Downloads a file by its id."],
    ["get_funds", "Gets the funds of the portfolio."],
    ["get_loan_details", "Gets the details of a loan.", "id"],
    ["list_payments", "Lists payments of a customer.", "customer"],
    ["get_schemas", "Gets the schemas. Provides the objectTypeId for each schema."],
    ["get_resource", "Gets a resource by providing its kind and name."],
  ])("leaves %s a reader: %s", (name, description, ...args) => {
    expect(isReader(name, description, args)).toBe(true);
  });

  it.each([
    "Lists orders. Results are ordered by date.",
    "Gets events. The limit is set to 10. Data is updated daily.",
    "Gets items that are stored and shared with the team.",
    "Lists issues, including closed ones, allowing you to filter by label.",
    "Searches the docs. Useful for finding, updating and deleting pages.",
    "Gets a page. Use this before updating the page, deleting it or moving it.",
    "Gets a user. Nothing is sent.",
    "Gets a draft. It is not sent.",
    "Checks whether the door is locked.",
    "Finds running jobs, pending reviews and deleted files.",
    "Get deleted messages.",
    "Describes a table. If the table is locked, an error is returned.",
    "Gets a document. The content is formatted as Markdown and written in English.",
    "Gets the balance. Amounts are reported in cents.",
    "Gets the state. Requires the agent to be installed.",
    "Gets the logs of a run by resolving its pod.",
  ])("finds no act in: %s", (description) => {
    expect(isReader("get_data", description, [])).toBe(true);
  });
});
