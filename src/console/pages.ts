/**
 * The table of the console's pages: path, audience and component of each. `README.md` in this folder says how to add one. The pages of
 * all users come with the shell; each page for operators is a script of its own.
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
  /** Key of its text in `texts.nav`, and of its icon. */
  readonly name: Exclude<keyof Texts["nav"], "label" | "skip"> & IconName;
  /** The address that the navigation leads to. */
  readonly path: string;
  readonly group: "own" | "operators";
  /** The users who have it in the bar of a phone; for others it is behind `More`. */
  readonly bar: "everybody" | "people" | "operators" | "nobody";
  /** It takes the width of the window instead of a column. */
  readonly wide?: boolean;
  /** All routes of the page, `path` included; parameters as in `/console/sessions/:id`. */
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

/** The pages that the signed-in user sees. Display only: the gateway checks each request itself. */
export const openPages = computed(() => pages.filter(({ group }) => group === "own" || me.value?.sees_tenant === true));

/** The page for an address, among those that the signed-in user may open: the one with the longest matching path. */
export const pageAt = (address: string): Page | undefined => longest(openPages.value, address);

/** The page for an address, among all pages: the user may not be allowed to open it. */
export const pageFor = (address: string): Page | undefined => longest(pages, address);

function longest(among: readonly Page[], address: string): Page | undefined {
  const shows = ({ path }: Page) => address === path || address.startsWith(`${path}/`);
  return among.filter(shows).reduce<Page | undefined>(longerPath, undefined);
}

const longerPath = (one: Page | undefined, other: Page): Page =>
  one === undefined || other.path.length > one.path.length ? other : one;
