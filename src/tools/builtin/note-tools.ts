/** The built-in tools that create, delete, restore and search notes, and `changeNote`, by which every tool changes one. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { type ExecutionResult, notStarted } from "../run.ts";
import {
  type BuiltinCall,
  defineTool,
  done,
  failed,
  limitOf,
  limitSchema,
  objectSchema,
  reading,
  writing,
} from "./builtin-tool.ts";
import {
  DELETED_KEPT_DAYS,
  type FoundNote,
  MAX_CONTENT,
  MAX_NOTES,
  MAX_TAG,
  MAX_TAGS,
  MAX_TITLE,
  type MadeChange,
  type NextNote,
  type Note,
  type NotesPort,
  noteSchema,
} from "./notes-port.ts";

export const titleSchema = { type: "string", minLength: 1, maxLength: MAX_TITLE };
export const contentSchema = { type: "string", maxLength: MAX_CONTENT };
export const tagsSchema = {
  type: ["array", "null"],
  items: { type: "string", maxLength: MAX_TAG },
  maxItems: MAX_TAGS,
};

export const createNote = defineTool({
  description: "Create a new research note",
  parameters: objectSchema({ title: titleSchema, content: contentSchema, tags: tagsSchema }, "title", "content"),
  schema: once(() => {
    const { title, content, tags } = noteSchema();
    return z.object({ title, content, tags: tags.nullish() });
  }),
  run: ({ title, content, tags }, notes: NotesPort, { id: by, principal }) =>
    writing(async () => {
      const note = await notes.create(principal, { title, content, tags: tags ?? [] }, by);
      return note ? done({ note_id: note.id, title: note.title }) : failed(tooMany);
    }),
});

const tooMany = `there are ${MAX_NOTES} notes already, and no more are kept: delete some`;

interface NoteChange {
  readonly id: string;
  /** The new note, given the current one; a result if it cannot be changed. */
  readonly next: (note: Note) => Promise<NextNote | ExecutionResult>;
  readonly result: (change: MadeChange) => ExecutionResult;
}

/** Calls of one step run in parallel, and several may change one note: each begins from the outcome of the one before. */
const MAX_ATTEMPTS = 12;

/** Made once for one decision: repeated, it returns the result of the first time. */
export const changeNote = (
  notes: NotesPort,
  { id: by, principal: owner }: BuiltinCall,
  { id, next, result }: NoteChange,
): Promise<ExecutionResult> =>
  writing(async () => {
    const made = await notes.madeBy(owner, id, by);
    if (made) return result(made);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const note = await notes.read(owner, id);
      if (!note) return failed("there is no such note", `there is no note \`${id}\``);
      const wanted = await next(note);
      if ("status" in wanted) return wanted;
      const after = await notes.change(owner, note, wanted, by);
      if (after) return result({ before: note, after });
    }
    return failed("the note is being changed by others; try again");
  });

export const deletedNoteFailure = (note: Note): ExecutionResult =>
  failed("the note was deleted", `the note \`${note.id}\` was deleted; \`restore_note\` brings it back`);

const namedNote = {
  parameters: objectSchema(
    { note_id: { type: "string" }, title: { ...titleSchema, description: "of the note, as it is" } },
    "note_id",
  ),
  schema: once(() => {
    const { note_id, title } = noteSchema();
    return z.object({ note_id, title: title.nullish() });
  }),
};

/** A deleted note can be restored for a while. */
export const deleteNote = defineTool({
  description: `Remove a note; it can be restored for ${DELETED_KEPT_DAYS} days`,
  ...namedNote,
  run: ({ note_id: id, title }, notes: NotesPort, call) =>
    changeNote(notes, call, {
      id,
      next: async (note) =>
        note.deletedAt === null
          ? (misnamed(note, title) ?? { ...note, deleted: true })
          : failed("the note is deleted already", `the note \`${note.id}\` is deleted already`),
      result: ({ after }) => done({ note_id: after.id, title: after.title, deleted: true }),
    }),
});

export const restoreNote = defineTool({
  description: "Bring back a note that was removed",
  ...namedNote,
  run: ({ note_id: id, title }, notes: NotesPort, call) =>
    changeNote(notes, call, {
      id,
      async next(note) {
        if (note.deletedAt === null) return failed("the note is not deleted", `the note \`${note.id}\` is not deleted`);
        const problem = misnamed(note, title);
        if (problem) return problem;
        if ((await notes.count(call.principal)) >= MAX_NOTES) return failed(tooMany);
        return { ...note, deleted: false };
      },
      result: ({ after }) => done({ note_id: after.id, title: after.title, version: after.version, restored: true }),
    }),
});

/** The question named the note by this title: it must be the one. */
function misnamed(note: Note, title: string | null | undefined): ExecutionResult | undefined {
  if (title == null || title === note.title) return undefined;
  return failed("the note has another title", `the note \`${note.id}\` has another title: "${note.title}"`);
}

/** A note of no more characters is returned whole, a longer one as the passage with the words. */
const SHORT = 600;

export const searchNotes = defineTool({
  description:
    'Search researcher\'s existing notes by words and "phrases"; an empty query lists the latest; `note_id` alone gives one note as a whole',
  parameters: objectSchema({
    query: { type: "string", maxLength: 1_000 },
    note_id: { type: "string", description: "of one note to read as a whole, in place of a search" },
    limit: limitSchema,
  }),
  schema: once(() =>
    z.object({
      query: z.string({ error: "`query` must be text" }).nullish(),
      note_id: noteSchema().note_id.nullish(),
      limit: limitOf(),
    }),
  ),
  async run({ query, note_id: id, limit }, notes: NotesPort, { principal }) {
    if (id != null) {
      return reading(async () => {
        const note = await notes.read(principal, id);
        if (!note) return failed("there is no such note", `there is no note \`${id}\``);
        return note.deletedAt === null ? done({ notes: [whole(note)], count: 1 }) : deletedNoteFailure(note);
      });
    }
    if (query == null) return notStarted("arguments_unfit", "give a `query`, or a `note_id`");
    return reading(async () => {
      const { notes: found, more, matched } = await notes.search(principal, query, limit);
      return done({
        notes: found.map(shown),
        count: found.length,
        more: more || undefined,
        matched: matched === "some" ? "some of the words; no note has all" : undefined,
      });
    });
  },
});

const headOf = ({ id, title, tags, updatedAt }: Note) => ({
  note_id: id,
  title,
  tags,
  updated: isoTime(updatedAt),
});

const whole = (note: Note) => ({ ...headOf(note), version: note.version, content: note.content });

const shown = ({ note, snippet }: FoundNote) =>
  note.content.length <= SHORT
    ? { ...headOf(note), content: note.content }
    : { ...headOf(note), snippet, characters: note.content.length };
