import { describe, expect, it } from "vitest";
import { staysDone } from "../../src/approvals/stays-done.ts";
import type { Category } from "../../src/policy/selectors.ts";
import { approvalOf, viewOf } from "./samples.ts";

type Row = readonly [category: Category, name: string, args?: Readonly<Record<string, unknown>>];

const mail = "kim@x.example";
const stays: readonly Row[] = [
  ["modification", "write_file", { path: "a.txt", content: "x" }],
  ["modification", "edit_file", { path: "a.txt" }],
  ["modification", "delete_note", { id: "n1" }],
  ["modification", "frobnicate"],
  ["external", "create_event", { title: "Hotel", attendees: [mail] }],
  ["external", "create_event", { title: "Hotel" }],
  ["external", "http_get", { url: "https://x.example" }],
  ["external", "open_url", { url: "https://x.example" }],
  ["external", "web_search", { query: "x" }],
  ["external", "update_record", { id: 1 }],
  ["external", "play_recording", { number: "0676 111222" }],
  ["modification", "play_recording", { number: "0676 111222" }],
  ["modification", "start_broadcast"],
  ["note_taking", "create_event", { title: "Hotel", attendees: [mail] }],
  ["note_taking", "create_event", { event: { title: "Hotel", guest_emails: [mail] }, calendar: "me" }],
  ["modification", "update_event", { id: "e1", attendees: [] }],
  ["modification", "update_role", { user: "kim", name: "x" }],
  ["modification", "update_user", { user: "kim", role: "owner" }],
  ["modification", "update_user", { user: { name: "kim", isAdmin: true } }],
  ["modification", "set_owner", { repo: "shop", login: "kim" }],
  ["modification", "set_permissions", { path: "a" }],
  ["modification", "create_access_token", { name: "ci" }],
  ["modification", "create_api_key", { name: "ci" }],
  ["modification", "createAPIKey", { name: "ci" }],
  ["modification", "add_ssh_key", { title: "x" }],
  ["modification", "set_secret", { name: "x", value: "y" }],
  ["modification", "set_password", { user: "kim" }],
  ["modification", "set_account", { new_password: "x" }],
  ["modification", "create_webhook", { url: "https://x.example" }],
  ["modification", "update_repo", { webhookUrl: "https://x.example" }],
  ["modification", "set_forwarding", { address: mail }],
  ["modification", "update_mailbox", { forwarding_address: mail }],
  ["modification", "create_filter", { query: "from:bank" }],
  ["modification", "create_mail_rule", { name: "x" }],
  ["modification", "set_visibility", { repo: "shop" }],
  ["modification", "update_repo", { repo: "shop", private: false }],
  ["modification", "update_album", { id: 1, public: true }],
  ["modification", "update_supplier", { name: "ACME", iban: "AT61" }],
  ["modification", "update_bank_details", { name: "ACME" }],
  ["modification", "set_mfa", { user: "kim" }],
  ["modification", "update_2fa", { user: "kim" }],
  ["modification", "update_login_factor", { user: "kim" }],
  ["modification", "update_firewall_rule", { id: 1 }],
  ["modification", "open_port", { number: 22 }],
  ["modification", "update_dns_record", { name: "www" }],
  ["modification", "update_branch_protection", { branch: "main" }],
  ["modification", "set_backup_schedule", { every: "never" }],
  ["modification", "turn_off_alarm"],
  ["modification", "lock_door", { entity_id: "front" }],
  ["modification", "open_garage", { id: 1 }],
  ["modification", "HassTurnOff", { name: "alarm" }],
  ["external", "toggle", { entity_id: "lock.front_door" }],
  ["modification", "close_cover", { entity_id: "cover.garage_door" }],
  ["modification", "close_position", { symbol: "ACME" }],
  ["modification", "set_position", { symbol: "ACME", size: 4 }],
  ["modification", "pause_campaign", { id: 1 }],
  ["modification", "start_vm", { id: 1 }],
  ["modification", "stop_server", { id: 1 }],
  ["modification", "mark_invoice_paid", { id: 1 }],
  ["modification", "mark_invoice", { id: 1, paid: true }],
  ["modification", "stop_job", { id: 1 }],
  ["modification", "update_user", { group: "root" }],
  ["modification", "set_acl"],
  ["modification", "set_link_sharing", { file: "f1" }],
  ["modification", "create_user", { name: "kim" }],
  ["modification", "set_state", { entity: "lock.front", state: "unlocked" }],
  ["modification", "open_gate"],
  ["modification", "turn_off", { name: "smoke_detector" }],
  ["modification", "HassTurnOff", { name: "Alarmanlage" }],
  ["modification", "open", { name: "车库门" }],
  ["modification", "toggle", { name: "玄関の鍵" }],
  ["note_taking", "create_event", { title: "Hotel", emails: [mail] }],
  ["modification", "move_file", { from: "a", to: "b", overwrite: true }],
  ["modification", "turn_off", { entity_id: "light.hall, lock.front" }],
  ["modification", "update_settings", { ssh_key: "K-1" }],
  ["modification", "update_event", { id: "e1", guests: null }],
  ["modification", "update_repo", { repo: "shop", public: "default" }],
];

