/**
 * The families of tools with well-known names, as coding agents and MCP servers give them, in the spelling
 * of `policy/families.ts`. A whole name beats a glob, and a glob with more letters beats a shorter one, so each tool has one family.
 *
 * A name admits a tool to an intent, so ambiguous names are left out (`search`, `click`, `query`, `write_*`): they are
 * `unknown` until the policy classifies them.
 */
export const toolFamilies = {
  browser: [
    ...["browser", "browser_*", "browse", "browse_*", "browserbase_*", "browsermcp_*", "playwright*", "puppeteer*"],
    ...["selenium*", "webdriver_*", "stagehand_*", "chrome_*", "chromium_*", "firefox_*", "hyperbrowser_*", "cdp_*"],
    ...["navigate", "navigate_to", "navigate_page", "open_page", "new_page", "close_page", "select_page", "read_page"],
    ...["open_url", "open_browser", "launch_browser", "go_to_url", "goto_url", "click_element", "click_link"],
    ...["page_screenshot", "screenshot_page"],
  ],
  network: [
    ...["fetch", "fetch_*", "http", "http_*", "https_*", "curl", "curl_*", "wget", "url_fetch", "get_url", "read_url"],
    ...["web_search", "web_search_*", "web_fetch", "web_fetch_*", "web_request", "web_scrape", "web_read", "web_get"],
    ...["search_web", "search_the_web", "search_internet", "search_online", "internet_search", "online_search"],
    ...["google_search", "google_web_search", "bing_search", "brave_*", "tavily_*", "exa_*", "serper_*", "serpapi_*"],
    ...["duckduckgo_*", "ddg_*", "searxng_*", "perplexity_*", "firecrawl_*", "jina_*", "arxiv_*", "wikipedia_*"],
    ...["scrape_url", "scrape_page", "crawl_url", "api_request", "make_request", "send_request", "download_url"],
  ],
  filesystem: [
    ...["file_*", "files_*", "filesystem_*", "fs_*", "read", "write", "edit", "ls", "dir", "tree", "mkdir", "glob"],
    ...["glob_*", "grep", "grep_*", "ripgrep", "rg", "cat", "multi_edit", "notebook_edit", "notebook_read"],
    ...["read_file", "read_files", "read_file_*", "read_many_files", "read_multiple_files", "read_text_file"],
    ...["read_media_file", "read_dir*", "read_notebook", "view_file", "view_files", "open_file", "cat_file"],
    ...["get_file_info", "get_file_content", "write_file", "write_files", "write_file_*", "write_to_file"],
    ...["write_text_file", "save_file", "create_file", "create_text_file", "create_new_file", "append_file"],
    ...["append_to_file", "insert_into_file", "edit_file", "edit_files", "edit_file_*", "edit_existing_file"],
    ...["edit_notebook", "update_file", "replace_in_file", "search_replace", "search_and_replace", "str_replace"],
    ...["str_replace_editor", "str_replace_based_edit_tool", "insert_edit_into_file", "apply_patch", "apply_diff"],
    ...["delete_file", "delete_files", "remove_file", "move_file", "move_files", "copy_file", "copy_files"],
    ...["rename_file", "stat_file", "list_dir*", "list_files", "list_files_*", "list_allowed_directories"],
    ...["create_dir*", "create_folder", "make_dir*", "delete_dir*", "delete_folder", "remove_dir*", "directory_tree"],
    ...["find_file", "find_files", "search_files", "search_file_content", "search_in_files", "codebase_search"],
    ...["search_for_pattern", "list_code_usages", "list_code_definition_names"],
  ],
  memory: [
    ...["memory", "memory_*", "memories_*", "mem0_*", "remember", "remember_*", "recall", "recall_*", "forget"],
    ...["forget_*", "save_memory", "save_memories", "store_memory", "add_memory", "add_memories", "create_memory"],
    ...["write_memory", "update_memory", "edit_memory", "read_memory", "get_memory", "get_memories", "list_memories"],
    ...["search_memory", "search_memories", "retrieve_memory", "retrieve_memories", "fetch_memory", "fetch_memories"],
    ...["delete_memory", "delete_memories", "manage_memory", "create_entities", "create_relations"],
    ...["add_observations", "delete_entities", "delete_observations", "delete_relations", "read_graph"],
    ...["search_nodes", "open_nodes"],
  ],
  vcs: [
    ...["git", "git_*", "gh", "gh_*", "github", "github_*", "gitlab_*", "gitea_*", "gitee_*", "bitbucket_*", "svn_*"],
    ...["hg_*", "jj_*", "vcs_*", "create_pull_request*", "get_pull_request*", "list_pull_requests"],
    ...["merge_pull_request", "update_pull_request*", "pull_request_read", "create_branch", "list_branches"],
    ...["list_commits", "get_commit", "push_files", "create_or_update_file", "get_file_contents"],
    ...["fork_repository", "create_repository", "search_repositories", "search_code"],
  ],
  task: [
    ...["task", "task_*", "tasks_*", "todo*", "read_todos", "write_todos", "read_todo", "write_todo", "add_todo"],
    ...["create_todo", "update_todo*", "list_todos", "delete_todo", "complete_todo", "manage_todo_list"],
    ...["create_task", "create_tasks", "add_task", "update_task", "update_tasks", "get_task", "get_tasks"],
    ...["list_tasks", "delete_task", "complete_task", "new_task", "next_task", "update_plan", "attempt_completion"],
  ],
  shell: [
    ...["bash", "bash_*", "sh", "zsh", "shell", "shell_*", "local_shell", "powershell", "powershell_*", "cmd"],
    ...["terminal", "terminal_*", "exec", "exec_command", "exec_shell*", "command_exec", "run_bash*", "run_shell*"],
    ...["run_command", "run_commands", "run_terminal_*", "run_in_terminal", "execute_bash", "execute_command"],
    ...["execute_shell*", "desktop_commander_*", "start_process", "get_terminal_output", "get_command_status"],
    ...["send_command_input", "kill_shell", "kill_bash", "kill_process", "write_stdin", "code_interpreter"],
    ...["execute_code", "run_code", "execute_python", "run_python*", "python", "python_repl*"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The family of a tool that is in no other. */
export const unknownFamily = "unknown";

/** The eight of reference/intent-guard.md (3.2). */
export const builtInFamilies: ReadonlySet<string> = new Set([...Object.keys(toolFamilies), unknownFamily]);
