/** Variants of the policy that is in force where a tenant has none of its own. */
import { readFileSync } from "node:fs";

interface Document {
  readonly tools: Readonly<Record<string, object>>;
}

const byDefault = JSON.parse(
  readFileSync(new URL("../../../policies/default.json", import.meta.url), "utf8"),
) as Document;

/** The user's words select nothing: the model does, among what they name. */
export const modelSelects = { ...byDefault, handshake: { select: "model" } };

/** What these tools return is nobody else's text, so it narrows no choice of the model's. */
export const trusting = (...names: readonly string[]): unknown => ({
  ...byDefault,
  tools: {
    ...byDefault.tools,
    ...Object.fromEntries(names.map((name) => [name, { ...byDefault.tools[name], trusted: true }])),
  },
});
