/** A chat as any frontend draws it, for pictures: bubbles, bold words, code and lists of one line each. Pure. */

export interface ChatLine {
  readonly who: "user" | "assistant" | "tool";
  readonly text: string;
}

const style = `
  :root { color-scheme: light dark }
  body { margin: 0; padding: 28px; font: 15px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
    background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc) }
  .line { max-width: 78%; margin: 0 0 14px; padding: 10px 16px; border-radius: 14px }
  .user { margin-left: auto; width: fit-content; background: light-dark(#2f6f4f, #1f5238); color: #fff }
  .assistant { background: light-dark(#f3f5f7, #161b22) }
  .tool { font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace; border: 1px solid light-dark(#d0d7de, #3d444d);
    width: fit-content }
  p { margin: 6px 0 } ul { margin: 6px 0; padding-left: 20px }
  code { font: 13px ui-monospace, Menlo, Consolas, monospace; background: light-dark(#e4e8ec, #2a313a);
    border-radius: 4px; padding: 1px 4px }`;

export function chatPage(lines: readonly ChatLine[]): string {
  const drawn = lines.map(
    ({ who, text }) => `<div class="line ${who}">${who === "assistant" ? blocks(text) : escapeMarkup(text)}</div>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${drawn.join("")}`;
}

function blocks(markdown: string): string {
  const parts = markdown.split(/\n\n+/).map((part) => {
    if (!part.startsWith("- ")) return `<p>${inline(part)}</p>`;
    const items = part.split(/^- /m).slice(1);
    return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
  });
  return parts.join("");
}

const inline = (text: string): string =>
  escapeMarkup(text)
    .replace(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replace(/`([^`]+)`/g, "<code>$1</code>");

const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
