/** The port to the secrets of the gateway's settings. */
export interface SecretPort {
  /** @returns undefined where the settings do not bind it to this tenant and host. @param host as URLs have it. */
  secret(name: string, tenant: string, host: string): string | undefined;
}
