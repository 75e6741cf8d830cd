/** What a draft says of a shop's tools: who may use them, what stands beside them in comments, and by which words they are asked for. */
import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { jsoncText } from "../../../src/cli/policy/init/jsonc-text.ts";
import { withoutComments } from "../../../src/lib/json/json-comments.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";

const tool = (name: string, description: string, properties: object = {}): ToolWords => ({
  name,
  description,
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const text = { type: "string" };
const number = { type: "number" };

const tools = [
  tool("list_orders", "List recent orders, optionally filtered by status."),
  tool("get_order", "Get one order by its id.", { order_id: text }),
  tool("refund_order", "Refund an order, fully or in part.", { order_id: text, amount: number }),
  tool("update_stock", "Set the stock of a product.", { sku: text, quantity: { type: "integer" } }),
  tool("send_email", "Send an email to a customer.", { to: text, subject: text, body: text }),
  tool("read_inbox", "Read the newest messages of the shop's inbox."),
  tool("create_discount_code", "Create a discount code.", { code: text, percent: number }),
];

const { document: drafted, comments } = draftPolicy(tools, "shop");
const written = jsoncText(drafted, comments);

function checked(source: string) {
  const result = checkPolicy(JSON.parse(withoutComments(source)), "v");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  expect(result.value.warnings.filter(({ severity }) => severity !== "note")).toEqual([]);
  return result.value.document;
}
const document = checked(written);
const commentsOf = (name: string) => comments.get(`/tools/${name}`)?.join("\n") ?? "";

describe("the draft for a shop", () => {
  it("keeps guests from all that is not known to be public, with the reason", () => {
    const open = Object.entries(document.tools).filter(([, { roles }]) => roles === undefined);
    expect(open).toEqual([]);
    for (const [name, { roles }] of Object.entries(document.tools))
      if (roles !== undefined) {
        expect(roles).toEqual(["user", "premium", "admin"]);
        expect(commentsOf(name)).toContain("not for guests");
      }
    expect(commentsOf("read_inbox")).toContain("it reads mail or messages");
    expect(commentsOf("update_stock")).toContain("not for guests (change)");
    for (const name of ["list_orders", "get_order"]) expect(commentsOf(name)).toContain("remove `roles`");
  });

  it("lets guests read what anybody may know: what its own name says, and what no tool of the list writes", () => {
    const readers = [
      tool("find_patient", "Find patients by name.", { name: text }),
      tool("read_patient_record", "Read the medical record of a patient.", { patient_id: text }),
      tool("get_customer", "Get a customer.", { customer_id: text }),
      tool("get_student_grades", "Get the grades of a student.", { student_id: text }),
      tool("find_animal", "Find an animal.", { name: text }),
      tool("search_products", "Search the products.", { query: text }),
      tool("get_weather", "Get the weather.", { city: text }),
    ];
    const openOf = (tools: readonly ToolWords[]) =>
      Object.entries(draftPolicy(tools, "readers").document.tools as Record<string, { roles?: unknown }>)
        .filter(([, { roles }]) => roles === undefined)
        .map(([name]) => name);
    expect(openOf(readers)).toEqual(["search_products", "get_weather"]);
    const shopkeeper = tool("create_product", "Create a product.", { name: text });
    expect(openOf([...readers, shopkeeper])).toEqual(["get_weather"]);
    const secrets = [
      tool("get_context", "Get the state of the house in real time.", {}),
      tool("get_my_playlist", "Get a playlist.", {}),
      tool("read_values", "Read values of a sheet.", { sheet_id: text }),
      tool("retrieve_balance", "Retrieve the balance.", {}),
    ];
    expect(openOf(secrets)).toEqual([]);
  });

  it("limits each tool by itself, and what pays more than ordinary work", () => {
    expect(document.rateLimits).toEqual({
      refund_order: [{ max: 60, window: 3_600_000 }],
      update_stock: [{ max: 120, window: 3_600_000 }],
      send_email: [{ max: 120, window: 3_600_000 }],
      create_discount_code: [{ max: 120, window: 3_600_000 }],
      "category:modification": [{ max: 120, window: 3_600_000 }],
    });
  });

  it("asks above a limit before it pays or gives a discount", () => {
    const limits = Object.entries(document.tools).flatMap(([name, { conditions = [] }]) =>
      conditions.map(({ if: schema, effect }) => [name, schema, effect]),
    );
    const above = (name: string, limit: number) => ({
      properties: { [name]: { exclusiveMinimum: limit } },
      required: [name],
    });
    expect(limits).toEqual([
      ["refund_order", above("amount", 1000), "ask"],
      ["create_discount_code", above("percent", 20), "ask"],
    ]);
    expect(commentsOf("refund_order")).toContain("asks each time where a call has amount above 1000");
  });

  it("has no limit for an amount that is a text, or whose name would not stand in a condition: it asks each time", () => {
    const odd = [tool("pay_bill", "Pay a bill.", { amount: text, "amount\n}": number })];
    const { tools } = checked(jsoncText(draftPolicy(odd, "odd").document, draftPolicy(odd, "odd").comments));
    expect(tools.pay_bill).toMatchObject({ confirm: "ask" });
    expect(tools.pay_bill?.conditions).toBeUndefined();
  });

  it("says beside a reader of records how their values may be used", () => {
    expect(commentsOf("list_orders")).toContain('`trusted` ("/email")');
    expect(commentsOf("read_inbox")).not.toContain("trusted");
  });

  it("has stock, a refund and a discount code as what they are", () => {
    expect(Object.keys(document.families)).toEqual(["order", "stock", "email", "discount"]);
    const acting = Object.entries(document.intents).flatMap(([name, { tools = [] }]) =>
      tools.filter((one) => !one.startsWith("category:")).map((one) => [one, name]),
    );
    expect(Object.fromEntries(acting)).toEqual({
      refund_order: "ORDER_REFUND",
      update_stock: "STOCK_CHANGE",
      send_email: "EMAIL_SEND",
      create_discount_code: "DISCOUNT_CREATE",
    });
    const { ORDER_REFUND: refund, DISCOUNT_CREATE: discount, STOCK_CHANGE: stock } = document.intents;
    expect(refund?.keywords).toEqual(["refund order", "reimburse order", "repay order", "pay back order"]);
    expect(stock?.description).toBe("set the stock of a product (inventory)");
    const said = discount?.examples.join("\n") ?? "";
    for (const word of ["Rabattcode", "Gutschein", "código de descuento", "cupón", "优惠码", "クーポン"])
      expect(said).toContain(word);
  });

  it("repeats no word in a keyword", () => {
    const keywords = Object.values(document.intents).flatMap(({ keywords }) => keywords);
    expect(keywords.filter((keyword) => new Set(keyword.split(" ")).size < keyword.split(" ").length)).toEqual([]);
  });

  it("describes what a tool does without the rest of a cut sentence", () => {
    expect(document.intents.ORDER_FIND?.description).toBe("list recent orders; get one order");
  });

  it("declines German nouns, and asks how high only of what has a height", () => {
    const said = Object.values(document.intents).flatMap(({ examples }) => examples);
    expect(said).toEqual(expect.arrayContaining(["was steht in der Bestellung?", "was steht im Posteingang?"]));
    expect(said).toContain("wie ist der Stand von der Bestellung 4711?");
    expect(
      said.filter((one) => /\b(?:in|von) (?:die|den)\b|wie (?:hoch )?ist (?:den|die Bestellung)/i.test(one)),
    ).toEqual([]);
  });
});

describe("the draft for tools that pay and tools that refund", () => {
  it("parts who pays from who gives money back", () => {
    const { document } = draftPolicy(
      [
        tool("pay_invoice", "Pay an invoice.", { invoice_id: text }),
        tool("issue_refund", "Refund a payment.", { payment_id: text, amount: number }),
      ],
      "both",
    );
    const intents = checked(JSON.stringify(document)).intents;
    const hears = (name: string, message: string) =>
      intents[name]?.patterns.some((source) => new RegExp(source, "iu").test(message));
    expect(Object.keys(intents)).toEqual(["PAYMENT_PAY", "PAYMENT_REFUND"]);
    expect([hears("PAYMENT_REFUND", "refund Anna"), hears("PAYMENT_PAY", "refund Anna")]).toEqual([true, false]);
    expect(hears("PAYMENT_REFUND", "give him his money back")).toBe(true);
    expect(hears("PAYMENT_PAY", "pay the invoice")).toBe(true);
  });
});
