/**
 * Headers of one name come as one, joined by `, `: whoever stands before the gateway and adds one to the client's makes one user
 * of two. The same id twice is told; two ids are not, as one id may hold a comma (`Doe, Jane`) and reads no differently. Pure.
 */
export const isNamedTwice = (user: string): boolean => user.length <= MAX_UNITS && /^(.+)(?:, \1)+$/u.test(user);

/** UTF-16 units: longer ones are no names, and the expression's time grows with the square. */
const MAX_UNITS = 128;

export const NAMED_TWICE = "`x-toolgate-user` names one user twice: send the header once, and let a proxy replace it";
