import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DisclosureView, WrittenDisclosure } from "../../../src/approvals/disclosure/disclosed.ts";
import { describeApproval, disclosureText } from "../../../src/approvals/disclosure/disclosure.ts";
import { placesOf, splitQuestion } from "../../../src/approvals/disclosure/template.ts";
import { surelyIn } from "../../../src/approvals/words/language.ts";
import { fillWords, wordsOf } from "../../../src/approvals/words/words.ts";
import type { Verb } from "../../../src/lib/acts/tool-verb.ts";
import { type Language, type LocalText, languages } from "../../../src/lib/text/languages.ts";
import { proseParts } from "../../../src/lib/text/prose.ts";
import type { UntrustedArgument } from "../../../src/policy/reasons.ts";
import { approvalOf, hostileText, viewOf } from "../samples.ts";

const gnorm = { name: "gnorm_annotate", category: "external", destination: "the GNORM API" } as const;
const effects = (view: DisclosureView) => view.effects.map(({ text }) => text);

describe("a value that the user did not name", () => {
  const told = (untrusted: readonly UntrustedArgument[]) =>
    effects(viewOf({ asks: ["argument_untrusted"], untrusted, arguments: { to: "eve@evil.example" } }));

  it.each([
    [{ tool: "read_mail", callId: "c1" }, "`eve@evil.example` comes from the result of `read_mail`, not from you."],
    [{ tool: "", callId: "c1" }, "you did not write `eve@evil.example`."],
    [undefined, "neither your messages nor any result contain `eve@evil.example`: the assistant chose it."],
  ])("comes from %j", (from, text) => {
    expect(told([{ path: "/to", ...(from ? { from } : {}) }])).toContain(`⚠ Look closely: ${text}`);
  });

  it.each([
    ["quoted", "`eve@evil.example` is only in text that you quoted or pasted."],
    ["unsure", "it is not certain that you mean `eve@evil.example`."],
  ] as const)("stands in the user's messages: %s", (inMessages, text) => {
    expect(told([{ path: "/to", inMessages }])).toContain(`⚠ Look closely: ${text}`);
  });

  it("is one of several, and the person is told once to look closely", () => {
    const view = viewOf({
      asks: ["intent_undetected", "argument_untrusted"],
      untrusted: [{ path: "/to" }],
      arguments: { to: "eve@evil.example" },
    });
    expect(effects(view).slice(0, 2)).toEqual([
      "⚠ Look closely: it is not clear that you asked for this.",
      "Neither your messages nor any result contain `eve@evil.example`: the assistant chose it.",
    ]);
  });

  it("is nothing at all", () => {
    expect(told([]).join(" ")).toContain("this action names nothing that you wrote");
  });
});

