/** What is read of a note's arguments, bounded; made at its first use. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { MAX_CONTENT, MAX_TAG, MAX_TAGS, MAX_TITLE } from "./note.ts";

/** SQLite ends a text at NUL, and stores no lone surrogate. */
const stored = (text: string): string => text.replaceAll("\0", "").toWellFormed();

const text = (max: number, name: string) =>
  z
    .string({ error: `${name} must be text` })
    .max(max, { error: `${name} is longer than ${max} characters` })
    .transform(stored);

export const noteSchema = once(() => ({
  note_id: z
    .string({ error: "`note_id` must be text" })
    .min(1, { error: "`note_id` is empty" })
    .max(128, { error: "`note_id` is longer than any" }),
  title: text(MAX_TITLE, "`title`")
    .transform((title) => title.replace(/\s+/gu, " ").trim())
    .refine((title) => title !== "", { error: "`title` is empty" }),
  content: text(MAX_CONTENT, "`content`"),
  tags: z
    .array(
      text(MAX_TAG, "a tag").transform((tag) => tag.trim()),
      { error: "`tags` must be a list of texts" },
    )
    .max(MAX_TAGS, { error: `\`tags\` has more than ${MAX_TAGS} members` })
    .transform((tags) => [...new Set(tags)].filter((tag) => tag !== "")),
}));
