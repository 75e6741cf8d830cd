/**
 * Copies of the keys that sign and seal, as a deployment has set them. A Worker's secrets cannot be read back, and an operator who verifies
 * records, or puts a new key before an old one, needs them. Each Worker has a file, which git ignores and only its owner may read.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { parseKeyRing } from "../../lib/key-ring.ts";
import type { SettingValues } from "../../settings/setting-warnings.ts";

export interface KeptKeys {
  /** The path as messages show it. */
  readonly path: string;
  /** Empty if no deployment from this machine has set any. */
  readonly read: () => SettingValues;
  readonly write: (keys: SettingValues) => void;
}

export const keysFileName = (worker: string): string => `.deploy.keys.${worker}`;

export function keptKeysIn(path: string): KeptKeys {
  return {
    path,
    read: () => (existsSync(path) ? (parseEnv(readFileSync(path, "utf8")) as SettingValues) : {}),
    write(keys) {
      const lines = Object.entries(keys).map(([name, value]) => `${name}=${quoted(value)}`);
      // A machine that stops meanwhile must not leave half of them; the mode applies only to a new file.
      const whole = `${path}.new`;
      rmSync(whole, { force: true });
      writeFileSync(whole, `${HEADER}\n${lines.join("\n")}\n`, { mode: 0o600 });
      renameSync(whole, path);
    },
  };
}

const HEADER = "# Keys of a deployment. Keep a copy in a safe place: the Worker does not show them.";

/** Such a file has no escapes. */
function quoted(value: string): string {
  if (/^[\w:,.+/=-]+$/.test(value)) return value;
  const quote = ["'", "`"].find((mark) => !value.includes(mark)) ?? '"';
  return `${quote}${value}${quote}`;
}

/** The ids of keys that `before` has and `now` has not, or has with another secret. */
export function lostKeyIds(before: string, now: string): string[] {
  const [older, newer] = [parseKeyRing(before, "key"), parseKeyRing(now, "key")];
  if (!older.ok || !newer.ok) return [];
  return [...older.value.secrets].filter(([id, secret]) => newer.value.secrets.get(id) !== secret).map(([id]) => id);
}