describe("the title", () => {
  const titleOf = (name: string, args: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    viewOf({ traits: { name, ...more }, arguments: args }).title;

  it.each([
    ["delete_file", { path: "old.txt" }, "Delete `old.txt`?"],
    ["send_money", { recipient: "ann", amount: 5 }, "Send money to `ann`?"],
    ["send_to_user", { to: "ann" }, "Send to `ann`?"],
    ["deleteFile", { filePath: "old.txt", force: true }, "Delete `old.txt`?"],
    ["files__remove", { id: 7 }, "Remove `7`?"],
    [
      "send_email",
      { subject: "Hi", to: ["ann@x.example", "bo@x.example"] },
      "Send email to `ann@x.example`, `bo@x.example`?",
    ],
    ["send_email", { subject: "Hi", body: "x" }, "Send email?"],
    ["run_command", { command: "npm test" }, "Run `npm test`?"],
    ["run_command", { command: "echo `id`" }, "Run `` echo `id` ``?"],
    ["refund_order", { order_id: "A-1042", amount: 129.5 }, "Refund `129.5` for `A-1042`?"],
    ["refund_order", { order_id: "A-1042" }, "Refund `A-1042`?"],
    ["transfer_money", { iban: "DE02", amount: 20, reference: "rent" }, "Transfer `20` to `DE02`?"],
    ["move_file", { source: "a.txt", destination: "old/a.txt" }, "Move `a.txt` to `old/a.txt`?"],
    ["note_delete", { note_id: "n1" }, "Delete `n1`?"],
    ["gnorm_annotate", { text: "Augustine" }, "Use `gnorm_annotate` with `Augustine`?"],
    ["frobnicate", {}, "Use `frobnicate`?"],
    ["reject_refund", { refund_id: "R-1" }, "Reject refund: `R-1`?"],
    ["transfer_reject", { id: "T-1" }, "Transfer reject: `T-1`?"],
    ["transfer_cancel", { id: "T-1" }, "Cancel `T-1`?"],
    ["create_and_send_invoice", { id: "T-1" }, "Create and send invoice: `T-1`?"],
    ["undo_delete", { file: "a.txt" }, "Undo delete: `a.txt`?"],
    ["dispute_charge", { charge_id: "CH-1" }, "Dispute charge: `CH-1`?"],
    ["release_payment", { payment_id: "P-1" }, "Release payment: `P-1`?"],
    ["export_customer_list", { email: "lea@x.example" }, "Export customer list: `lea@x.example`?"],
    ["email_delete", { id: 7 }, "Delete `7`?"],
    ["file_undo_delete", { id: 7 }, "File undo delete: `7`?"],
    ["book_appointment", { patient_id: "p_77" }, "Book appointment for `p_77`?"],
    [
      "book_appointment",
      { patient_id: "p_77", date: "2026-12-03", time: "14:00" },
      "Book appointment for `p_77`, `2026-12-03`, `14:00`?",
    ],
    ["send_sms", { phone: "0171 1", text: "hi" }, "Send SMS to `0171 1`?"],
    ["send_sms_to_owner", { phone: "0676 111222", text: "hi" }, "Send SMS to `0676 111222`?"],
    ["create_invoice", { patient_id: "P-2001", amount: 60, text: "op" }, "Create invoice for `P-2001`, `60`?"],
    ["create_invoice", { invoice_id: "I-1", amount: 60 }, "Create `I-1`?"],
    ["update_stock", { sku: "VASE-4", quantity: 19 }, "Update stock for `VASE-4`, `19`?"],
    ["update_patient_record", { patient_id: "P-1042", field: "weight" }, "Change `P-1042`?"],
    ["order_stock", { item: "Metacam 32 ml", quantity: 5 }, "Order stock: `Metacam 32 ml`, `5`?"],
    ["create_branch", { owner: "o", repo: "shop", branch: "fix-typo" }, "Create branch: `fix-typo`, `shop`?"],
    ["create_pull_request", { repo: "shop", title: "Fix typo" }, "Create pull request: `Fix typo`, `shop`?"],
    ["merge_pull_request", { repo: "shop", pullNumber: 42 }, "Merge pull request: `42`, `shop`?"],
    [
      "create_issue_comment",
      { repo: "shop", issue_number: 7, body: "x".repeat(99) },
      "Create issue comment: `7`, `shop`?",
    ],
    ["create_comment", { repo: "shop", body: "x".repeat(99) }, "Create comment for `shop`?"],
    ["delete_comment", { repo: "shop", comment_id: "c1" }, "Delete `c1`?"],
    ["delete_repository", { repo: "shop" }, "Delete `shop`?"],
    ["create_refund", { payment_intent: "pi_777", amount: 5 }, "Create refund for `pi_777`, `5`?"],
    ["notion-update-page", { page_id: "p1", command: "insert" }, "Change `p1`?"],
    ["kubectl_delete", { name: "pod-1" }, "Delete `pod-1`?"],
    ["conversations_add_message", { channel_id: "#general" }, "Add message for `#general`?"],
    ["HassTurnOn", { name: "kitchen light" }, "Turn on: `kitchen light`?"],
    // No prefix, but words that turn the act into another.
    ["github_reject_refund", { id: "R-1" }, "Use `github_reject_refund` with `R-1`?"],
    ["contest_charge", { charge_id: "CH-1" }, "Use `contest_charge` with `CH-1`?"],
    ["cancels_delete", { id: "R-1" }, "Cancels delete: `R-1`?"],
    [
      "prescribe_medicine",
      { patient_id: "P-1", medicine: "metacam", dose: "0.5 ml" },
      "Prescribe medicine: `metacam`, `0.5 ml`?",
    ],
  ])("names the act by the tool's name and what it is about: %s %j", (name, args, title) => {
    expect(titleOf(name, args)).toBe(title);
  });

  it("names in each language what the tool makes, and not what it is for", () => {
    const sample = { traits: { name: "create_invoice" }, arguments: { patient_id: "P-2001", amount: 60 } };
    expect(languages.map((language) => viewOf(sample, language).title)).toEqual([
      "Create invoice for `P-2001`, `60`?",
      "创建 `invoice`（`P-2001`, `60`）？",
      "`P-2001`, `60` の `invoice` を作成しますか？",
      "`invoice` für `P-2001`, `60` anlegen?",
      "¿Crear `invoice` para `P-2001`, `60`?",
      "Créer `invoice` pour `P-2001`, `60`\u202f?",
      "`invoice`(`P-2001`, `60`) 만들까요?",
    ]);
    const sms = { traits: { name: "send_sms_to_owner" }, arguments: { phone: "0676 111222", text: "hi" } };
    expect(viewOf(sms, "de").title).toBe("An `0676 111222` senden?");
  });

  it("says that data leaves only of what sends it", () => {
    const effectsOf = (name: string, more = {}) =>
      viewOf({ traits: { name, category: "external", ...more } }).effects.map(({ text }) => text);
    const sends = ["Data leaves this system.", "⚠ What is sent cannot be taken back."];
    expect(effectsOf("send_email")).toEqual(sends);
    expect(effectsOf("search_web")).toEqual(sends);
    expect(effectsOf("frobnicate")).toEqual(sends);
    expect(effectsOf("book_appointment", { listed: false })).toEqual(sends);
    expect(effectsOf("book_appointment")).toEqual(["⚠ This cannot be undone."]);
    expect(effectsOf("order_stock")).toEqual(["⚠ This cannot be undone."]);
    expect(effectsOf("book_table", { destination: "the restaurant" })[0]).toBe("Data goes to the restaurant.");
  });

  it("names in each language what is new, and where it is", () => {
    const sample = { traits: { name: "create_branch" }, arguments: { repo: "shop", branch: "b1" } };
    expect(languages.map((language) => viewOf(sample, language).title)).toEqual([
      "Create branch: `b1`, `shop`?",
      "创建 `branch` `b1`, `shop`？",
      "`branch` `b1`, `shop` を作成しますか？",
      "`branch` `b1`, `shop` anlegen?",
      "¿Crear `branch` `b1`, `shop`?",
      "Créer `branch` `b1`, `shop`\u202f?",
      "`branch` `b1`, `shop` 만들까요?",
    ]);
  });

  it("says what follows by what the tool's name says that it does", () => {
    const effectsOf = (name: string, category: "external" | "modification") =>
      effects(viewOf({ traits: { name, category } }))[0];
    const changes = "This can change something that exists.";
    // What is new, a label, a lamp, an assignee and a record's value can simply be set back.
    const light =
      "create_branch github_create_issue add_label turn_on set_brightness dim_light close_cover close_ticket assign_issue update_branch " +
      "update_price move_issue rename_file archive_message remove_label create_sprint start_vacuum HassTurnOn";
    for (const name of light.split(" ")) expect([name, effectsOf(name, "modification")]).toEqual([name, undefined]);
    for (const name of ["create_or_update_file", "make_and_replace_file"])
      expect(viewOf({ traits: { name, category: "modification" } }).summary).toContain("changes or removes");
    for (const name of ["write_file", "upload_file"])
      expect([name, effectsOf(name, "modification")]).toEqual([name, changes]);
    // "Change `b1`?" says it.
    const grave =
      "delete_file run_command refund_payment edit_file update_note unlock_door merge_branch deploy_app assign_role close_account " +
      "stop_server remove_member set_permissions start_deployment";
    for (const name of grave.split(" "))
      expect([name, effectsOf(name, "modification")]).toEqual([name, "⚠ This cannot be undone."]);
    expect(effectsOf("HassTurnOn", "external")).toBeUndefined();
    const event = (category: "external" | "note_taking", attendees: readonly string[]) =>
      effects(viewOf({ traits: { name: "create_event", category }, arguments: { title: "Hotel", attendees } }));
    expect(event("note_taking", [])).toEqual([]);
    expect(event("note_taking", ["kim@x.example"])).toEqual(["⚠ This cannot be undone."]);
    expect(event("external", [])).toEqual(["Data leaves this system.", "⚠ What is sent cannot be taken back."]);
    // What a file held before is lost.
    expect(effects(viewOf({ traits: { name: "edit" }, arguments: { path: "a.txt" } }))).toContain(
      "⚠ This cannot be undone.",
    );
    expect(effectsOf("update_page", "external")).toBe("Data leaves this system.");
  });

  it("is in each language", () => {
    const sample = { traits: { name: "delete_file" }, arguments: { path: "old.txt" } };
    expect(languages.map((language) => viewOf(sample, language).title)).toEqual([
      "Delete `old.txt`?",
      "删除 `old.txt`？",
      "`old.txt` を削除しますか？",
      "`old.txt` löschen?",
      "¿Eliminar `old.txt`?",
      "Supprimer `old.txt`\u202f?",
      "`old.txt` 삭제할까요?",
    ]);
  });

  const useTitles = (tool: string) =>
    (["zh", "ja", "de", "es", "fr", "ko"] as const).map((one) =>
      fillWords(wordsOf(one).title.use, { tool: `\`${tool}\`` }),
    );

  it.each([
    ["send_message", { text: "hi" }, "Send message?"],
    ["send_newsletter", { segment: "all", template: "nl_7" }, "Send newsletter?"],
    ["search_orders", { status: "open", from: "2026" }, "Use `search_orders`?"],
    ["append_note", { text: "x" }, "Append note?"],
    ["git_commit", { message: "x", amend: false }, "Use `git_commit`?"],
  ])("names no value that the act is not about: %s %j", (name, args, title) => {
    expect(languages.map((language) => viewOf({ traits: { name }, arguments: args }, language).title)).toEqual([
      title,
      ...useTitles(name),
    ]);
  });

  const nounTitles = (verb: Verb, noun: string) =>
    (["zh", "ja", "de", "es", "fr", "ko"] as const).map((one) =>
      fillWords(wordsOf(one).title.verbs[verb], { object: `\`${noun}\`` }),
    );

  it.each([
    ["run_report", { from: "a", to: "b" }, "Run report?", "run", "report"],
    ["delete_all_files", {}, "Delete all files?", "delete", "all files"],
    ["delete_account", { reason: "spam" }, "Delete account?", "delete", "account"],
    ["start_vacuum", { room: "hall" }, "Start vacuum?", "start", "vacuum"],
  ] as const)("names the noun of the tool's name without a value: %s %j", (name, args, title, verb, noun) => {
    expect(languages.map((language) => viewOf({ traits: { name }, arguments: args }, language).title)).toEqual([
      title,
      ...nounTitles(verb, noun),
    ]);
  });

  it.each([
    ["turn_on", { entity_id: "hall" }, "Turn on: `hall`?", "`hall` einschalten?", "打开 `hall`？"],
    ["turn_off", { entity_id: "hall" }, "Turn off: `hall`?", "`hall` ausschalten?", "关闭 `hall`？"],
    [
      "set_brightness",
      { entity_id: "hall", brightness: 40 },
      "Set brightness: `hall`?",
      "`hall` (`brightness`) einstellen?",
      "设置 `hall`（`brightness`）？",
    ],
    [
      "set_alarm",
      { mode: "arm_home" },
      "Set alarm: `arm_home`?",
      "`arm_home` (`alarm`) einstellen?",
      "设置 `arm_home`（`alarm`）？",
    ],
    ["close_cover", { entity_id: "hall" }, "Close cover: `hall`?", "`hall` schließen?", "关闭 `hall`？"],
    [
      "mark_as_shipped",
      { order_id: "2001" },
      "Mark as shipped: `2001`?",
      "`2001` (`as shipped`) markieren?",
      "标记 `2001`（`as shipped`）？",
    ],
    [
      "assign_issue",
      { issue_id: "T-5", assignee: "Kim" },
      "Assign issue: `T-5` to `Kim`?",
      "`T-5` an `Kim` zuteilen?",
      "分配 `T-5` 给 `Kim`？",
    ],
    ["play_media", { entity_id: "hall", media: "jazz" }, "Play media: `jazz`?", "`jazz` abspielen?", "播放 `jazz`？"],
    [
      "reply_to_message",
      { message_id: "m_77", body: "x" },
      "Reply to `m_77`?",
      "Antwort senden: `m_77`?",
      "回复 `m_77`？",
    ],
    ["reply_email", { to: "kim@x.example", body: "x" }, "Reply to `kim@x.example`?", undefined, undefined],
    [
      "invite_member",
      { email: "kim@x.example" },
      "Invite `kim@x.example`?",
      "`kim@x.example` einladen?",
      "邀请 `kim@x.example`？",
    ],
    [
      "send_customer_message",
      { customer_email: "kim@x.example", text: "x" },
      "Send customer message to `kim@x.example`?",
      "An `kim@x.example` senden?",
      undefined,
    ],
    ["cancel_order", { order_id: "2001" }, "Cancel `2001`?", "`2001` stornieren?", undefined],
  ])("names an everyday act in each language: %s %j", (name, args, ...titles) => {
    for (const [at, language] of (["en", "de", "zh"] as const).entries())
      if (titles[at] !== undefined)
        expect(viewOf({ traits: { name }, arguments: args }, language).title).toBe(titles[at]);
  });

  it.each([
    ["post_comment", { issue_number: 7 }, "Post comment for `7`?", "`comment` für `7` veröffentlichen?"],
    ["delete_comment", { issue_number: 7 }, "Delete comment for `7`?", "`comment` für `7` löschen?"],
    ["merge_branch", { repo: "shop" }, "Merge branch for `shop`?", "`branch` für `shop` zusammenführen?"],
    ["cancel_subscription", { customer: "c_1" }, "Cancel subscription for `c_1`?", undefined],
    ["delete_repository", { repo: "shop" }, "Delete `shop`?", "`shop` löschen?"],
    ["cancel_booking", { booking_id: "B-7" }, "Cancel `B-7`?", undefined],
    ["deploy", { target: "production" }, "Deploy `production`?", undefined],
  ])("does not take what the act is for for what it is done to: %s %j", (name, args, english, german) => {
    expect(titleOf(name, args)).toBe(english);
    if (german !== undefined) expect(viewOf({ traits: { name }, arguments: args }, "de").title).toBe(german);
    // Of a tool that the policy does not list, the name alone.
    if (english.includes(" for "))
      expect(titleOf(name, args, { listed: false })).toBe(`Use \`${name}\` with ${/`.*`/.exec(english)?.[0]}?`);
  });

  it("is a sentence in each language where it is about nothing that it can name", () => {
    const sample = { traits: { name: "update_stock", listed: true }, arguments: { text: "x".repeat(99), quantity: 0 } };
    expect(languages.map((language) => viewOf(sample, language).title)).toEqual([
      "Update stock?",
      ...nounTitles("edit", "stock"),
    ]);
  });

  it("says in each language who gets an amount, and where something goes", () => {
    const paid = { traits: { name: "transfer_money" }, arguments: { amount: 20, recipient: "Ann" } };
    const moved = { traits: { name: "move_file" }, arguments: { source: "a.txt", destination: "b.txt" } };
    const titles = [paid, moved].flatMap((one) => languages.map((language) => viewOf(one, language).title));
    expect(titles).toEqual([
      "Transfer `20` to `Ann`?",
      "转移 `20` 给 `Ann`？",
      "`Ann` へ `20` を移しますか？",
      "`20` an `Ann` übertragen?",
      "¿Transferir `20` a `Ann`?",
      "Transférer `20` à `Ann`\u202f?",
      "`Ann`에게 `20` 이전할까요?",
      "Move `a.txt` to `b.txt`?",
      "移动 `a.txt` 至 `b.txt`？",
      "`b.txt` へ `a.txt` を移動しますか？",
      "`a.txt` nach `b.txt` verschieben?",
      "¿Mover `a.txt` a `b.txt`?",
      "Déplacer `a.txt` vers `b.txt`\u202f?",
      "`a.txt` → `b.txt` 옮길까요?",
    ]);
  });

  it("takes the policy's words where it has some", () => {
    const of = (description: string, args = { path: "a.txt" }) =>
      viewOf({ traits: { name: "write_file", description }, arguments: args });
    expect(of("write a file, replacing what it held.").title).toBe("Write a file, replacing what it held: `a.txt`?");
    const long = of(`Write a file. ${"It says much more. ".repeat(3)}`);
    expect(long).toMatchObject({ title: "Write a file: `a.txt`?", named: ["path"] });
    expect(long.summary).toMatch(/^Write a file\. It says much more\./);
    const longer = of("write ".repeat(30));
    expect([longer.title, longer.summary]).toEqual([
      "Write `a.txt`?",
      `${"Write write ".slice(0, 6)}${"write ".repeat(29).trim()}.`,
    ]);
  });

  it("does not say that a tool looks something up which may change something", () => {
    expect(titleOf("get_weather", { city: "Rome" }, { category: "read_only" })).toBe("Read `Rome`?");
    expect(titleOf("get_weather", { city: "Rome" })).toBe("Use `get_weather` with `Rome`?");
    // Whoever names a tool that the policy does not list writes no more than its name.
    const unlisted = viewOf({ traits: { name: "create_event", listed: false }, arguments: {} });
    expect(unlisted.summary).toBe("It changes or removes existing work, or runs something.");
    expect(viewOf({ traits: { name: "create_event" }, arguments: {} }).summary).toBe("");
  });

  it("holds no value that it could not show whole, nor one that the policy keeps out of records", () => {
    expect(titleOf("delete_file", { path: "a\u200bb" })).toBe("Delete file?");
    expect(titleOf("delete_file", { path: "x".repeat(81) })).toBe("Delete file?");
    expect(titleOf("delete_file", { path: "s3cret" }, { redact: ["path"] })).toBe("Delete file?");
  });

  it("uses the policy's sentence, with the values as code, and the question that it ends with", () => {
    const disclosure = 'I\'d like to create a note: "{{title}}" ({{tags}}, {{meta.lang}}, {{gone}}). Create note?';
    const args = { title: "Gadamer", tags: ["x", "y"], meta: { lang: "en" } };
    const view = viewOf({ traits: { category: "note_taking", disclosure }, arguments: args });
    expect(view.title).toBe("I'd like to create a note: `Gadamer` (`x`, `y`, `en`, {{gone}}). Create note?");
    expect(view.named).toEqual(["title"]);
    expect(viewOf({ traits: { disclosure: "I look" } }).title).toBe("I look. Proceed?");
    // A question with an argument in it is the model's to write.
    expect(splitQuestion("Go on. Really {{title}}?").question).toBeUndefined();
    expect(splitQuestion("Create note?").question).toBeUndefined();
    expect(splitQuestion("{{title}} を書きます。書きますか？").question).toBe("書きますか？");
  });

  it("takes the sentence of the language, else the English one, else any", () => {
    const of = (disclosure: object, language: "en" | "zh" | "ja") => viewOf({ traits: { disclosure }, language }).title;
    expect(of({ en: "E.", ja: "J。" }, "ja")).toBe("J。実行しますか？");
    expect(of({ en: "E.", ja: "J。" }, "zh")).toBe("E. 是否继续？");
    expect(of({ ja: "J。" }, "en")).toBe("J。 Proceed?");
    expect(placesOf({ en: "{{a}} {{ b.c }}", ja: "{{a}} {{d}}" })).toEqual(["a", "b.c", "d"]);
  });

  it("lets no backtick of the policy's open a value", () => {
    const view = viewOf({ traits: { disclosure: "Delete the ` file {{path}}." }, arguments: { path: "a b" } });
    expect(view.title).toBe("Delete the ' file `a b`. Proceed?");
  });
});

describe("the disclosure", () => {
  it("says what happens, with which arguments, where data goes, and whether it can be undone", () => {
    const view = viewOf({
      traits: { ...gnorm, description: "annotate a text" },
      arguments: { text: "Augustine", key: "k1" },
    });
    expect(disclosureText(view).split("\n")).toEqual([
      "Annotate a text: `k1`?",
      "  text: Augustine",
      "  key: k1",
      "Data goes to the GNORM API.",
      "⚠ What is sent cannot be taken back.",
    ]);
    expect(view).toMatchObject({ destination: "the GNORM API", reversible: false, firstUse: null });
  });

  it("is told to each reader in their language, whatever the conversation's was", () => {
    const approval = approvalOf("K7QF", { traits: gnorm, language: "ja", asks: ["first_use"] });
    expect(describeApproval(approval, "whole").language).toBe("ja");
    for (const language of languages) {
      const view = describeApproval(approval, "whole", language);
      expect([view.language, view.effects.length, view.firstUse]).toEqual([language, 3, "lasting"]);
    }
    const english = describeApproval(approval, "whole", "en");
    expect(effects(english)).toEqual([
      "Data goes to the GNORM API.",
      "⚠ What is sent cannot be taken back.",
      "`gnorm_annotate` is not enabled yet: a yes is for this one time.",
    ]);
  });

  it("says where data goes in words of the reader's language, and else that it leaves", () => {
    const told = (destination: unknown, language: Language) =>
      effects(viewOf({ traits: { ...gnorm, destination: "x", destinationText: destination } as never }, language))[0];
    const both = { en: "the GNORM API", de: "die GNORM-API" };
    expect(told(both, "en")).toBe("Data goes to the GNORM API.");
    expect(told(both, "de")).toBe("Empfänger der Daten: die GNORM-API.");
    expect(told(both, "fr")).toBe(wordsOf("fr").effects.leaves);
    // A plain text is in one language, and a name in all.
    expect(effects(viewOf({ traits: gnorm }, "fr"))[0]).toBe(wordsOf("fr").effects.leaves);
    for (const name of ["api.example.org", "ACME"])
      expect(effects(viewOf({ traits: { ...gnorm, destination: name } }, "ko"))[0]).toBe(`데이터를 받는 곳: ${name}.`);
    expect(effects(viewOf({ traits: { ...gnorm, destination: "der Server der Praxis" } }, "de"))[0]).toBe(
      "Empfänger der Daten: der Server der Praxis.",
    );
  });

  it("says why the policy asks in words of the reader's language, and else that it asks", () => {
    const told = (say: LocalText, language: Language) =>
      effects(viewOf({ asks: ["condition_asks"], conditions: [say] }, language)).find((one) => one.startsWith("⚠"));
    expect(told("refunds above 500 need a look", "en")).toBe(
      "⚠ The policy asks about this: refunds above 500 need a look.",
    );
    expect(told("refunds above 500 need a look", "de")).toBe(wordsOf("de").notes.condition.asks);
    expect(told({ en: "large", de: "Beträge über 500" }, "de")).toContain("Beträge über 500.");
  });

  it("asks with the policy's own question alone, where it is one", () => {
    const sample = {
      traits: { disclosure: "Refund {{cents}} cents to {{to}}?" },
      arguments: { cents: 60_000, to: "cu_12" },
    };
    expect(viewOf(sample).title).toBe("Refund `60000` cents to `cu_12`?");
    expect(viewOf({ ...sample, traits: { disclosure: "I refund {{cents}} cents." } }).title).toBe(
      "I refund `60000` cents. Proceed?",
    );
  });

  it("takes a description for a title in its own language alone", () => {
    const sample = {
      traits: { name: "delete_file", description: "Remove the file for good" },
      arguments: { path: "a" },
    };
    expect(viewOf(sample, "en").title).toBe("Remove the file for good: `a`?");
    expect([viewOf(sample, "de").title, viewOf(sample, "de").summary]).toEqual(["`a` löschen?", ""]);
    const german = { ...sample, traits: { name: "delete_file", description: "Die Datei für immer löschen" } };
    expect(viewOf(german, "de").title).toBe("Die Datei für immer löschen: `a`?");
    expect(viewOf(german, "en").title).toBe("Delete `a`?");
  });

  it("says what follows by category", () => {
    const of = (category: "read_only" | "note_taking" | "modification" | "external") =>
      effects(viewOf({ traits: { name: "x", category } }));
    expect(of("read_only")).toEqual([]);
    expect(of("note_taking")).toEqual(["⚠ This cannot be undone."]);
    // The words below its title say that it changes something.
    expect(of("modification")).toEqual(["⚠ This cannot be undone."]);
    expect(viewOf({ traits: { name: "x", category: "modification" } }).summary).toContain("changes or removes");
    expect(of("external")).toEqual(["Data leaves this system.", "⚠ What is sent cannot be taken back."]);
    const undone = { category: "modification", reversible: true, undo: { tool: "undo`it" } } as const;
    expect(effects(viewOf({ traits: undone })).at(-1)).toBe("`/toolgate undo` takes it back.");
  });

  it("asks of an undo whether to undo, and says of it only what is true of an undo", () => {
    const undoes = { tool: "create_note", arguments: { title: 'A "quoted" one', pinned: true } };
    const told = (language: Language) => viewOf({ traits: { name: "delete_note" }, undoes, language });
    expect(languages.map((language) => told(language).title)).toEqual([
      'Undo `create_note` (title `A "quoted" one`, pinned `true`)?',
      '撤销 `create_note`（title `A "quoted" one`, pinned `true`）？',
      '`create_note`（title `A "quoted" one`, pinned `true`） を元に戻しますか？',
      '`create_note` (title `A "quoted" one`, pinned `true`) rückgängig machen?',
      '¿Deshacer `create_note` (title `A "quoted" one`, pinned `true`)?',
      'Défaire `create_note` (title `A "quoted" one`, pinned `true`)\u202f?',
      '`create_note`(title `A "quoted" one`, pinned `true`) 되돌릴까요?',
    ]);
    expect([told("en").summary, told("en").effects]).toEqual(["This uses `delete_note`.", []]);
    // What it sends stays sent.
    const mails = { name: "send_recall", category: "external", destination: "ACME" } as const;
    expect(effects(viewOf({ traits: mails, undoes }))).toEqual([
      "Data goes to ACME.",
      "⚠ What is sent cannot be taken back.",
    ]);
  });

  it("says what looked like an attack, and where, but no name inside of what is hidden", () => {
    const of = (path: string, set = "path_traversal") =>
      effects(
        viewOf({
          asks: ["arguments_suspicious"],
          suspicious: { set, path },
          traits: { hideFromApprover: ["user"] },
          arguments: { file: "../x", user: { s3cret: "../y" } },
        }),
      )[0];
    expect(of("/file")).toBe("⚠ Look closely: `file` holds what looks like an attack (a path that leaves its folder).");
    expect(of("/file", "our_own")).toContain("(our_own)");
    expect(of("/user/s3cret")).toContain("`user`");
    expect(of("/user/s3cret")).not.toContain("s3cret");
  });

  it("is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, "x".repeat(1_000)]));
    const view = viewOf({ arguments: { ...many, huge: "y".repeat(400_000) } });
    expect(view).toMatchObject({ more: 481 });
    expect(view.arguments).toHaveLength(20);
    expect(JSON.stringify(view).length).toBeLessThan(12_000);
  });

  it("lists what the schema names first, so that made-up arguments crowd out none", () => {
    const made = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
    const schema = { type: "object", properties: { path: { type: "string" } } };
    const view = viewOf({ schema, arguments: { ...made, path: "a.txt" } });
    expect(view.arguments[0]?.name).toBe("path");
  });

  it("holds only single lines that are prose, in every language", () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.constantFrom(...languages), (name, value, language) => {
        const {
          title,
          summary,
          effects,
          arguments: args,
        } = viewOf({
          traits: { name, description: value, destination: value, reversible: true, undo: { tool: name } },
          arguments: { [name]: value },
          language,
        });
        const values = args.flatMap((one) => [one.name, one.value]);
        for (const line of [title, summary, ...effects.map(({ text }) => text), ...values]) {
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069⟦⟧]/u);
          expect(
            proseParts(line)
              .map(({ text }) => text)
              .join("").length,
          ).toBeLessThanOrEqual(line.length);
        }
      }),
    );
  });
});

