/**
 * `{{arguments.path}}`, `{{system.name}}`, `{{secret.NAME}}` and `{{connection.token}}` in a policy's request settings.
 * Pure.
 *
 * A template is filled once: a value is never read as a template. Only own properties count, so that no
 * argument can reach what a prototype has.
 */
import { isSecret, REFERENCE } from "../policy/document/request-template.ts";

/** The values of templates. Secrets are looked up before, and only those that are bound to this tenant and host. */
export interface TemplateValues {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
  /** By reference, as written without blanks: `secret.NAME`, `connection.token`. Absent if no secret is allowed. */
  readonly secrets?: ReadonlyMap<string, string>;
}

export type FilledArgument =
  | { readonly kind: "value"; readonly value: unknown }
  /** An argument that it names is not there. */
  | { readonly kind: "missing"; readonly reference: string }
  /** The value is not allowed there; the reason, without the value. */
  | { readonly kind: "unfit"; readonly why: string };

const ALONE = /^\{\{\s*([^{}]*?)\s*\}\}$/;

/** A template that is a single reference gives the value as it is; any other gives a text. */
export function fillTemplate(template: string, values: TemplateValues): FilledArgument {
  const alone = ALONE.exec(template)?.[1];
  return alone === undefined ? fillText(template, values) : lookUp(alone, values);
}

/** @param encode encodes each value's text. */
export function fillText(
  template: string,
  values: TemplateValues,
  encode: (text: string) => string = (text) => text,
): FilledArgument {
  let fault: FilledArgument | undefined;
  const text = template.replace(REFERENCE, (_, reference: string) => {
    const filled = textOf(reference, values);
    if (filled.kind === "value") return encode(filled.value);
    fault ??= filled;
    return "";
  });
  return fault ?? { kind: "value", value: text };
}

type FilledText = Exclude<FilledArgument, { kind: "value" }> | { readonly kind: "value"; readonly value: string };

function textOf(reference: string, values: TemplateValues): FilledText {
  const filled = lookUp(reference, values);
  if (filled.kind !== "value") return filled;
  const { value } = filled;
  if (value === null) return { kind: "missing", reference };
  if (!isScalar(value)) return { kind: "unfit", why: `\`${reference}\` is no text` };
  const text = String(value);
  return text.isWellFormed()
    ? { kind: "value", value: text }
    : { kind: "unfit", why: `\`${reference}\` holds half a character` };
}

export const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function lookUp(reference: string, { arguments: args, system, secrets }: TemplateValues): FilledArgument {
  if (isSecret(reference)) {
    const secret = secrets?.get(reference);
    return secret === undefined
      ? { kind: "unfit", why: `\`{{${reference}}}\` cannot stand there` }
      : { kind: "value", value: secret };
  }
  const [source, ...steps] = reference.split(".");
  if ((source !== "arguments" && source !== "system") || steps.length === 0 || steps.includes(""))
    return { kind: "unfit", why: `\`{{${reference}}}\` stands for nothing` };
  let value: unknown = source === "arguments" ? args : system;
  for (const step of steps) {
    if (!hasOwn(value, step)) return { kind: "missing", reference };
    value = value[step];
  }
  return { kind: "value", value };
}

/** Only the items of a list: its `length` is an own property too. */
function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  return !Array.isArray(value) || /^\d+$/.test(name);
}
