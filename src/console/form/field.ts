/** The fields of a form, as a JSON schema and the values at hand describe them. */

export type Scalar = string | number | boolean | null;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** Whether `null` is a value of it. */
  readonly nullable: boolean;
  readonly input: Input;
}

export type ItemInput =
  | { readonly kind: "text"; readonly long: boolean }
  | { readonly kind: "number"; readonly whole: boolean }
  | { readonly kind: "choice"; readonly options: readonly Scalar[] };

export type Input =
  | ItemInput
  | { readonly kind: "truth" }
  | { readonly kind: "list"; readonly item: ItemInput }
  | { readonly kind: "group"; readonly fields: readonly Field[] }
  /** What no form is drawn for. */
  | { readonly kind: "json" };

/** Stands in place of what the policy hides. */
export const HIDDEN = "[redacted]";

/** Whether something hidden stands anywhere in it. */
export function holdsHidden(value: unknown): boolean {
  if (value === HIDDEN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsHidden);
}