describe("what the policy keeps from records", () => {
  const secret = "s3cr3t-value";
  const sample = {
    traits: {
      name: "send_email",
      category: "external",
      redact: ["body", "token"],
      disclosure: "I send {{body}} to {{to}}.",
      preview: { before: "/token", after: "/body" },
    },
    arguments: { to: "ann", body: secret, meta: { token: secret } },
    asks: ["first_use", "confirmation_required"],
  } as const;

  it("is shown to who is asked, and marked; to nobody else", () => {
    const approval = approvalOf("K7QF", sample);
    const asked = describeApproval(approval, "whole");
    expect(asked.title).toContain(`\`${secret}\``);
    expect(asked.arguments).toMatchObject([
      { name: "to", private: false, redacted: false },
      { name: "body", value: secret, private: true, redacted: false },
      { name: "meta", private: true },
    ]);
    const other = describeApproval(approval, "recorded");
    expect(other.arguments).toMatchObject([
      {},
      { value: "[redacted]", redacted: true, private: false },
      { private: false },
    ]);
    expect(other.changes).toEqual([]);
    for (const told of [JSON.stringify(other), disclosureText(other)]) expect(told).not.toContain(secret);
  });

  it("is gone with the call's arguments", () => {
    const approval = approvalOf("K7QF", { ...sample, over: { arguments: "" } });
    expect(JSON.stringify(describeApproval(approval, "whole"))).not.toContain(secret);
  });

  it("is kept from who is asked, too, where the policy says so, and they are told that it is", () => {
    const approval = approvalOf("K7QF", { ...sample, traits: { ...sample.traits, hideFromApprover: ["body"] } });
    const asked = describeApproval(approval, "whole");
    expect(JSON.stringify(asked.arguments[1])).toContain('"redacted":true');
    expect(asked.title).not.toContain(secret);
    expect(effects(asked)).toContain("⚠ The policy hides `body` from you.");
    expect(effects(describeApproval(approvalOf("K7QF", sample), "whole")).join()).not.toContain("hides");
  });

  it("is nowhere in what others read, whatever the policy and the model write", () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...languages), (text, language) => {
        const approval = approvalOf("K7QF", {
          traits: {
            redact: ["token", "old_string"],
            disclosure: `${text} {{token}} {{note.token}}`,
            preview: { before: "/token", after: "/new_string" },
          },
          arguments: { token: secret, note: { token: secret }, old_string: secret, new_string: text, diff: "@@\n+x" },
          asks: ["first_use"],
        });
        const view = describeApproval(approval, "recorded", language);
        expect(JSON.stringify(view) + disclosureText(view)).not.toContain(secret);
        expect(view.changes).toEqual([]);
      }),
    );
  });

  it("is not taken for what a model wrote in its form", () => {
    const { arguments: args } = viewOf({ arguments: { body: "[redacted]" } });
    expect(args).toMatchObject([{ name: "body", value: '"[redacted]"', redacted: false }]);
  });
});

