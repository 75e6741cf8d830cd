/** The languages that the gateway writes to people in. */
export const languages = ["en", "zh", "ja", "de", "es", "fr", "ko"] as const;
export type Language = (typeof languages)[number];

/** A text, or one for each language. */
export type LocalText = string | { readonly [language in Language]?: string | undefined };

/** The one form of a text for records, comparisons and the model: English, or the first that there is. */
export const oneForm = (text: LocalText): string =>
  typeof text === "string" ? text : (text.en ?? Object.values(text).find((one) => one !== undefined) ?? "");
