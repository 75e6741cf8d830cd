/** Rows of cells as text, the first row being the header. Pure. */

type Rows = readonly (readonly string[])[];

/** Columns aligned: the first to the left, the others to the right. */
export function plainTable(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0));
  return rows.map((row) => `  ${row.map(pad).join("  ").trimEnd()}`).join("\n");
}

export function markdownTable([header = [], ...rows]: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${header.map((_, i) => (i === 0 ? "---" : "---:")).join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}

/** A number with so many digits after the point; a dash where there is none. */
export const show = (value: number | undefined, digits = 2): string =>
  value !== undefined && Number.isFinite(value) ? value.toFixed(digits) : "-";

export const signed = (value: number): string => `${value >= 0 ? "+" : ""}${show(value)}`;
