/** What a text takes in a row. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
