/** How a person is asked. DESIGN.md "Confirmation". In a file without imports: the console's pages load it too. */
export const channels = ["inline", "hold", "native"] as const;
export type Channel = (typeof channels)[number];
