/** Small icons beside texts that say the same. */

const paths = {
  undo: "M5 8h7.5a3.5 3.5 0 0 1 0 7H8M5 8l3-3M5 8l3 3",
  warning: "M10 3.5 17.5 16h-15zM10 8.5v3.2M10 13.9v.1",
  leaves: "M8 4.5H5.5v11H8M9 10h7.5M13.5 7l3 3-3 3",
  note: "M10 9.5v4M10 6.6v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14z",
  chat: "M4 5h12v8.5H9L5.5 16v-2.5H4z",
  waiting: "M5 4v13M5 8h11M16 6.5v3",
  history: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4.2l2.8 1.8",
  allowed: "M5 4v13M5 11l9-6.5",
  below: "M10 4v11M5.5 10.5 10 15l4.5-4.5",
  you: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.6-3.2 3-4.8 6-4.8s5.400 1.600 6 4.800",
  overview: "M4 16V9M8 16V4M12 16v-5M16 16V7",
  sessions: "M4 5h9v6H8l-2.500 2.500V11H4zM15 8h2v6h-1.500v2L13 14h-3",
  audit: "M6 3h8v14H6zM8.500 7h3M8.500 10h3M8.500 13h1.500",
  policy: "M10 3l6 2v5c0 3.500-2.500 5.800-6 7-3.500-1.200-6-3.500-6-7V5z",
  playground: "M5 4h10v9H9l-3 3v-3H5zM8.500 7l3 1.700-3 1.700z",
  tools: "M12.500 4a3.500 3.500 0 0 0-3.300 4.700L4 14l2 2 5.300-5.200A3.500 3.500 0 0 0 16 7.500L13.500 9 11 6.500z",
  users:
    "M8 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 16c.4-2.600 2.300-4 5-4s4.600 1.400 5 4M13 4.800a2.500 2.500 0 0 1 0 4.500M14.500 12.300c1.400.6 2.300 1.900 2.500 3.700",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 4.500v3M7 12.500v3",
  more: "M4 6h12M4 10h12M4 14h12",
  search: "M9 14A5 5 0 1 0 9 4a5 5 0 0 0 0 10zM13 13l3.500 3.500",
  keys: "M3 6h14v8H3zM6 9v.1M10 9v.1M14 9v.1M7 11.500h6",
  leave: "M8 4H4v12h4M9 10h8M14 7l3 3-3 3",
  trash: "M4 6h12M8 6V4h4v2M6 6l.700 10h6.600L14 6",
  money: "M3 6h14v8H3zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  mail: "M3 5h14v10H3zM3.500 6l6.500 5 6.500-5",
  shell: "M3 4h14v12H3zM6 8l2.500 2L6 12M10 12.500h4",
  pencil: "M4 16l.8-3.500L13 4.300 15.700 7 7.500 15.200z",
  file: "M6 3h5.500L15 6.500V17H6zM11 3v4h4",
  check: "M4.500 10.500 8.500 14.500 16 6",
  cross: "M5.500 5.500l9 9M14.500 5.500l-9 9",
  question: "M7.500 7.500A2.500 2.500 0 1 1 10 10v1.500M10 14.500v.1",
  seal: "M10 3l6 2v5c0 3.500-2.500 5.800-6 7-3.500-1.200-6-3.500-6-7V5zM7 9.800l2.200 2.200L13 8",
  person: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.6-3.2 3-4.8 6-4.800s5.400 1.600 6 4.800",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo: a post with a barrier, down if something waits, else up. */
export function Mark({ large, open }: { readonly large?: boolean; readonly open?: boolean }) {
  return (
    <svg class={`mark ${large ? "large" : ""} ${open ? "open" : ""}`} viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-post" d="M9 9v16" />
      <g class="mark-barrier">
        <path d="M9 14h15" />
        <circle cx="24" cy="14" r="2.4" />
      </g>
    </svg>
  );
}
