/** Which fields of a tool's results are trusted. Pure. */

/** All of them, none, or those that JSON pointers with `*` point to. */
type TrustSetting = boolean | readonly string[];

/** The trust of several groups together: only fields that all of them trust. */
export function agreedTrust(settings: readonly (TrustSetting | undefined)[]): TrustSetting {
  const values = settings.filter((value) => value !== undefined);
  if (values.length === 0 || values.includes(false)) return false;
  const [first, ...others] = values.filter((value) => typeof value === "object");
  return first === undefined || first.filter((field) => others.every((fields) => fields.includes(field)));
}

/** The trusted parts of one result. */
export interface Trust {
  /** Every field. */
  readonly whole: boolean;
  /** JSON pointers in which `*` means each element or member, or begins a name: `/*_id`. Each element of a list is a record. */
  readonly fields: readonly string[];
}

export function isTrustedAt({ whole, fields }: Trust, pointer: string): boolean {
  if (whole) return true;
  const keys = pointer.split("/").slice(1);
  return fields.some((field) => {
    const pattern = field.split("/").slice(1);
    return matches(pattern, keys) || (/^\d+$/.test(keys[0] ?? "") && matches(pattern, keys.slice(1)));
  });
}

const matches = (pattern: readonly string[], keys: readonly string[]): boolean =>
  pattern.length === keys.length && pattern.every((key, at) => covers(key, keys[at] ?? ""));

const covers = (wanted: string, key: string): boolean =>
  wanted === "*" ||
  wanted === key ||
  (wanted.startsWith("*") && key.length >= wanted.length && key.endsWith(wanted.slice(1)));
