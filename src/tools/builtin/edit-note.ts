/**
 * Changes a note: a passage of its text, or its title, text and tags as a whole, or back to an earlier version. The
 * result is short whatever the note's length, and enough to undo the change: both versions.
 */

import * as z from "zod";
import { once } from "../../lib/once.ts";
import type { Owner } from "../../session/principal.ts";
import { type ExecutionResult, notStarted } from "../run.ts";
import { defineTool, done, failed, objectSchema } from "./builtin-tool.ts";
import { changeNote, contentSchema, deletedNoteFailure, tagsSchema, titleSchema } from "./note-tools.ts";
import {
  KEPT_VERSIONS,
  MAX_CONTENT,
  type MadeChange,
  type NextNote,
  type Note,
  type NotesPort,
  type NoteText,
  noteSchema,
} from "./notes-port.ts";

const schema = once(() => {
  const { note_id, title, content, tags } = noteSchema();
  const version = z.int({ error: "a version is a whole number" }).min(1);
  return z.object({
    note_id,
    title: title.nullish(),
    content: content.nullish(),
    tags: tags.nullish(),
    old_text: content.nullish(),
    new_text: content.nullish(),
    restore_version: version.nullish(),
    if_version: version.nullish(),
  });
});

type Edit = z.output<ReturnType<typeof schema>>;

export const editNote = defineTool({
  description:
    "Modify an existing note: replace a passage of its text (`old_text`, which must occur exactly once, by `new_text`), or set its `title`, `content` or `tags`",
  parameters: objectSchema(
    {
      note_id: { type: "string" },
      old_text: { ...contentSchema, minLength: 1 },
      new_text: contentSchema,
      title: titleSchema,
      content: contentSchema,
      tags: tagsSchema,
      restore_version: { type: "integer", minimum: 1, description: "sets it back to what it was in this version" },
      if_version: { type: "integer", minimum: 1, description: "changes nothing unless this is its version" },
    },
    "note_id",
  ),
  schema,
  async run(edit, notes: NotesPort, call) {
    const fault = faultOf(edit);
    if (fault !== undefined) return notStarted("arguments_unfit", fault);
    return changeNote(notes, call, {
      id: edit.note_id,
      next: (note) => edited(notes, call.principal, note, edit),
      result: changeResult,
    });
  },
});

function faultOf({
  title,
  content,
  tags,
  old_text: was,
  new_text: now,
  restore_version: back,
}: Edit): string | undefined {
  const passage = was != null || now != null;
  if (passage && (was == null || was === "" || now == null)) return "`old_text` and `new_text` go together";
  if (passage && content != null) return "`content` sets the whole text: leave out `old_text` and `new_text`";
  if (back != null && (passage || content != null || tags != null))
    return "`restore_version` sets the whole note: leave out the others";
  if (back == null && !passage && title == null && content == null && tags == null)
    return "nothing says what to change: give `old_text` and `new_text`, or `title`, `content` or `tags`";
  return undefined;
}

async function edited(notes: NotesPort, owner: Owner, note: Note, edit: Edit): Promise<NextNote | ExecutionResult> {
  if (note.deletedAt !== null) return deletedNoteFailure(note);
  if (edit.if_version != null && edit.if_version !== note.version)
    return failed("the note was changed since", `the note was changed since: its version is ${note.version} now`);
  if (edit.restore_version != null) return restored(notes, owner, note, edit.restore_version);
  const content = edit.old_text == null ? edit.content : replaced(note.content, edit.old_text, edit.new_text ?? "");
  if (typeof content === "object" && content !== null) return content;
  const next = {
    title: edit.title ?? note.title,
    content: content ?? note.content,
    tags: edit.tags ?? note.tags,
    deleted: false,
  };
  if (next.content.length > MAX_CONTENT) return failed(`the note would be longer than ${MAX_CONTENT} characters`);
  return next;
}

async function restored(notes: NotesPort, owner: Owner, note: Note, back: number): Promise<NextNote | ExecutionResult> {
  const earlier = await notes.readVersion(owner, note.id, back);
  if (!earlier) return failed(`that version is not kept: the last ${KEPT_VERSIONS} are`);
  return { title: earlier.title, content: earlier.content, tags: earlier.tags, deleted: false };
}

function replaced(content: string, was: string, now: string): string | ExecutionResult {
  const at = content.indexOf(was);
  if (at < 0) return failed("the text to replace is not in the note", "`old_text` does not occur in the note");
  if (content.indexOf(was, at + 1) >= 0)
    return failed(
      "the text to replace is more than once in the note",
      "`old_text` occurs more than once: give more of it",
    );
  return content.slice(0, at) + now + content.slice(at + was.length);
}

function changeResult({ before, after }: MadeChange): ExecutionResult {
  return done({
    note_id: after.id,
    title: after.title,
    version: after.version,
    before: before && { version: before.version, title: before.title },
    changed: before ? whatChanged(before, after) : [],
  });
}

interface ChangedMember {
  readonly member: "title" | "content" | "tags";
  readonly before: string | readonly string[];
  readonly after: string | readonly string[];
}

/** The part of a changed text, in characters, from a little before the first difference to a little after the last. */
const MAX_PASSAGE = 1_000;
const AROUND = 40;

function whatChanged(before: NoteText, after: NoteText): ChangedMember[] {
  const changed: ChangedMember[] = [];
  if (before.title !== after.title) changed.push({ member: "title", before: before.title, after: after.title });
  if (before.content !== after.content) changed.push({ member: "content", ...passages(before.content, after.content) });
  if (before.tags.join("\n") !== after.tags.join("\n"))
    changed.push({ member: "tags", before: before.tags, after: after.tags });
  return changed;
}

function passages(was: string, now: string): { readonly before: string; readonly after: string } {
  const shorter = Math.min(was.length, now.length);
  let start = 0;
  while (start < shorter && was[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (text: string) =>
    cutPassage(text, Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND));
  return { before: part(was), after: part(now) };
}

function cutPassage(text: string, from: number, to: number): string {
  const cut = to - from > MAX_PASSAGE;
  const part = text.slice(from, cut ? from + MAX_PASSAGE : to);
  return `${from > 0 ? "…" : ""}${part}${cut || to < text.length ? "…" : ""}`.toWellFormed();
}
