/** A key set as `jose` looks keys up in it. To be loaded with `import()`: of the library no more is bundled than is named. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export const localKeySet = (set: JSONWebKeySet): JWTVerifyGetKey => createLocalJWKSet(set);
