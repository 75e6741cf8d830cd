/** How many bytes a text takes in UTF-8. Pure. */
const encoder = new TextEncoder();

export const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;
