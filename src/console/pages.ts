/**
 * The pages of the console: where each one is, who sees it, and what draws it. `README.md` beside it says how one is added.
 * The pages that everybody has come with the shell; each of the operators' is a script of its own.
 */
import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import { AllowedPage } from "./allowed/allowed-page.tsx";
import { HistoryPage } from "./history/history-page.tsx";
import { InboxPage } from "./inbox/inbox-page.tsx";
import type { IconName } from "./shell/icon.tsx";
import { lazyPage } from "./shell/lazy-page.tsx";
import { me } from "./sign-in/me.ts";
import type { Texts } from "./texts/en.ts";
import { YouPage } from "./you/you-page.tsx";

export interface Page {
  /** Names its text in `texts.nav`, and its icon. */
  readonly name: Exclude<keyof Texts["nav"], "label" | "skip"> & IconName;
  /** Where the navigation leads. */
  readonly path: string;
  readonly group: "own" | "operators";
  /** Who has it in the bar of a phone; the others find it behind `More`. */
  readonly bar: "everybody" | "people" | "operators" | "nobody";
  /** It takes the whole window instead of a column. */
  readonly wide?: boolean;
  /** All that it shows, `path` among them; parameters as in `/console/sessions/:id`. */
  readonly routes: readonly Route[];
}

// biome-ignore lint/suspicious/noExplicitAny: the router passes the parameters of the path, which only the component names
type Route = readonly [path: string, component: ComponentType<any>];

const OverviewPage = lazyPage(() => import("./overview/overview-page.tsx").then(({ OverviewPage }) => OverviewPage));
const SessionsPage = lazyPage(() => import("./sessions/sessions-page.tsx").then(({ SessionsPage }) => SessionsPage));
const SessionPage = lazyPage(() => import("./sessions/session-page.tsx").then(({ SessionPage }) => SessionPage));
const AuditPage = lazyPage(() => import("./audit/audit-page.tsx").then(({ AuditPage }) => AuditPage));
const TurnPage = lazyPage(() => import("./sessions/turn-page.tsx").then(({ TurnPage }) => TurnPage));
const PolicyPage = lazyPage(() => import("./policies/policy-page.tsx").then(({ PolicyPage }) => PolicyPage));
const PlaygroundPage = lazyPage(() =>
  import("./playground/playground-page.tsx").then(({ PlaygroundPage }) => PlaygroundPage),
);
const ToolsPage = lazyPage(() => import("./tools-page/tools-page.tsx").then(({ ToolsPage }) => ToolsPage));
const UsersPage = lazyPage(() => import("./keys/users-page.tsx").then(({ UsersPage }) => UsersPage));
const SettingsPage = lazyPage(() => import("./health/settings-page.tsx").then(({ SettingsPage }) => SettingsPage));

const pages: readonly Page[] = [
  {
    name: "waiting",
    path: "/console/approvals",
    group: "own",
    bar: "everybody",
    routes: [["/console/approvals", InboxPage]],
  },
  {
    name: "history",
    path: "/console/approvals/answered",
    group: "own",
    bar: "people",
    routes: [["/console/approvals/answered", HistoryPage]],
  },
  {
    name: "allowed",
    path: "/console/approvals/allowed",
    group: "own",
    bar: "people",
    routes: [["/console/approvals/allowed", AllowedPage]],
  },
  { name: "you", path: "/console/you", group: "own", bar: "people", routes: [["/console/you", YouPage]] },
  {
    name: "overview",
    path: "/console/overview",
    group: "operators",
    bar: "operators",
    wide: true,
    routes: [["/console/overview", OverviewPage]],
  },
  {
    name: "sessions",
    path: "/console/sessions",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [
      ["/console/sessions", SessionsPage],
      ["/console/sessions/:id", SessionPage],
      ["/console/turns/:id", TurnPage],
    ],
  },
  {
    name: "audit",
    path: "/console/audit",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [["/console/audit", AuditPage]],
  },
  {
    name: "policy",
    path: "/console/policy",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [["/console/policy", PolicyPage]],
  },
  {
    name: "playground",
    path: "/console/playground",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [["/console/playground", PlaygroundPage]],
  },
  {
    name: "tools",
    path: "/console/tools",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [["/console/tools", ToolsPage]],
  },
  {
    name: "users",
    path: "/console/users",
    group: "operators",
    bar: "nobody",
    wide: true,
    routes: [["/console/users", UsersPage]],
  },
  {
    name: "settings",
    path: "/console/settings",
    group: "operators",
    bar: "nobody",
    routes: [["/console/settings", SettingsPage]],
  },
];

/** Those that the person who is signed in may open. The gateway checks each request anew: this is for the eye. */
export const openPages = computed(() => pages.filter(({ group }) => group === "own" || me.value?.sees_tenant === true));

/** The page that shows an address, for who is signed in: the one with the longest path before it. */
export const pageAt = (address: string): Page | undefined => longest(openPages.value, address);

/** Whether or not the person may open it. */
export const pageFor = (address: string): Page | undefined => longest(pages, address);

function longest(among: readonly Page[], address: string): Page | undefined {
  const shows = ({ path }: Page) => address === path || address.startsWith(`${path}/`);
  return among.filter(shows).reduce<Page | undefined>(longerPath, undefined);
}

const longerPath = (one: Page | undefined, other: Page): Page =>
  one === undefined || other.path.length > one.path.length ? other : one;
