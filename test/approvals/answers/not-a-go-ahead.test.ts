/** Messages that are close to an order to do the act, and are none: they report, name another act, or ask for it otherwise. */
import { describe, expect, it } from "vitest";
import { goesAhead } from "../../../src/approvals/answers/go-ahead.ts";
import { approvalOf } from "../samples.ts";

const asked = (name: string, args: Record<string, unknown>) =>
  approvalOf("K7QF", { traits: { name }, arguments: args });

describe("a message that lets nothing run", () => {
  it.each([
    ["delete_file", { path: "b.txt" }, ["删了", "删掉了", "bin da", "bin dazu", "bin jetzt", "die löschen das dann"]],
    ["transfer_money", { amount: 20, to: "Ms Weber" }, ["转了", "转账了", "transfer to them", "todo bien, gracias"]],
    ["pay_invoice", { id: "INV-1" }, ["付了", "支付了", "die bezahlen das", "die zahlen dann"]],
    ["send_email", { to: ["anna@x.example", "eve@x.example"] }, ["send to that one", "manda a ese"]],
    ["send_email", { to: "anna@x.example", send_at: "2026-12-31T09:00" }, ["send now", "schick es jetzt"]],
    ["delete_files", { paths: ["a.txt", "b.txt"] }, ["delete that one", "elimina ese"]],
    ["restore_deleted", { id: "P1" }, ["delete it", "purge it"]],
    ["report_payment", { id: "P1" }, ["pay it"]],
    ["page_oncall", { who: "Eve" }, ["pay it"]],
    ["submit_form", { id: "F1" }, ["upload it"]],
  ])("%s %j", (name, args, messages) => {
    for (const message of messages) expect([message, goesAhead(message, asked(name, args))]).toEqual([message, false]);
  });
});

describe("a message that lets the call run", () => {
  it.each([
    ["delete_file", { path: "b.txt" }, ["bin it", "删了吧", "lösch das", "get rid of it"]],
    ["pay_invoice", { id: "INV-1" }, ["pay it", "bezahl das", "付了吧"]],
    ["send_email", { to: "anna@x.example" }, ["send it off", "schick's ab", "send it now"]],
  ])("%s %j", (name, args, messages) => {
    for (const message of messages) expect([message, goesAhead(message, asked(name, args))]).toEqual([message, true]);
  });
});
