/** The gateway's texts: names and values stand between backticks. */
import { proseParts } from "../../lib/text/prose.ts";

export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {proseParts(text).map((part, index) =>
        part.isCode ? <code key={`${index} ${part.text}`}>{part.text}</code> : part.text,
      )}
    </>
  );
}
