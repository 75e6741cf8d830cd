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
