/** Some servers answer with what they were sent: a secret is not told to the model by them. Pure. */

/** Shorter ones would be found in what has nothing to do with them. */
const MIN_LENGTH = 6;

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let told = text;
  for (const secret of secrets) {
    for (const form of new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])) {
      if (form.length >= MIN_LENGTH) told = told.replaceAll(form, "[secret]");
    }
  }
  return told;
}
