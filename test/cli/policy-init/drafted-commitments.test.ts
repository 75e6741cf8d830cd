/** Tools that commit somebody and pay nothing: each has an intent of its own, and words of its own. */
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
  tool("find_patient", "Find patients by name.", "name"),
  tool("prescribe_medicine", "Prescribe a medicine to a patient.", "patient_id", "medicine", "dose"),
  tool("admit_patient", "Admit a patient to a ward.", "patient_id", "ward"),
  tool("discharge_patient", "Discharge a patient.", "patient_id"),
  tool("book_appointment", "Book an appointment for a patient.", "patient_id", "date"),
  tool("pay_invoice", "Pay an invoice.", "invoice_id"),
  tool("order_stock", "Order stock from the wholesaler.", "item", "quantity"),
  tool("enrol_student", "Enrol a student in a course.", "student_id", "course"),
  tool("sign_contract", "Sign a contract.", "contract_id"),
  tool("ship_order", "Ship an order.", "order_id"),
  tool("hire_candidate", "Hire a candidate.", "candidate_id"),
  tool("hire_car", "Hire a car.", "car_id"),
];

const { document, comments } = draftPolicy(tools, "drafted");
const checked = checkPolicy(document, "v");
if (!checked.ok) throw new Error(JSON.stringify(checked.error));
const { policy, document: drafted } = checked.value;
const intentOf = (name: string) => Object.entries(drafted.intents).find(([, { tools }]) => tools?.includes(name));

async function actsAfter(text: string): Promise<readonly string[]> {
  const unasked = async () => ({ missed: "absent" as const });
  const detector = createDetector({ slow: { semantic: unasked, model: unasked }, onMissed: () => undefined });
  const { intents } = await detector.detect(policy, { text, assistant: undefined }, new AbortController().signal);
  const acts = intents.flatMap(({ name }) => drafted.intents[name]?.tools ?? []);
  return acts.filter((name) => !name.startsWith("category:"));
}

describe("the draft for tools that commit somebody", () => {
  it.each([
    ["prescribe_medicine", "PATIENT_PRESCRIBE"],
    ["admit_patient", "PATIENT_ADMIT"],
    ["discharge_patient", "PATIENT_DISCHARGE"],
    ["book_appointment", "CALENDAR_BOOK"],
    ["pay_invoice", "PAYMENT_PAY"],
    ["order_stock", "STOCK_BUY"],
    ["enrol_student", "STUDENT_ENROL"],
    ["sign_contract", "CONTRACT_SIGN"],
    ["ship_order", "ORDER_SHIP"],
    ["hire_candidate", "CANDIDATE_HIRE"],
    ["hire_car", "RIDE_BOOK"],
  ])("%s: %s", (name, intent) => {
    expect(intentOf(name)?.[0]).toBe(intent);
    expect(drafted.tools[name]?.category).toBe("external");
    expect(drafted.tools[name]?.roles).toEqual(["user", "premium", "admin"]);
    expect(intentOf(name)?.[1].examples.length).toBeGreaterThan(15);
  });

  it("gives the reason in the word for what it does, and no sentence about money", () => {
    expect(comments.get("/tools/prescribe_medicine")?.join()).toContain("its name says `prescribe` (commit)");
    for (const name of tools.map(({ name }) => name).filter((one) => !/find|pay|order_stock/.test(one))) {
      const { examples = [], keywords = [] } = intentOf(name)?.[1] ?? {};
      const words = [...examples, ...keywords].filter((text) =>
        /\b(?:pay|refund|transfer|bezahl|überweis|paga)/i.test(text),
      );
      expect([name, words]).toEqual([name, []]);
    }
  });

  it.each([
    ["Prescribe metacam 0.5 ml for P-1042", ["prescribe_medicine"]],
    ["bitte die Rechnung vom Patienten P-1042 bezahlen", []],
    ["pay my patient", ["pay_invoice"]],
    ["Pay the invoice of the patient", ["pay_invoice"]],
    ["Please admit Mrs. Hill to ward 3", ["admit_patient"]],
    ["Book an appointment for Mr. Hill", ["book_appointment"]],
    ["Sign the contract with Weber", ["sign_contract"]],
  ])("%s: %j", async (text, expected) => {
    expect(await actsAfter(text)).toEqual(expected);
  });

  it("takes how much and when for the user's to say, where it commits somebody or makes a bill", () => {
    const typed = (name: string, description: string, properties: object) => ({
      name,
      description,
      parameters: { type: "object", properties },
    });
    const [text, whole] = [{ type: "string" }, { type: "integer" }];
    const { document, comments } = draftPolicy(
      [
        typed("prescribe_medicine", "Prescribe a medicine.", { patient_id: text, dose: text, days: whole, note: text }),
        typed("book_appointment", "Book an appointment.", {
          patient_id: text,
          date: text,
          start_time: text,
          reason: text,
        }),
        typed("reserve_room", "Reserve a room.", { room: text, check_in: text, guests: whole }),
        typed("create_invoice", "Create an invoice.", { customer_id: text, amount: { type: "number" }, date: text }),
        typed("set_thermostat", "Set a thermostat.", { temperature: whole }),
        typed("send_money", "Send money.", { recipient: text, amount: { type: "number" } }),
      ],
      "drafted",
    );
    const amounts = Object.entries(
      document.tools as Record<string, { arguments?: Record<string, { role: string }> }>,
    ).map(([name, { arguments: roles = {} }]) => [
      name,
      Object.keys(roles).filter((key) => roles[key]?.role === "amount"),
    ]);
    expect(Object.fromEntries(amounts)).toEqual({
      prescribe_medicine: ["dose", "days"],
      book_appointment: ["date", "start_time"],
      reserve_room: ["check_in", "guests"],
      create_invoice: ["amount"],
      set_thermostat: [],
      // The gate compares what a payment is of by itself, where the user says how much.
      send_money: [],
    });
    expect(comments.get("/tools/prescribe_medicine")?.join()).toContain("`days` must be what the user says");
  });
});
