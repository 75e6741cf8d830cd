/** Questions to the person at the terminal. */
import { createInterface } from "node:readline/promises";

/** Undefined if no person is at the terminal: a script's input is no answer. */
export async function askTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D answer nothing.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    return (await Promise.race([terminal.question(`${question} `).catch(() => ""), closed])).trim();
  } finally {
    terminal.close();
  }
}

/** Anything but a yes is a no; undefined if no person is at the terminal. */
export async function askYesOrNo(question: string): Promise<boolean | undefined> {
  const answer = await askTerminal(`${question} [y/N]`);
  return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
}
