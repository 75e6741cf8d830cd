import { describe, expect, it } from "vitest";
import { verbOf } from "../../../src/lib/acts/tool-verb.ts";

const verbs = (names: string) =>
  Object.fromEntries(names.split(" ").map((tool) => [tool, verbOf({ tool, category: "modification" })]));

describe("verbOf", () => {
  it("takes no verb of what a name takes back", () => {
    const names =
      "transfer_reject transfer_void merge_abort merge_request_reject deploy_rollback push_revert write_disable update_reject edit_undo " +
      "save_discard email_reject mail_snooze post_unpublish update_order_reject transferReject";
    expect(new Set(Object.values(verbs(names)))).toEqual(new Set([undefined]));
  });

  it("takes the verb that a name ends with, where it begins with a noun", () => {
    const names =
      "transfer_cancel copy_delete upload_delete run_cancel search_delete order_cancel email_delete email_archive";
    expect(Object.values(verbs(names))).toEqual("cancel delete delete cancel delete cancel delete archive".split(" "));
  });

  it("takes two words that belong together, and no noun for the verb", () => {
    const names =
      "turn_on HassTurnOff light_turn_on switch_off_all set_label update_lock edit_share add_reply book_cancel";
    expect(Object.values(verbs(names))).toEqual("turnOn turnOff turnOn turnOff set edit edit add cancel".split(" "));
  });

  it("takes no noun before what is looked at, nor before a book", () => {
    const names = "book_search tag_search label_list star_list share_price note_book post_view share_status";
    expect(new Set(Object.values(verbs(names)))).toEqual(new Set([undefined]));
    expect(verbOf({ tool: "book_search", category: "read_only" })).toBe("search");
    expect(Object.values(verbs("run_query share_file book_room room_book"))).toEqual([
      "run",
      "share",
      "book",
      undefined,
    ]);
  });

  it("takes none where a name holds several acts", () => {
    expect(verbs("create_and_send_invoice cancel_and_charge copy_and_delete delete_then_pay")).toEqual({
      create_and_send_invoice: undefined,
      cancel_and_charge: undefined,
      copy_and_delete: undefined,
      delete_then_pay: undefined,
    });
    expect(verbs("create_files_and_folders")).toEqual({ create_files_and_folders: "create" });
  });

  it("keeps the first verb before a noun that could be one", () => {
    const names =
      "create_hold add_stop cancel_hold delete_block create_refund send_email run_query update_post create_merge_request";
    expect(Object.values(verbs(names))).toEqual("create add cancel delete create send run edit create".split(" "));
  });
});
