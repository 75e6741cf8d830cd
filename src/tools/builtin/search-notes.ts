import * as z from "zod";
import { once } from "../../lib/once.ts";
import { notStarted } from "../execution-result.ts";
import {
  done,
  failed,
  limitOf,
  limitSchema,
  objectSchema,
  readArguments,
  reading,
  type ToolOn,
} from "./builtin-tool.ts";
import { isDeleted } from "./change-note.ts";
import { type Note, noteSchema } from "./note.ts";
import type { FoundNote, NotesPort } from "./notes-port.ts";

const read = once(() =>
  z.object({
    query: z.string({ error: "`query` must be text" }).nullish(),
    note_id: noteSchema().note_id.nullish(),
    limit: limitOf(),
  }),
);

/** A note of no more characters is told as a whole; of a longer one the passage where the words are. */
const SHORT = 600;

export const searchNotes: ToolOn<NotesPort> = {
  description:
    'Search researcher\'s existing notes by words and "phrases"; an empty query lists the latest; `note_id` alone gives one note as a whole',
  parameters: objectSchema({
    query: { type: "string", maxLength: 1_000 },
    note_id: { type: "string", description: "of one note to read as a whole, in place of a search" },
    limit: limitSchema,
  }),
  async run({ principal, arguments: args }, notes) {
    const asked = readArguments(read(), args);
    if (!asked.ok) return asked.error;
    const { query, note_id: id, limit } = asked.value;
    if (id != null) {
      return reading(async () => {
        const note = await notes.read(principal, id);
        if (!note) return failed("there is no such note", `there is no note \`${id}\``);
        return note.deletedAt === null ? done({ notes: [whole(note)], count: 1 }) : isDeleted(note);
      });
    }
    if (query == null) return notStarted("arguments_unfit", "give a `query`, or a `note_id`");
    return reading(async () => {
      const found = await notes.search(principal, query, limit);
      return done({
        notes: found.notes.map(shown),
        count: found.notes.length,
        ...(found.more ? { more: true } : {}),
        ...(found.matched === "some" ? { matched: "some of the words; no note has all" } : {}),
      });
    });
  },
};

const headOf = ({ id, title, tags, updatedAt }: Note) => ({
  note_id: id,
  title,
  tags,
  updated: new Date(updatedAt).toISOString(),
});

const whole = (note: Note) => ({ ...headOf(note), version: note.version, content: note.content });

const shown = ({ note, snippet }: FoundNote) =>
  note.content.length <= SHORT
    ? { ...headOf(note), content: note.content }
    : { ...headOf(note), snippet, characters: note.content.length };
