/** The pages of the console: at the thumb on a phone, at the side where there is room. */
import { useLocation } from "preact-iso";
import { waiting } from "../inbox/approvals.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

const pages = [
  ["waiting", "/console/approvals"],
  ["history", "/console/approvals/answered"],
  ["allowed", "/console/approvals/allowed"],
  ["you", "/console/you"],
] as const;

export function Nav() {
  const { path } = useLocation();
  return (
    <nav class="nav" aria-label={texts.nav.label}>
      <ul>
        {pages.map(([name, href]) => (
          <li key={name}>
            <a href={href} aria-current={path.replace(/\/$/, "") === href ? "page" : undefined}>
              <Icon name={name} />
              <span>{texts.nav[name]}</span>
              {name === "waiting" && waiting.value.length > 0 && <span class="count">{waiting.value.length}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
