/**
 * Named sets of patterns for arguments that carry an attack to whatever reads them next. RE2 syntax, case ignored.
 * Source: reference/human-centered-tool-calling.md (validate_tool_input).
 *
 * They are a net behind the schema and the confirmation, not a wall: an attacker who knows them can avoid them. So each
 * has only forms that honest arguments seldom have (prose about SQL, relative imports and markdown pass): operators switch off a set with
 * false alarms. No `\b`: written out, the patterns stay on the engine's fast path. And no counted gap between two
 * words: the engine keeps another count for each position at which one could begin.
 */
import type { injectionSetNames } from "../document/document-parts.ts";

type InjectionSetName = (typeof injectionSetNames)[number];

/** Each set's patterns; compiled together, so that a text is read once per set. */
export const injectionSets: Readonly<Record<InjectionSetName, readonly string[]>> = {
  /** A second command after what looked like a value. For tools that build command lines, never for a shell tool. */
  shell: [
    // `x; rm -rf /`, `x && curl …`, `x | sh`
    "(?:;|&&|\\|\\|?)\\s*(?:sudo\\s+)?(?:rm|chmod|chown|mkfifo|dd|bash|zsh|ncat)\\s+(?:-[a-z]|[/~$]|if=)",
    "(?:;|&&|\\|\\|?)\\s*(?:sudo\\s+)?(?:curl|wget)\\s+(?:-|[\"']?https?:|[a-z0-9-]+\\.[a-z])",
    "(?:curl|wget)\\s[^|\\n]+\\|\\s*(?:sudo\\s+)?(?:ba|z|da)?sh(?:[^a-z]|$)",
    "base64\\s+(?:-d|--decode|-D)[^|\\n]*\\|\\s*(?:ba|z|da)?sh(?:[^a-z]|$)",
    "\\$\\(\\s*(?:curl|wget|whoami|id|uname|cat\\s+/|nc\\s|rm\\s)",
    "`\\s*(?:whoami|id|uname\\s+-a|cat\\s+/etc/[a-z]+|rm\\s+-[a-z]+\\s[^`]+)\\s*`",
    "rm\\s+-(?:[a-z]*r[a-z]*f|[a-z]*f[a-z]*r)[a-z]*\\s+(?:/|~|\\*|\\$HOME)",
    "/dev/(?:tcp|udp)/[0-9a-z]",
    "(?:ba|z)?sh\\s+-i\\s*[0-9]?>&",
    "(?:nc|ncat)\\s+-[a-z]*e\\s",
    ">{1,2}\\s*/etc/(?:passwd|shadow|sudoers|crontab)",
    "\\$\\{?IFS\\}?",
    ":\\(\\)\\s*\\{\\s*:\\s*\\|\\s*:\\s*&\\s*\\}",
  ],
  /** A value that ends the literal that contains it. For tools that build queries, never for one that takes SQL. */
  sql: [
    "['\"]\\s*\\)?\\s*(?:or|and)\\s+['\"]?[0-9a-z]+['\"]?\\s*(?:=|like)\\s*['\"]?[0-9a-z]",
    "['\"]\\s*\\)?\\s*(?:or|and)\\s+(?:true|not\\s+false)\\s*(?:--|#|/\\*)",
    "['\")]\\s*\\)?\\s*union\\s+(?:all\\s+)?select\\s+(?:null|[0-9]|@@)",
    "union\\s+(?:all\\s+)?select\\s[^;\\n]*(?:--|#|/\\*)",
    "['\"]\\s*\\)?\\s*;\\s*(?:drop|truncate|alter|create)\\s+(?:table|database|schema|user|view)\\s",
    "['\"]\\s*\\)?\\s*;\\s*(?:delete\\s+from|insert\\s+into|shutdown|exec(?:ute)?)\\s",
    "['\"]\\s*\\)?\\s*;\\s*update\\s+[a-z_.]+\\s+set\\s",
    "(?:and|or|select|;)\\s+(?:pg_)?sleep\\s*\\(\\s*[0-9]",
    "waitfor\\s+delay\\s+['\"]",
    "(?:and|or|select)\\s+benchmark\\s*\\(\\s*[0-9]{4}",
    "xp_cmdshell",
    "into\\s+(?:out|dump)file\\s+['\"]",
    "^[^'\\n]*'\\s*(?:--|#)\\s*$",
  ],
  /** Out of the folder that a path was meant to stay in. Plain `../../` is ordinary in code and is left alone. */
  path_traversal: [
    "\\.\\.[/\\\\](?:[^\\s'\"]*[/\\\\])?etc[/\\\\](?:passwd|shadow|sudoers|hosts|ssh|cron)",
    "\\.\\.[/\\\\](?:[^\\s'\"]*[/\\\\])?proc[/\\\\](?:self|[0-9])",
    "\\.\\.[/\\\\](?:[^\\s'\"]*[/\\\\])?(?:\\.ssh[/\\\\]|\\.aws[/\\\\]credentials|id_rsa|id_ed25519)",
    "\\.\\.[/\\\\](?:[^\\s'\"]*[/\\\\])?(?:windows[/\\\\](?:system32|win\\.ini)|boot\\.ini)",
    "(?:\\.\\.[/\\\\]){8}",
    // Encoded: these are not written by accident.
    "(?:\\.\\.|%2e%2e|%2e\\.|\\.%2e)(?:%2f|%5c)",
    "(?:%2e%2e|%2e\\.|\\.%2e)[/\\\\]",
    "%252e%252e",
    "%c0%a[ef]",
    "\\.\\.;/",
    "\\.\\.\\.\\.//",
    "\\x00",
    "%00(?:\\.|/|$)",
  ],
  /** Text that gives orders to the next model: a sign that the conversation was taken over, or that it spreads an attack. */
  prompt_injection: [
    "(?:ignore|disregard|forget|override|bypass)\\s+(?:all\\s+|any\\s+|everything\\s+in\\s+)?(?:of\\s+)?(?:the\\s+|your\\s+|my\\s+|these\\s+|those\\s+)?(?:previous|prior|earlier|above|preceding|original|system)\\s+(?:instructions?|prompts?|rules|directions|guidelines|messages)",
    "(?:ignore|disregard|forget)\\s+(?:all|everything)\\s+(?:of\\s+)?(?:the\\s+|your\\s+)?(?:instructions|rules|guidelines)\\s+(?:above|before|you)",
    "(?:reveal|print|repeat|output|leak|show\\s+me)\\s+(?:your|the)\\s+(?:hidden\\s+|initial\\s+|full\\s+|entire\\s+)?system\\s+prompt",
    "you\\s+are\\s+now\\s+(?:in\\s+)?(?:dan|developer\\s+mode|jailbroken|unrestricted)(?:[^a-z]|$)",
    "(?:pretend|act\\s+as\\s+if)\\s+(?:that\\s+)?you\\s+(?:have|had)\\s+no\\s+(?:restrictions|rules|guidelines|filters)",
    "do\\s+not\\s+(?:tell|inform|alert)\\s+the\\s+(?:user|human)\\s+(?:about\\s+th(?:is|ese)|that\\s+you)",
    "(?:new|updated|real)\\s+system\\s+(?:prompt|instructions?)\\s*:",
    "<\\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\\|>",
    "\\[/?INST\\]\\s*<<|<</?SYS>>",
  ],
  /** Markup that a browser would run, and images that carry data away in their address. */
  markup: [
    "<script(?:\\s|>|/)",
    "<(?:iframe|object|embed|base)\\s",
    "<[a-z][^>\\n]*\\son[a-z]{3,20}\\s*=\\s*[\"']",
    "(?:href|src|action|formaction)\\s*=\\s*[\"']?\\s*javascript:",
    "data:text/html",
    "srcdoc\\s*=\\s*[\"']",
    "!\\[[^\\]\\n]*\\]\\(https?://[^)\\s]+\\?[^)\\s]*=[^)\\s&]{60}",
  ],
};
