/** Which web pages may call the gateway from a browser: `CORS_ORIGINS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface CorsSettings {
  /** `*`: every page, but never with the browser's own credentials. */
  readonly any: boolean;
  readonly origins: ReadonlySet<string>;
}

export const NO_ORIGINS: CorsSettings = { any: false, origins: new Set() };

/** A comma list of origins as browsers send them (`https://chat.example.com`), or `*`. */
export function readCors(variables: SettingVariables): Result<CorsSettings, readonly string[]> {
  const entries = (variables.CORS_ORIGINS ?? "").split(",").map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== "");
  if (given.includes("*") && given.length > 1)
    return err(["CORS_ORIGINS: write either `*` alone or a comma list of origins"]);
  if (given[0] === "*") return ok({ any: true, origins: new Set() });
  const wrong = given.filter((entry) => !isOrigin(entry));
  if (wrong.length === 0) return ok({ any: false, origins: new Set(given) });
  return err(
    wrong.map(
      (entry) =>
        `CORS_ORIGINS: \`${entry}\` is no origin; write it as browsers do, such as \`https://chat.example.com\``,
    ),
  );
}

/**
 * Exactly as a browser writes it, because origins are compared as text. `null` is refused: any sandboxed page sends it. The URL standard
 * knows no origin for an app's or an extension's own scheme (`app://obsidian.md`): it is taken as it is.
 */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^*\s/]+$/.test(text) || !URL.canParse(text)) return false;
  return !/^https?:/.test(text) || new URL(text).origin === text;
}
