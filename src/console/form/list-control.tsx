/** A list of scalars, each in a line of its own. */
import { texts } from "../texts/texts.ts";
import type { ItemInput } from "./field.ts";
import type { FormContext } from "./field-props.ts";
import { ItemControl } from "./item-control.tsx";

export interface ListControlProps {
  readonly input: ItemInput;
  readonly label: string;
  readonly items: readonly string[];
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (items: readonly string[]) => void;
}

export function ListControl({ input, label, items, path, context, onChange }: ListControlProps) {
  return (
    <div class="list">
      {items.map((item, index) => {
        const at = `${path}/${index}`;
        const problem = context.problems.get(at);
        return (
          <div class="list-item" key={index}>
            <ItemControl
              id={`${context.id}${at}`}
              input={input}
              text={item}
              invalid={problem !== undefined}
              label={texts.form.item(label, index + 1)}
              onText={(text) => onChange(items.with(index, text))}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={texts.form.remove(index + 1)}
              onClick={() => onChange(items.toSpliced(index, 1))}
            >
              <span aria-hidden="true">×</span>
            </button>
            {problem !== undefined && (
              <p id={`${context.id}${at}-problem`} class="problem">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <button
        type="button"
        class="quiet small"
        onClick={() => onChange([...items, input.kind === "choice" ? "0" : ""])}
      >
        + {texts.form.add}
        <span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}
