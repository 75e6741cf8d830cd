/** Markdown as CommonMark reads it, as far as quotes of code go: written apart from what makes it. */

/** What stands in no fence and in no span of code. */
export function outsideOfQuotes(markdown: string): string {
  let fence = "";
  const lines: string[] = [];
  for (const line of markdown.split("\n")) {
    const [, run = "", behind = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence !== "") {
      if (run.startsWith(fence) && behind.trim() === "") fence = "";
    } else if (run !== "" && !(run.startsWith("`") && behind.includes("`"))) fence = run;
    else lines.push(withoutSpans(line));
  }
  return lines.join("\n");
}

/** A span ends with as many backticks as it begins with; a backslash before a backtick that begins none makes it a character. */
function withoutSpans(line: string): string {
  let out = "";
  for (let at = 0; at < line.length; ) {
    const run = /^`+/.exec(line.slice(at))?.[0] ?? "";
    if (run === "" || line.charAt(at - 1) === "\\") {
      out += line.slice(at, at + Math.max(1, run.length));
      at += Math.max(1, run.length);
      continue;
    }
    const rest = line.slice(at + run.length);
    const end = [...rest.matchAll(/`+/g)].find(([closing]) => closing.length === run.length);
    out += end ? "·" : run;
    at += run.length + (end ? end.index + run.length : 0);
  }
  return out.replace(/·/g, "");
}
