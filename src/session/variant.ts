/** Which way a user's tasks go where both are tried. Pure. Source: reference/intent-detection-and-safe-tools.md, part 4.2. */
import { lengthPrefixed, sha256Hex } from "../lib/digest.ts";

/** Which way a user's tasks go where both are tried: the model decides first, or the system does. */
export type Variant = "llm_first" | "system_first";

interface VariantSettings {
  readonly strategy: Variant;
  /** With `llm_first`: the share of users, from 0 to 1, for whom the system is first all the same. */
  readonly systemFirstShare: number;
}

/** Another experiment on the same users must not meet the same halves. */
const SALT = "toolgate arm 1";
/** Hex digits of the digest: 52 bits, all that a number holds exactly. */
const DIGITS = 13;

/** A user's variant never changes; whom a share takes in, every larger one does. */
export function variantOf(
  { tenant, user }: { readonly tenant: string; readonly user: string },
  { strategy, systemFirstShare }: VariantSettings,
): Variant {
  if (strategy === "system_first" || systemFirstShare >= 1) return "system_first";
  if (!(systemFirstShare > 0)) return "llm_first";
  const position = Number.parseInt(sha256Hex(lengthPrefixed(SALT, tenant, user)).slice(0, DIGITS), 16) / 16 ** DIGITS;
  return position < systemFirstShare ? "system_first" : "llm_first";
}
