/** What stands between `{{` and `}}` in what the policy says of a request. Pure. */

export const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const SECRET = /^(secret\..+|connection\.token)$/;

/** In order, each once. */
export const referencesIn = (template: string): readonly string[] => [
  ...new Set(template.matchAll(REFERENCE).map(([, reference = ""]) => reference)),
];

export const isSecret = (reference: string): boolean => SECRET.test(reference);

/** Names of the secrets that headers hold, in order. */
export const secretsIn = (headers: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(Object.values(headers).flatMap(referencesIn))]
    .filter((reference) => reference.startsWith("secret."))
    .map((reference) => reference.slice("secret.".length))
    .sort();

/** Whether headers hold the token of what a user has linked. */
export const holdsToken = (headers: Readonly<Record<string, string>>): boolean =>
  Object.values(headers).some((text) => referencesIn(text).includes("connection.token"));

/** The name of the argument at the top that a reference names; undefined where it names none. */
export function argumentOf(reference: string): string | undefined {
  const [source, name] = reference.split(".");
  return source === "arguments" || source === "system" ? name : undefined;
}

/** The text with `filler` wherever a reference stands. */
export const withoutReferences = (template: string, filler: string): string =>
  template.replaceAll(REFERENCE, () => filler);
