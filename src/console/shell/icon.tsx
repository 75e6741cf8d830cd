/** Small drawings beside texts that say the same. */

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
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark: a post and its barrier, down where something waits, up where the way is free. */
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
