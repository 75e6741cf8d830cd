/** The navigation: beside the content if there is room, else a bar at the bottom. */
import { useLocation } from "preact-iso";
import { waiting } from "../inbox/approvals.ts";
import { openPages, type Page, pageAt } from "../pages.ts";
import { me } from "../sign-in/me.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";
import { paletteOpen } from "./palette.tsx";

const groups = ["own", "operators"] as const;

export function Navigation() {
  const { path } = useLocation();
  const current = pageAt(path);
  const shown = openPages.value;
  const operator = me.value?.sees_tenant === true;
  return (
    <nav class="nav" aria-label={texts.nav.label}>
      {groups.map((group) => {
        const inGroup = shown.filter((page) => page.group === group);
        if (inGroup.length === 0) return null;
        return (
          <div key={group} class="nav-group">
            {operator && (
              <p class="nav-title" id={`nav-${group}`}>
                {texts.shell.groups[group]}
              </p>
            )}
            <ul aria-labelledby={operator ? `nav-${group}` : undefined}>
              {inGroup.map((page) => (
                <NavigationLink key={page.name} page={page} current={page === current} operator={operator} />
              ))}
            </ul>
          </div>
        );
      })}
      {shown.some((page) => !isInBar(page, operator)) && (
        <button
          type="button"
          class="nav-more"
          onClick={() => {
            paletteOpen.value = true;
          }}
        >
          <Icon name="more" />
          <span>{texts.shell.more}</span>
        </button>
      )}
    </nav>
  );
}

interface NavigationLinkProps {
  readonly page: Page;
  readonly current: boolean;
  readonly operator: boolean;
}

function NavigationLink({ page, current, operator }: NavigationLinkProps) {
  const { name, path } = page;
  return (
    <li class={isInBar(page, operator) ? undefined : "beside"}>
      <a href={path} aria-current={current ? "page" : undefined}>
        <Icon name={name} />
        <span>{texts.nav[name]}</span>
        {name === "waiting" && waiting.value.length > 0 && <span class="count">{waiting.value.length}</span>}
      </a>
    </li>
  );
}

const isInBar = ({ bar }: Page, operator: boolean): boolean =>
  bar === "everybody" || bar === (operator ? "operators" : "people");
