/** What the gateway adds to a reply by itself, in English. `{tool}` and other names are filled in as code. */
export const notes = {
  /** Of calls that were decided elsewhere than in this chat. */
  elsewhere: {
    denied: "This was refused elsewhere; nothing was done.",
    expired: "Nobody answered in time; nothing was done.",
    refused: "Toolgate: not run, because it was refused elsewhere: {tools}.",
  },
  /** Where the policy has its reason in other languages only. */
  condition: {
    asks: "⚠ The policy asks about a call like this one.",
  },
};