it("a disclosure of before it was data is told as it was written, with its values shown anew", () => {
  const disclosure: WrittenDisclosure = {
    language: "ja",
    tool: "edit_note",
    category: "modification",
    summary: "アシスタントが `edit_note` を使おうとしています。",
    notes: ["既存の内容が変更される可能性があります。"],
    changes: [{ kind: "added", text: "x" }],
    destination: null,
    reversible: false,
    undoing: "⚠ この操作は元に戻せません。",
    question: "変更を適用しますか？",
    learnMore: null,
  };
  const over = { disclosure, recorded: { id: "n1", body: "[redacted]" } };
  const view = describeApproval(approvalOf("K7QF", { over }), "whole", "en");
  expect(disclosureText(view).split("\n")).toEqual([
    "変更を適用しますか？",
    "アシスタントが `edit_note` を使おうとしています。",
    "  id: n1",
    "  body: [redacted]",
    "  | + x",
    "既存の内容が変更される可能性があります。",
    "⚠ この操作は元に戻せません。",
  ]);
});

const short = {
  de: "INV-78 240 erstatten|erstatte INV-78, 240 euro|inv-78 rückerstatten 240|rückerstattung INV-78 240 €|storno rechnung INV-78, 240 zurück an huber|huber bekommt 240 zurück, INV-78|gutschrift über 240 auf INV-78|bitte rechnung INV-78 zurückerstatten, 240 €|zahl huber die 240 von INV-78 zurück|INV-78 bitte 240 zurücküberweisen|240 retour für INV-78|kundin huber will geld zurück, INV-78, 240|Könntest du bitte INV-78 (240) erstatten?|mach ne erstattung INV-78 240|überweis der huber die 240 von INV-78 zurück|lösch A-881|A-881 absagen|termin A-881 verschieben auf freitag|Buchung B-1042 stornieren|Rechnung an Huber schicken|schick ihr die Rechnung",
  es: "reembolsa INV-78, 240|reembolso de INV-78, 240 euros|devuelve 240 a la clienta, INV-78|cancelar la cita A-881|factura INV-78, devolución de 240|borra notas.txt",
  fr: "rembourse INV-78, 240|remboursement INV-78, 240 euros|annule le rendez-vous A-881|remboursez 240 pour INV-78|supprimer la facture INV-78",
  en: "refund INV-78 240|refund mrs huber INV-78 the full 240|email Müller|mail bob|die hard tickets please|cancel A-881|send Müller the invoice INV-78|book a table at Löwenbräu|INV-78 refund 240 please|put the café on the list|order 5 boxes of gloves from covetrus|rename test.txt|can you cancel A-881 for Jürgen Größl|delete résumé.pdf|order Döner|prescribe metacam for rex",
  zh: "退款 INV-78 240|取消 A-881",
  ja: "INV-78 を返金|A-881 をキャンセル",
  ko: "INV-78 환불|A-881 취소",
} as const;

