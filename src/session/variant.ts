/** Assigns users to the variants of the system-first experiment. Pure. Source: reference/intent-detection-and-safe-tools.md, part 4.2. */
import { lengthPrefixed, sha256Hex } from "../lib/digest.ts";

/** Who decides first in a user's tasks: the model, or the system. */
export type Variant = "llm_first" | "system_first";

interface VariantSettings {
  readonly strategy: Variant;
  /** With `llm_first`: the share of users, from 0 to 1, for whom the system is first nevertheless. */
  readonly systemFirstShare: number;
}

/** Another experiment on the same users must not split them the same way. */
const SALT = "toolgate arm 1";
/** Hex digits of the digest: 52 bits, all that a number holds exactly. */
const DIGITS = 13;

/** A user's variant never changes, and a larger share contains every user of a smaller one. */
export function variantOf(
  { tenant, user }: { readonly tenant: string; readonly user: string },
  { strategy, systemFirstShare }: VariantSettings,
): Variant {
  if (strategy === "system_first" || systemFirstShare >= 1) return "system_first";
  if (!(systemFirstShare > 0)) return "llm_first";
  const position = Number.parseInt(sha256Hex(lengthPrefixed(SALT, tenant, user)).slice(0, DIGITS), 16) / 16 ** DIGITS;
  return position < systemFirstShare ? "system_first" : "llm_first";
}
