import * as z from "zod";
import { once } from "../../lib/once.ts";
import { type ExecutionResult, notStarted } from "../run.ts";
import {
  done,
  failed,
  limitOf,
  limitSchema,
  objectSchema,
  readArguments,
  reading,
  type ToolOn,
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
  type NoteOwner,
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

const readCreate = once(() => {
  const { title, content, tags } = noteSchema();
  return z.object({ title, content, tags: tags.nullish() });
});

export const createNote: ToolOn<NotesPort> = {
  description: "Create a new research note",
  parameters: objectSchema({ title: titleSchema, content: contentSchema, tags: tagsSchema }, "title", "content"),
  async run({ id: by, principal, arguments: args }, notes) {
    const asked = readArguments(readCreate(), args);
    if (!asked.ok) return asked.error;
    const { title, content, tags } = asked.value;
    return writing(async () => {
      const note = await notes.create(principal, { title, content, tags: tags ?? [] }, by);
      return note ? done({ note_id: note.id, title: note.title }) : failed(tooMany);
    });
  },
};

const tooMany = `there are ${MAX_NOTES} notes already, and no more are kept: delete some`;

interface NoteChange {
  readonly owner: NoteOwner;
  readonly id: string;
  /** The decision. */
  readonly by: string;
  /** What it becomes, given what it is now; an outcome where it cannot. */
  readonly next: (note: Note) => NextNote | ExecutionResult | Promise<NextNote | ExecutionResult>;
  readonly tell: (change: MadeChange) => ExecutionResult;
}

/** Calls of one step run beside each other, and several may concern one note: each begins from what the other made. */
const MAX_ATTEMPTS = 12;

/** Made once for one decision: a second time it is told what the first did. Rejects where the store fails. */
export async function changeNote(
  notes: NotesPort,
  { owner, id, by, next, tell }: NoteChange,
): Promise<ExecutionResult> {
  const made = await notes.madeBy(owner, id, by);
  if (made) return tell(made);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const note = await notes.read(owner, id);
    if (!note) return failed("there is no such note", `there is no note \`${id}\``);
    const wanted = await next(note);
    if ("status" in wanted) return wanted;
    const after = await notes.change(owner, note, wanted, by);
    if (after) return tell({ before: note, after });
  }
  return failed("the note is being changed by others; try again");
}

export const isDeleted = (note: Note): ExecutionResult =>
  failed("the note was deleted", `the note \`${note.id}\` was deleted; \`restore_note\` brings it back`);

const readNamed = once(() => {
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
    const asked = readArguments(readNamed(), args);
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
    const asked = readArguments(readNamed(), args);
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

const readSearch = once(() =>
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
    const asked = readArguments(readSearch(), args);
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