describe("the language", () => {
  it.each(
    Object.entries(short).flatMap(([language, texts]) => texts.split("|").map((text) => [language, text] as const)),
  )("of a short message with names is %s: %s", (language, text) => expect(surelyIn(text) ?? "en").toBe(language));

  it.each([
    ["please write a note", "en"],
    ["请写一条笔记", "zh"],
    ["メモを書いて", "ja"],
    ["議事録を書く", "ja"],
    ["note about 議事録", "zh"],
    ["메모를 써 줘", "ko"],
    ["Bitte lösche meine Notiz", "de"],
    ["Erstatte bitte 120 für B-1042", "de"],
    ["ja, aber nur 100", "de"],
    ["Por favor, reembolsa 120 por la reserva B-1042", "es"],
    ["envíale un correo a Ana", "es"],
    ["Rembourse 120 pour la réservation B-1042 s'il te plaît", "fr"],
    ["supprime le fichier old.txt", "fr"],
    ["refund 120 for B-1042", "en"],
    ["send the mail to die@los.example and la.com", "en"],
    ["open de.example/la/el/un", "en"],
    ["notes.txt", "en"],
    ["ok", "en"],
    ["", "en"],
  ] as const)("of %j is %s, or English where it is not certain", (text, language) => {
    expect(surelyIn(text) ?? "en").toBe(language);
  });
});
