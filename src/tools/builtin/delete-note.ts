/** Deletes a note so that it can be brought back for a while, and brings it back. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import type { ExecutionResult } from "../execution-result.ts";
import { done, failed, objectSchema, readArguments, type ToolOn, writing } from "./builtin-tool.ts";
import { changeNote } from "./change-note.ts";
import { titleSchema, tooMany } from "./create-note.ts";
import { DELETED_KEPT_DAYS, MAX_NOTES, type Note, noteSchema } from "./note.ts";
import type { NotesPort } from "./notes-port.ts";

const read = once(() => {
  const { note_id, title } = noteSchema();
  return z.object({ note_id, title: title.nullish() });
});
const parameters = objectSchema(
  { note_id: { type: "string" }, title: { ...titleSchema, description: "of the note, as it is" } },
  "note_id",
);

export const deleteNote: ToolOn<NotesPort> = {
  description: `Remove a note; it can be restored for ${DELETED_KEPT_DAYS} days`,
  parameters,
  async run({ id: by, principal, arguments: args }, notes) {
    const asked = readArguments(read(), args);
    if (!asked.ok) return asked.error;
    return writing(() =>
      changeNote(notes, {
        owner: principal,
        id: asked.value.note_id,
        by,
        next(note) {
          if (note.deletedAt !== null)
            return failed("the note is deleted already", `the note \`${note.id}\` is deleted already`);
          return misnamed(note, asked.value.title) ?? { ...note, deleted: true };
        },
        tell: ({ after: { id, title } }) => done({ note_id: id, title, deleted: true }),
      }),
    );
  },
};

export const restoreNote: ToolOn<NotesPort> = {
  description: "Bring back a note that was removed",
  parameters,
  async run({ id: by, principal, arguments: args }, notes) {
    const asked = readArguments(read(), args);
    if (!asked.ok) return asked.error;
    return writing(() =>
      changeNote(notes, {
        owner: principal,
        id: asked.value.note_id,
        by,
        async next(note) {
          if (note.deletedAt === null)
            return failed("the note is not deleted", `the note \`${note.id}\` is not deleted`);
          const problem = misnamed(note, asked.value.title);
          if (problem) return problem;
          if ((await notes.count(principal)) >= MAX_NOTES) return failed(tooMany);
          return { ...note, deleted: false };
        },
        tell: ({ after: { id, title, version } }) => done({ note_id: id, title, version, restored: true }),
      }),
    );
  },
};

/** A person was asked about the note by this title: it must be the one. */
function misnamed(note: Note, title: string | null | undefined): ExecutionResult | undefined {
  if (title == null || title === note.title) return undefined;
  return failed("the note has another title", `the note \`${note.id}\` has another title: "${note.title}"`);
}
