/** What keeps a text from being the base URL of an API. Pure. */

/** To be written behind the variable's name. The URL itself is told only without what may be a password in it. */
export function urlProblem(baseUrl: string): string | undefined {
  const advice = "write an http or https URL, such as https://api.openai.com/v1";
  if (!URL.canParse(baseUrl)) return `is no URL: ${advice}`;
  const { protocol, username, password, search, hash } = new URL(baseUrl);
  if (protocol !== "https:" && protocol !== "http:") return `begins with \`${protocol}\`: ${advice}`;
  if (username !== "" || password !== "") return "holds a user or password: a key belongs into the variable API_KEY";
  if (search !== "" || hash !== "") return "holds a query or fragment, which no path can be put behind: leave it out";
  return undefined;
}
