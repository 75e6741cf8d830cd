/** The control for one scalar. */
import type { ItemInput } from "./field.ts";

export interface ItemControlProps {
  readonly id: string;
  readonly input: ItemInput;
  readonly text: string;
  readonly invalid: boolean;
  readonly described?: boolean;
  /** Drawn as code. */
  readonly code?: boolean;
  /** Where no label element names it. */
  readonly label?: string;
  readonly onText: (text: string) => void;
}

export function ItemControl({ id, input, text, invalid, described, code, label, onText }: ItemControlProps) {
  const describedBy = [described ? `${id}-about` : "", invalid ? `${id}-problem` : ""].filter(Boolean).join(" ");
  const common = {
    id,
    "aria-label": label,
    "aria-invalid": invalid,
    "aria-describedby": describedBy || undefined,
    class: code ? "input mono" : "input",
  };
  if (input.kind === "choice") {
    return (
      <select {...common} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {input.options.map((option, index) => (
          <option key={String(option)} value={String(index)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  if (input.kind === "number") {
    return (
      <input
        {...common}
        type="text"
        inputMode={input.whole ? "numeric" : "decimal"}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    );
  }
  if (!input.long)
    return (
      <input {...common} type="text" dir="auto" value={text} onInput={(event) => onText(event.currentTarget.value)} />
    );
  const rows = Math.min(14, Math.max(3, text.split("\n").length + Math.floor(text.length / 60)));
  return (
    <textarea {...common} dir="auto" rows={rows} value={text} onInput={(event) => onText(event.currentTarget.value)} />
  );
}
