/** What the parts of a form are given. */
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";

export interface FormContext {
  /** Makes ids of one form differ from those of another. */
  readonly id: string;
  /** What is wrong at a JSON pointer, as text. */
  readonly problems: ReadonlyMap<string, string>;
}

export interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  /** JSON pointer. */
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (draft: Draft) => void;
}
