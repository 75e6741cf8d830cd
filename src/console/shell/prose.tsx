/** The gateway's texts: one line, in which names stand between backticks. */

export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split("`").map((part, index, parts) => {
        // An odd backtick at the end is a character like any other.
        const name = index % 2 === 1 && index < parts.length - 1;
        const before = index % 2 === 1 && !name ? "`" : "";
        return name ? <code key={`${index} ${part}`}>{part}</code> : `${before}${part}`;
      })}
    </>
  );
}
