/** Ways to ask the user (`confirmation.channel`). In a file without imports: the console's pages load it too. */
export const channels = ["inline", "hold", "native"] as const;
export type Channel = (typeof channels)[number];
