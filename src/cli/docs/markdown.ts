/** Tables and anchors of Markdown. Pure. */

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();

/** GitHub makes anchors of headings alone. */
export const anchored = (name: string): string => `<a id="${name.toLowerCase()}"></a>\`${name}\``;
