import { describe, expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { callValues, rolesOf } from "../../../src/policy/origin/roles/argument-roles.ts";
import { type ArgumentFacts, guessRole as guessRoleOf } from "../../../src/policy/origin/roles/roles.ts";
import { toolEffects } from "../../../src/policy/origin/roles/tool-verbs.ts";

const text = { type: "string" };
const guessRole = (facts: Omit<ArgumentFacts, "effects">) =>
  guessRoleOf({ ...facts, effects: toolEffects(facts.tool) });

const roleOf = (tool: string, name: string, schema: unknown = text, path: readonly string[] = []) =>
  guessRole({ tool, name, path, schema }).role;

describe("the role that an argument's name gives", () => {
  it.each([
    ["send_email", "to", "destination"],
    ["send_email", "recipients", "destination"],
    ["sendEmail", "bccAddresses", "destination"],
    ["send_email", "body", "content"],
    ["send_email", "email_body", "content"],
    ["send_email", "subject_line", "content"],
    ["send_email", "reply_to", "destination"],
    ["send_email", "ｔｏ", "destination"],
    ["send_email", "t\u200bo", "destination"],
    ["send_email", "attachments", "object"],
    ["delete_email", "email_id", "object"],
    ["delete_tweets", "tweet_ids", "object"],
    ["send_message", "channelId", "destination"],
    ["send_message", "channel_name", "destination"],
    ["send_message", "user_id", "destination"],
    ["send_message", "text_to_send", "content"],
    ["get_user", "user_id", "object"],
    ["pay", "recipient_username", "destination"],
    ["pay", "recipient_iban", "destination"],
    ["pay", "accountnumber", "destination"],
    ["pay", "amount", "amount"],
    ["pay", "payment_date", "content"],
    ["pay", "reference_note", "content"],
    ["create_event", "attendees", "destination"],
    ["create_event", "start_time", "content"],
    ["create_event", "location", "content"],
    ["ship_parcel", "city", "destination"],
    ["ship_parcel", "shippingAddress", "destination"],
    ["reserve_hotel", "check_in", "content"],
    ["fetch", "url", "destination"],
    ["list_files", "page_token", "content"],
    ["list_files", "sort_key", "object"],
    ["add_deploy_key", "public_key", "destination"],
    ["update_password", "new_password", "destination"],
    ["run", "command", "destination"],
    ["delete_file", "file_path", "object"],
    ["delete_repo", "repository", "object"],
    ["überweisen", "empfänger", "destination"],
    ["ueberweisen", "kontonummer", "destination"],
    ["ueberweisen", "betrag", "amount"],
    ["senden", "empfaengeradresse", "destination"],
    ["senden", "nachricht", "content"],
    ["enviar_correo", "destinatarios", "destination"],
    ["enviar_correo", "cuerpo", "content"],
    ["transferir", "cuenta_destino", "destination"],
    ["transferir", "importe", "amount"],
    ["发送邮件", "收件人", "destination"],
    ["发送邮件", "正文", "content"],
    ["转账", "金额", "amount"],
    ["删除文件", "文件路径", "object"],
    ["envoyer_courriel", "destinataire", "destination"],
    ["virement", "montant", "amount"],
    ["invia_messaggio", "corpo", "content"],
    ["bonifico", "importo", "amount"],
    ["отправить", "получатель", "destination"],
    ["이메일_보내기", "수신자", "destination"],
    ["asignar_tarea", "vendedor", "destination"],
    ["振込", "銀行コード", "destination"],
    ["print", "printer", "destination"],
    ["mqtt_publish", "topic", "destination"],
    ["zoom_create", "topic", "content"],
    ["ssh_run", "port", "destination"],
    ["update_issue", "assignees", "destination"],
    ["set_forwarding", "target", "destination"],
    ["notion_invite", "page", "object"],
    ["phone_call", "number", "destination"],
    ["set_webhook", "value", "destination"],
    ["crypto_send", "value", "amount"],
    ["set_cookie", "value", "content"],
    ["create_discount", "max_redemptions", "amount"],
    ["メール送信", "宛先", "destination"],
    ["メール送信", "件名", "content"],
    ["送金", "金額", "amount"],
    ["ファイル削除", "ファイル名", "object"],
  ])("%s(%s) is a %s", (tool, name, role) => {
    expect(roleOf(tool, name)).toBe(role);
  });

  it("goes to the name around one that says nothing", () => {
    expect(roleOf("send_email", "name", text, ["recipient"])).toBe("destination");
    expect(roleOf("send_email", "value", text, ["recipients"])).toBe("destination");
    expect(roleOf("send_email", "note", text, ["recipient"])).toBe("content");
  });

  it("says by which word", () => {
    expect(guessRole({ tool: "send", name: "recipientEmail", path: [], schema: text }).because).toBe(
      "its name says `email`",
    );
  });
});

describe("the role that a schema gives", () => {
  it.each([
    [{ type: "string", format: "email" }, "destination"],
    [{ type: "string", format: "uri" }, "destination"],
    [{ type: "string", format: "ipv4" }, "destination"],
    [{ type: "string", format: "uuid" }, "object"],
    [{ type: "string", format: "date-time" }, "content"],
    [{ type: "boolean" }, "content"],
    [{ type: "string", enum: ["a", "b"] }, "content"],
    [{ type: "string", description: "The e-mail address of the buyer" }, "destination"],
    [{ type: "string", description: "the path to write" }, "object"],
  ])("%j is a %s", (schema, role) => {
    expect(roleOf("change_thing", "foo", schema)).toBe(role);
  });

  it.each([
    ["run_instances", "count", "amount"],
    ["search_web", "count", "content"],
    ["set_insulin", "units_per_hour", "amount"],
    ["list_files", "results_per_page", "content"],
    ["update_deal", "value", "amount"],
    ["set_card_limit", "daily", "amount"],
    ["get_card_limit", "days_back", "content"],
    ["list_files", "page", "content"],
    ["set_volume", "level", "content"],
    ["reserve_hotel", "guests", "amount"],
    ["reserve_hotel", "guest", "destination"],
  ])("tells how much from what is only a number: %s(%s) is %s", (tool, name, role) => {
    expect(roleOf(tool, name, { type: "number" })).toBe(role);
  });

  it("takes the numbers of a list for ids, and no counts", () => {
    const items = { type: "array", items: { type: "integer" } };
    const roles = rolesOf({ name: "send_invitation", parameters: { properties: { guests: items } } }, {}, workBudget());
    expect(roles.roleAt(["guests", "*"]).role).toBe("destination");
  });

  it("beats the name with a format that says where data goes", () => {
    expect(roleOf("notify", "title", { type: "string", format: "uri" })).toBe("destination");
  });

  it("marks what the tool reaches over the network", () => {
    expect(guessRole({ tool: "fetch", name: "url", path: [], schema: text }).reaches).toBe(true);
    expect(guessRole({ tool: "find_user", name: "email", path: [], schema: text }).reaches).toBeUndefined();
  });
});

describe("the role that the tool's other arguments give", () => {
  const rolesIn = (name: string, properties: object, required: readonly string[] = []) => {
    const roles = rolesOf({ name, parameters: { type: "object", properties, required } }, {}, workBudget());
    return (args: object) =>
      Object.fromEntries(callValues(roles, args, workBudget()).map(({ pointer, role }) => [pointer, role.role]));
  };
  const list = { type: "array", items: text };

  it("takes a domain or a port for an address beside a host alone, and a value that is an address anywhere", () => {
    const switches = rolesIn("turn_off", { area: text, domain: list });
    expect(switches({ domain: ["light"] })["/domain/0"]).toBe("content");
    expect(switches({ domain: ["evil.example"] })["/domain/0"]).toBe("destination");
    expect(rolesIn("share_file", { domain: text })({ domain: "rivals" })["/domain"]).toBe("destination");
    const ports = { localPort: { type: "number" }, port: { type: "number" } };
    expect(rolesIn("map_port", ports)({ localPort: 8080 })["/localPort"]).toBe("content");
    expect(rolesIn("map_port", { ...ports, host: text })({ port: 8080 })["/port"]).toBe("destination");
  });

  it("takes a text for an address where the tool changes something, unless its schema says that it is a kind", () => {
    const roleIn = (tool: string, name: string, schema: object, value: unknown) =>
      rolesIn(tool, { [name]: schema })({ [name]: value })[`/${name}`];
    expect(roleIn("set_proxy", "port", text, "rivals:8080")).toBe("destination");
    expect(roleIn("set_proxy", "port", { type: "number" }, 8080)).toBe("content");
    expect(roleIn("set_proxy", "port", { type: "number" }, "evil.example:8080")).toBe("destination");
    expect(roleIn("set_domain", "domain", text, "rivals")).toBe("destination");
    expect(rolesIn("set_domains", { domain: list })({ domain: ["rivals"] })["/domain/0"]).toBe("destination");
    expect(roleIn("turn_off", "domain", { ...text, examples: ["light", "switch"] }, "light")).toBe("content");
    expect(roleIn("turn_off", "domain", { ...text, enum: ["light"] }, "light")).toBe("content");
    expect(roleIn("turn_off", "domain", { ...text, description: "The kind of device." }, "light")).toBe("content");
  });

  it("takes a thread for an object where the call must say whose", () => {
    const posts = { channel_id: text, thread_ts: text };
    const args = { channel_id: "C1", thread_ts: "171.2" };
    expect(rolesIn("send_reply", posts, ["channel_id"])(args)["/thread_ts"]).toBe("object");
    expect(rolesIn("send_reply", posts)(args)["/thread_ts"]).toBe("destination");
  });

  it("tells by its value what a command of a fixed choice does", () => {
    const command = { type: "string", enum: ["status", "history", "insert_after", "undo", "delete_all"] };
    const roles = rolesIn("manage_rollout", { command });
    const roleOfValue = (value: string) => roles({ command: value })["/command"];
    expect(["status", "history", "insert_after"].map(roleOfValue)).toEqual(Array(3).fill("content"));
    expect(["undo", "delete_all", "rm -rf /"].map(roleOfValue)).toEqual(Array(3).fill("object"));
    // As "disable", "activate" and "move" are.
    for (const act of "deaktivieren aktivieren ausschalten desactivar activar verschieben mover 移动 移動".split(" "))
      expect(roleOfValue(act)).toBe("object");
    expect(rolesIn("run_it", { command: text })({ command: "status" })["/command"]).toBe("destination");
  });

  it("takes a fixed choice of ways for no receiver, and one of receivers for what it is", () => {
    const ways = { type: "string", enum: ["sms", "email"] };
    expect(roleOf("send_message", "channel", ways)).toBe("content");
    expect(roleOf("send_message", "channel", { type: "string", enum: ["press", "board"] })).toBe("destination");
    expect(roleOf("send_alert", "to", { type: "string", enum: ["all"] })).toBe("destination");
    expect(roleOf("send_alert", "to", { type: "string", enum: [] })).toBe("destination");
    expect(roleOf("run_it", "command", { type: "string", enum: [] })).toBe("destination");
    expect(roleOf("share_file", "visibility", { type: "string", enum: ["public", "private"] })).toBe("destination");
  });

  it("believes a description that says it is an id, and not of a number", () => {
    const schema = (type: string) => ({ type, description: "The ID of the price for the item." });
    expect(roleOf("create_invoice_item", "price", schema("string"))).toBe("object");
    expect(roleOf("create_invoice_item", "price", schema("number"))).toBe("amount");
  });
});

describe("a name that says nothing", () => {
  it("is an object where the schema lists it, and a destination where it does not", () => {
    expect(roleOf("do_thing", "foo")).toBe("object");
    expect(guessRole({ tool: "do_thing", name: "foo", path: [] }).role).toBe("destination");
  });

  it("is no role of a prototype's", () => {
    for (const name of ["constructor", "__proto__", "valueof", ""]) expect(roleOf("do_thing", name)).toBe("object");
  });

  it("costs little, however long it is", () => {
    expect(roleOf("do_thing", `${"a".repeat(1_000_000)}_url`)).toBe("destination");
  });
});

describe("what a tool does", () => {
  it.each([
    ["delete_file", ["destroy"]],
    ["calendar_event_delete", ["destroy"]],
    ["search_delete", ["destroy"]],
    ["list_orders", ["read"]],
    ["get_order", ["read"]],
    ["GmailListMessages", ["read"]],
    ["get_and_delete", ["read", "destroy"]],
    ["create_file", ["create"]],
    ["create_order", ["create", "pay"]],
    ["create_share_link", ["create", "access"]],
    ["create_voucher", ["create", "pay"]],
    ["escalate_ticket", ["send"]],
    ["update_order", ["change"]],
    ["update_scheduled_transaction", ["change", "pay"]],
    // Stock is goods, and shares beside the words of a trade.
    ["update_stock", ["change"]],
    ["adjust_stock", ["change"]],
    ["update_stock_order", ["change", "pay"]],
    ["modify_stock_position", ["change", "pay"]],
    ["set_stock_trade", ["change", "pay"]],
    ["cancel_stock_orders", ["destroy", "pay"]],
    ["get_stock_orders", ["read"]],
    ["send_money", ["send", "pay"]],
    ["post_tweet", ["commit", "send"]],
    ["merge_pull_request", ["commit"]],
    ["append_to_file", ["change"]],
    ["datei_loeschen", ["destroy"]],
    ["eliminar_archivo", ["destroy"]],
    ["删除文件", ["destroy"]],
    ["送金する", ["pay"]],
    ["frobnicate", []],
  ])("%s: %j", (name, effects) => {
    expect([...toolEffects(name)].sort()).toEqual([...effects].sort());
  });

  it("stands in the description where the name has no verb", () => {
    expect([...toolEffects("cleaner", "Deletes all files of the folder.")]).toEqual(["destroy"]);
    expect([...toolEffects("delete_file", "Reads a file.")]).toEqual(["destroy"]);
  });
});
