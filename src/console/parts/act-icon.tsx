/** The icon of a tool's kind of act, in its colour. */
import { Icon, type IconName } from "../shell/icon.tsx";
import { type ActKind, actKind } from "./act-kind.ts";

const ICONS: Readonly<Record<ActKind, IconName>> = {
  destroy: "trash",
  money: "money",
  mail: "mail",
  shell: "shell",
  web: "leaves",
  note: "note",
  search: "search",
  write: "pencil",
  read: "file",
  other: "tools",
};

export function ActIcon({ tool }: { readonly tool: string }) {
  const kind = actKind(tool);
  return (
    <span class={`act act-${kind}`}>
      <Icon name={ICONS[kind]} />
    </span>
  );
}
