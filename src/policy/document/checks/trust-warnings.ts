/** Trust in a whole result that seems to hold what others write. Pure. */
import { nameWords, singulars } from "../../origin/name-words.ts";
import { selectorKind } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";

/** Words for what strangers write, and for the fields that hold it. In a description too: it may list the fields. */
const WRITTEN_BY_OTHERS: ReadonlySet<string> = new Set([
  ...[
    "mail",
    "email",
    "inbox",
    "message",
    "comment",
    "review",
    "post",
    "tweet",
    "chat",
    "thread",
    "reply",
    "conversation",
  ],
  ...[
    "feedback",
    "ticket",
    "issue",
    "page",
    "webpage",
    "website",
    "web",
    "url",
    "article",
    "feed",
    "news",
    "transcript",
  ],
  ...[
    "bio",
    "profile",
    "subject",
    "body",
    "description",
    "snippet",
    "summary",
    "invitation",
    "submission",
    "attachment",
  ],
]);

/** A result of a tool that writes confirms what the call itself said. */
const READING: ReadonlySet<string | undefined> = new Set([undefined, "read_only", "external"]);

export function* warnTrust({ tools }: PolicyDocument): Warnings {
  for (const [key, { trusted, category, description = "" }] of Object.entries(tools)) {
    if (trusted !== true || selectorKind(key) !== "name" || !READING.has(category)) continue;
    const words = [...nameWords(key), ...description.split(/\s+/).flatMap(nameWords)];
    const found = words.flatMap(singulars).find((word) => WRITTEN_BY_OTHERS.has(word));
    const text = `trusts its whole result, which seems to hold what others write (\`${found}\`): name the fields that nobody else writes, such as \`["/id"]\``;
    yield ["trusted_text_of_others", ["tools", key, "trusted"], found !== undefined && text];
  }
}