const isSetBack: readonly Row[] = [
  ["modification", "turn_on", { entity_id: "light.garage" }],
  ["modification", "play_music", { query: "The Doors" }],
  ["modification", "update_card", { cardKey: "WEB-9", status: "done" }],
  ["modification", "update_issue", { key: "WEB-9", status: "done" }],
  ["note_taking", "create_event", { title: "Hotel", visibility: "default", guestsCanModify: false }],
  ["modification", "create_playlist", { name: "x", public: false }],
  ["external", "HassLightSet", { name: "Küche", brightness: 40 }],
  ["external", "HassVacuumStart"],
  ["modification", "turn_on", { entity_id: "light.hall" }],
  ["external", "turn_off", { entity_id: "light.hall" }],
  ["external", "HassTurnOn", { name: "Hall", area: "Ground floor" }],
  ["modification", "toggle_lamp", { id: "hall" }],
  ["modification", "open_cover", { entity_id: "cover.hall" }],
  ["external", "set_cover_position", { entity_id: "cover.hall", position: 40 }],
  ["external", "set_volume", { level: 4 }],
  ["modification", "set_temperature", { room: "hall", degrees: 21 }],
  ["external", "play_song", { title: "Help" }],
  ["external", "pause_playback"],
  ["modification", "start_vacuum", { id: 1 }],
  ["modification", "add_label", { issue: 9, label: "bug" }],
  ["modification", "remove_label", { issue: 9, label: "bug" }],
  ["modification", "label_message", { id: 9, label: "later" }],
  ["modification", "set_title", { id: 9, title: "x" }],
  ["modification", "update_title", { id: 9, title: "x" }],
  ["modification", "set_status", { issue_key: "WEB-9", status: "done" }],
  ["modification", "update_status", { id: 9, status: "done" }],
  ["modification", "set_priority", { id: 9, priority: "high" }],
  ["modification", "update_priority", { id: 9, priority: "high" }],
  ["modification", "assign_issue", { owner: "acme", repo: "shop", number: 9, assignee: "kim" }],
  ["modification", "set_assignee", { id: 9, assignee: "kim" }],
  ["modification", "move_to_sprint", { id: 9, sprint: 4 }],
  ["modification", "start_sprint", { id: 4 }],
  ["modification", "move_ticket", { ticketKey: "WEB-9", column: "Doing", position: 1 }],
  ["modification", "move_file", { source: "a.txt", destination: "b.txt" }],
  ["modification", "rename_file", { path: "a.txt", new_name: "b.txt" }],
  ["modification", "archive_message", { id: 9 }],
  ["modification", "star_message", { id: 9 }],
  ["modification", "mark_read", { id: 9 }],
  ["modification", "close_ticket", { id: 9 }],
  ["modification", "reopen_issue", { number: 9 }],
  ["modification", "update_price", { sku: "A", price: 4 }],
  ["note_taking", "create_note", { title: "x", tags: [] }],
  ["note_taking", "create_issue", { title: "x", idempotency_key: "k1" }],
  ["note_taking", "create_event", { title: "x", attendees: [], role: null }],
  ["modification", "create_branch", { branch: "b1" }],
  ["read_only", "find_slots", { attendees: [mail] }],
];

const outcome = (rows: readonly Row[]) =>
  rows.map(([category, name, args = {}]) => {
    const sample = { traits: { name, category }, arguments: args };
    const isFinal = viewOf(sample).effects.some(({ kind }) => kind === "final");
    return [category, name, args, { code: staysDone(approvalOf("K7QF", sample)), warns: isFinal }];
  });

const expected = (rows: readonly Row[], is: boolean) =>
  rows.map(([category, name, args = {}]) => [category, name, args, { code: is, warns: is }]);

describe("what a call does", () => {
  it("stays done if it is lost, reaches others, gives access or weakens a protection: the question warns, and needs the code", () => {
    expect(outcome(stays)).toEqual(expected(stays, true));
  });

  it("is set back by the opposite act or another value: the question does not warn, and needs no code", () => {
    expect(outcome(isSetBack)).toEqual(expected(isSetBack, false));
  });

  it("stays done if a result gives orders, if the policy does not list the tool or names where data goes, or if nobody can look at all of it", () => {
    const of = (traits: object, args: Readonly<Record<string, unknown>> = {}) =>
      approvalOf("K7QF", { traits: { name: "set_status", ...traits }, arguments: args });
    const plain = of({});
    expect(staysDone(plain)).toBe(false);
    const instructions = { tool: null, passage: "do it" };
    expect(staysDone({ ...plain, disclosure: { ...plain.disclosure, instructions } as typeof plain.disclosure })).toBe(
      true,
    );
    expect(staysDone(of({ listed: false }))).toBe(true);
    expect(staysDone(of({ destination: "ACME" }))).toBe(true);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, 1]));
    expect(staysDone(of({}, { fields: many }))).toBe(true);
  });

  it("does not stay done if the policy says that it can be undone, unless it reaches others", () => {
    const of = (name: string, args = {}) =>
      staysDone(approvalOf("K7QF", { traits: { name, reversible: true }, arguments: args }));
    expect([of("delete_note"), of("edit_file"), of("set_role")]).toEqual([false, false, false]);
    expect([of("send_message"), of("create_event", { attendees: [mail] })]).toEqual([true, true]);
  });
});
