/** A key set as `jose` looks keys up in it. Load it with `import()`: only the named parts of the library are bundled. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export const localKeySet = (set: JSONWebKeySet): JWTVerifyGetKey => createLocalJWKSet(set);
