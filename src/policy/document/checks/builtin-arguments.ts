/** What Toolgate's own tools take, as far as a policy is checked against it. A test holds it to their schemas. Pure. */
import type { builtinNames } from "../run-parts.ts";

interface Taken {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

export const builtinArguments: Readonly<Record<(typeof builtinNames)[number], Taken>> = {
  search_bibliography: { required: ["query"], optional: ["limit"] },
  search_notes: { required: [], optional: ["query", "note_id", "limit"] },
  create_note: { required: ["title", "content"], optional: ["tags"] },
  edit_note: {
    required: ["note_id"],
    optional: ["old_text", "new_text", "title", "content", "tags", "restore_version", "if_version"],
  },
  delete_note: { required: ["note_id"], optional: ["title"] },
  restore_note: { required: ["note_id"], optional: ["title"] },
  gnorm_annotate: { required: ["text"], optional: ["entity_types"] },
};
