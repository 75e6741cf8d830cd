/** A window of tmux: keys are typed into it, and its screen is read. */
import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "../../../src/cli/settings.ts";

const run = promisify(execFile);

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Window {
  /** As they are called in tmux: `Enter`, `C-d`; a text that is none of these is typed. */
  keys(...keys: readonly string[]): Promise<void>;
  /** Without blanks at the ends of lines, and without empty lines at its end. */
  screen(): Promise<string>;
  /** Waits until the screen shows it. @returns the screen. */
  shows(expected: string | RegExp): Promise<string>;
  /** How many signs of the screen's attributes set a colour. */
  colours(): Promise<number>;
  close(): Promise<void>;
}

interface WindowSettings {
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The window stays when the program ends, and shows `ended CODE`. */
export async function openWindow(command: readonly string[], { columns, rows, env }: WindowSettings): Promise<Window> {
  const socket = `toolgate-${randomUUID()}`;
  const { PATH = "", HOME = "" } = process.env;
  // A server of its own reads no settings of the person's.
  const tmux = (...args: readonly string[]) =>
    run("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
      env: { PATH, HOME, LANG: "C.UTF-8", TERM: "xterm-256color" },
    });
  const variables = Object.entries({ PATH, HOME, LANG: "C.UTF-8", ...env }).map(([name, value]) => `${name}=${value}`);
  const line = ["env", ...variables, process.execPath, ...command].map(quoted).join(" ");
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, "-c", root, `${line}; echo "ended $?"; exec sleep 600`);
  const screen = async () => (await tmux("capture-pane", "-p")).stdout.replace(/[^\S\n]+$/gm, "").trimEnd();
  return {
    keys: async (...keys) => void (await tmux("send-keys", ...keys)),
    screen,
    async shows(expected) {
      await expect.poll(screen, { timeout: 30_000, interval: 100 }).toMatch(expected);
      return screen();
    },
    colours: async () => (await tmux("capture-pane", "-p", "-e")).stdout.split(/\[(?:\d+;)*3[0-7]m/).length - 1,
    close: async () => void (await tmux("kill-server").catch(() => {})),
  };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
