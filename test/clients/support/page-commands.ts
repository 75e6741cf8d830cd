/** What a page of the documentation tells its reader to do: files to save, and commands to run in order. Pure. */

export interface Page {
  readonly name: string;
  /** By path in the project's folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The policy that `npm start` serves; undefined: the page starts no gateway. */
  readonly start: { readonly policy: string } | undefined;
  readonly steps: readonly Step[];
}

export interface Step {
  /** Without `npm start`, which ends only with Ctrl-C. */
  readonly commands: string;
  /** The output that the page shows, if any. */
  readonly shown: { readonly language: "text" | "json"; readonly text: string } | undefined;
}

interface Fence {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
  readonly end: number;
  readonly start: number;
}

export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^( *)(`{3,})([^\n`]*)\n([\s\S]*?)^\1\2 *$/gm)].map((match) => {
    const [all, indent = "", , info = "", text = ""] = match;
    const [language = "", file] = info.trim().split(" ");
    return {
      language,
      file,
      text: text.replace(new RegExp(`^${indent}`, "gm"), ""),
      start: match.index,
      end: match.index + all.length,
    };
  });
}

const START = /^(?:TOOLGATE_POLICY=(\S+) )?npm start\b.*$/m;

export function readPage(name: string, markdown: string): Page {
  const fences = fencesOf(markdown);
  const files = new Map(fences.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const])));
  const commands = fences.filter(({ language }) => language === "sh");
  const starts = commands.flatMap(({ text }) => [...text.matchAll(new RegExp(START, "gm"))]);
  if (starts.length > 1) throw new Error(`${name} starts more than one gateway`);
  const [started] = starts;
  return {
    name,
    files,
    start: started && { policy: started[1] ?? "policies/default.json" },
    steps: commands.map((fence) => {
      const next = fences.find(({ start }) => start > fence.end);
      // With nothing between them but a blank line.
      const follows = next !== undefined && markdown.slice(fence.end, next.start).trim() === "";
      const isOutput = follows && next.file === undefined && (next.language === "text" || next.language === "json");
      const shown = isOutput ? { language: next.language as "text" | "json", text: next.text } : undefined;
      return { commands: fence.text.replace(START, ""), shown };
    }),
  };
}

/** Whether a value has all that a page shows of it; `…` stands for anything. */
export function showsOf(shown: unknown, value: unknown): boolean {
  if (shown === "…") return true;
  if (Array.isArray(shown)) {
    if (!Array.isArray(value)) return false;
    return shown.includes("…") || (shown.length === value.length && shown.every((one, at) => showsOf(one, value[at])));
  }
  if (typeof shown !== "object" || shown === null) return Object.is(shown, value);
  if (typeof value !== "object" || value === null) return false;
  const members = new Map(Object.entries(value));
  return Object.entries(shown).every(([name, one]) => members.has(name) && showsOf(one, members.get(name)));
}
