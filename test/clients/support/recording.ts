/** What a command prints in this process, kept for the test. Undone by `vi.restoreAllMocks`. */
import { vi } from "vitest";

interface Recording {
  /** Standard output and standard error in the order of their lines. */
  readonly lines: readonly string[];
  readonly text: () => string;
}

export function recording(): Recording {
  const lines: string[] = [];
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void lines.push(text));
  return { lines, text: () => lines.join("\n") };
}
