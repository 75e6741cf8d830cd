/**
 * Finds the lines of a Markdown text that are code, while its lines come in. Pure.
 *
 * A link in code is shown as text by every renderer, so it may stay. But from the first place on at which renderers could
 * differ in what is code, nothing counts as code: one mistake would turn code into text, and text into code, for all that follows.
 */
interface Fence {
  readonly char: string;
  readonly size: number;
  readonly indent: number;
  /** Its list item begins on the same line, so a line with less indent ends it for certain. */
  readonly isItem: boolean;
}

interface CodeLines {
  /** The line under way is in a fence; its beginning is enough to know. */
  inFence(line: string): boolean;
  /** The line under way, which begins with `line`, is indented code. */
  isIndentedCode(line: string): boolean;
  /** Until the next blank line, backticks say nothing. */
  readonly isUnclear: boolean;
  markUnclear(kind: "inline" | "html"): void;
  /** A line is complete. @param isCut only its beginning was kept. */
  endLine(line: string, isCut: boolean): void;
  /** Nothing counts as code any more. */
  distrust(): void;
}

const OPENING = /^((?: {0,3}(?:[-*+]|1[.)]) {1,4})*)( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_LIKE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const DEEP = /^ {4,}(`{3,}|~{3,})/;
/** Lists, quotes, footnotes and definitions: lines with four blanks may belong to them. */
const CONTAINER = /^[ \t]*(?:(?:[-*+:]|\d{1,9}[.)])(?:[ \t]|$)|>|\[\^)/;

export function codeLines(): CodeLines {
  let fence: Fence | undefined;
  /** A fence in a nested list, as it seems: its text is not taken for code. */
  let deep: Fence | undefined;
  let isDistrusted = false;
  let unclearKind: "inline" | "html" | undefined;
  let hasText = false;
  let hasContainer = false;
  let mayIndent = false;
  const distrust = (): void => {
    isDistrusted = true;
    fence = undefined;
  };
  const endFenceLine = (line: string, open: Fence): void => {
    const run = new RegExp(`^([ \\t]*)(\\${open.char}{${open.size},})(.*)$`, "s").exec(line);
    if (!run) return;
    const [, blanks = "", , rest = ""] = run;
    const isAt = open.indent === 0 ? /^ {0,3}$/.test(blanks) : blanks === " ".repeat(open.indent);
    // Renderers differ in the other ends of a fence.
    if (isAt && /^ *$/.test(rest)) fence = undefined;
    else distrust();
  };
  const endTextLine = (line: string, isCut: boolean): void => {
    const isBlank = /^[ \t]*$/.test(line);
    mayIndent = isBlank ? hasText : mayIndent && /^ {4}/.test(line);
    if (isBlank) {
      unclearKind = undefined;
      return;
    }
    hasText = true;
    hasContainer ||= CONTAINER.test(line);
    if (isDistrusted) return;
    const found = OPENING.exec(line);
    if (!found) {
      noteDeep(line);
      return;
    }
    const [, items = "", blanks = "", marks = ""] = found;
    if (/^\S/.test(line)) deep = undefined;
    if (isCut || unclearKind === "html" || deep) {
      distrust();
      return;
    }
    fence = {
      char: marks.charAt(0),
      size: marks.length,
      indent: items.length + blanks.length,
      isItem: items !== "",
    };
    if (items !== "" && blanks !== "") distrust();
  };
  const noteDeep = (line: string): void => {
    const isFenceLike = FENCE_LIKE.test(line);
    const found = DEEP.exec(line);
    if (deep && /^\S/.test(line)) deep = undefined;
    if (!isFenceLike) return;
    const marks = found?.[1] ?? "";
    if (!found || unclearKind === "html") {
      distrust();
      return;
    }
    const indent = line.indexOf(marks);
    const closes = deep && deep.indent === indent && deep.size === marks.length && line.trim() === marks;
    if (closes) deep = undefined;
    else if (deep) distrust();
    else deep = { char: marks.charAt(0), size: marks.length, indent, isItem: false };
  };
  return {
    inFence(line) {
      if (!fence || fence.indent === 0) return fence !== undefined;
      const [blanks = ""] = /^[ \t]*/.exec(line) ?? [];
      if (blanks.length === line.length || blanks.length >= fence.indent) return true;
      if (blanks.includes("\t") || !fence.isItem) distrust();
      fence = undefined;
      return false;
    },
    isIndentedCode: (line) =>
      mayIndent && !hasContainer && !isDistrusted && unclearKind !== "html" && /^ {4}/.test(line),
    get isUnclear() {
      return isDistrusted || unclearKind !== undefined;
    },
    markUnclear(kind) {
      if (unclearKind !== "html") unclearKind = kind;
    },
    endLine(line, isCut) {
      if (fence && this.inFence(line) && fence) endFenceLine(line, fence);
      else endTextLine(line, isCut);
    },
    distrust,
  };
}
