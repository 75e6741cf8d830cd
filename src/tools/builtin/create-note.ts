import * as z from "zod";
import { once } from "../../lib/once.ts";
import { done, failed, objectSchema, readArguments, type ToolOn, writing } from "./builtin-tool.ts";
import { MAX_CONTENT, MAX_NOTES, MAX_TAG, MAX_TAGS, MAX_TITLE, noteSchema } from "./note.ts";
import type { NotesPort } from "./notes-port.ts";

export const titleSchema = { type: "string", minLength: 1, maxLength: MAX_TITLE };
export const contentSchema = { type: "string", maxLength: MAX_CONTENT };
export const tagsSchema = {
  type: ["array", "null"],
  items: { type: "string", maxLength: MAX_TAG },
  maxItems: MAX_TAGS,
};

const read = once(() => {
  const { title, content, tags } = noteSchema();
  return z.object({ title, content, tags: tags.nullish() });
});

export const createNote: ToolOn<NotesPort> = {
  description: "Create a new research note",
  parameters: objectSchema({ title: titleSchema, content: contentSchema, tags: tagsSchema }, "title", "content"),
  async run({ id: by, principal, arguments: args }, notes) {
    const asked = readArguments(read(), args);
    if (!asked.ok) return asked.error;
    const { title, content, tags } = asked.value;
    return writing(async () => {
      const note = await notes.create(principal, { title, content, tags: tags ?? [] }, by);
      return note ? done({ note_id: note.id, title: note.title }) : failed(tooMany);
    });
  },
};

export const tooMany = `there are ${MAX_NOTES} notes already, and no more are kept: delete some`;
