/** Serves the operator's page. It contains nothing until the operator's key is typed, which stays in the tab. */
export function renderOperatorPage(): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    // A browser ignores it over plain HTTP.
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
  };
  return new Response(PAGE.replaceAll("NONCE", nonce), { headers });
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Operator</title>
<style nonce="NONCE">
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 80rem; padding: 1rem }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem }
th, td { text-align: start; padding: .35rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); vertical-align: top }
.wide { overflow-x: auto }
button, input, select { font: inherit; padding: .25rem .6rem; margin: .1rem }
form.restore label { display: block; margin-block: .35rem }
.error { color: #b3261e } @media (prefers-color-scheme: dark) { form.restore label { display: block; margin-block: .35rem }
.error { color: #ffb4ab } }
</style>
<main>
<h1>Operator</h1>
<form id="sign-in"><label>Operator key <input id="key" type="password" autocomplete="off" required></label> <button>Show companies</button></form>
<p id="status" role="status"></p>
<div id="main" hidden>
<label>Filter <input id="filter" type="search"></label> <button id="reload" type="button">Reload</button>
<h2>Cells</h2><div class="wide"><table id="cells"></table></div>
<h2>Companies</h2><div class="wide"><table id="accounts"></table></div>
<h2>Failed work</h2><div class="wide"><table id="jobs"></table></div>
<h2>Moves</h2><div class="wide"><table id="moves"></table></div>
<h2 id="restore-title" tabindex="-1">Restore</h2>
<form id="restore" class="restore">
<p>Restores a nightly backup into an empty company, as <code>npm run restore</code> does. Photos are copied separately.</p>
<label>Company of the backup <select id="from" required></select></label>
<label>Backup <select id="day" required></select></label>
<label>Empty company to restore into <select id="into" required></select></label>
<label>Type its name to confirm <input id="confirm" autocomplete="off" required></label>
<button>Restore backup</button>
</form>
<h2>Commands</h2>
<p>Going back within a database, backups of deleted companies and migrations need files of this project:
<code>npm run restore -- &lt;company&gt; --remote</code>, <code>npm run cells -- migrate</code>.</p>
</div>
</main>
<script nonce="NONCE">
const get = (id) => document.getElementById(id);
const operator = crypto.randomUUID();
const time = (ms) => ms ? new Date(ms).toLocaleString() : "never";
const size = (bytes) => bytes == null ? "" : (bytes / 1e6).toFixed(1) + " MB";
let overview;
const report = (text, isError = false) => { get("status").textContent = text; get("status").className = isError ? "error" : ""; };
async function call(method, path, body) {
  const headers = { Authorization: "Bearer " + sessionStorage.getItem("operator-key"), "Content-Type": "application/json" };
  const answer = await fetch("/operator/" + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const data = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(data.error || "The server answered " + answer.status);
  return data;
}
function fill(table, columns, rows) {
  table.replaceChildren();
  const head = table.createTHead().insertRow();
  for (const [title] of columns) head.append(Object.assign(document.createElement("th"), { textContent: title, scope: "col" }));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const [, value] of columns) {
      const content = value(row);
      line.insertCell().append(...(Array.isArray(content) ? content : [content ?? ""]));
    }
  }
  if (rows.length === 0) body.insertRow().insertCell().textContent = "None.";
}
function action(label, run) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  button.addEventListener("click", async () => {
    button.disabled = true;
    try { if (await run() !== false) { await show(); report(label + ": done"); } }
    catch (error) { report(error.message, true); }
    finally { button.disabled = false; }
  });
  return button;
}
async function move(account, body) {
  for (;;) {
    const state = await call("POST", "directory/accounts/" + account + "/move", { ...body, operator });
    if (!state.step) return;
    report(account + ": " + state.step + ", " + state.rows + " rows");
  }
}
async function download(account, kind, day, extension) {
  const answer = await fetch("/operator/accounts/" + account + "/" + kind + "/" + day, { headers: { Authorization: "Bearer " + sessionStorage.getItem("operator-key") } });
  if (!answer.ok) throw new Error("The server answered " + answer.status);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await answer.blob()), download: account + "-" + day + extension });
  link.click();
  URL.revokeObjectURL(link.href);
}
async function exportData(account) {
  let query = "";
  for (;;) {
    const step = await call("POST", "accounts/" + account + "/export" + query);
    if (step.day) return download(account, "exports", step.day, ".zip");
    report(account + ": " + step.rows + " rows exported");
    query = "?at=" + step.at;
    await new Promise((done) => setTimeout(done, 1000));
  }
}
async function showBackups() {
  const { days } = get("from").value ? await call("GET", "accounts/" + get("from").value + "/backups") : { days: [] };
  get("day").replaceChildren(...days.map((day) => new Option(day)));
}
async function restore() {
  const [from, day, into, typed] = ["from", "day", "into", "confirm"].map((id) => get(id).value);
  if (typed !== into) throw new Error("Type " + into + " to confirm");
  report("Restoring " + from + " of " + day + " into " + into + ". This can take minutes");
  const query = new URLSearchParams({ from, day, confirm: typed });
  const done = await call("POST", "accounts/" + into + "/restore?" + query);
  get("confirm").value = "";
  await show();
  report(into + ": " + done.rows + " rows restored." + (done.files ? " Copy " + done.files + " photos and files." : "") +
    (done.lost_secrets ? " Replace " + done.lost_secrets + " secrets of another master key." : ""));
}
const actions = ({ account, state, backup_at }) => [
  ...(backup_at ? [action("Download backup", () => download(account, "backups", new Date(backup_at).toISOString().slice(0, 10), ".ndjson.gz"))] : []),
  ...(state === "active" ? [action("Export data", () => exportData(account))] : []),
  ...(backup_at ? [action("Restore backup", async () => {
    get("from").value = account;
    await showBackups();
    get("restore-title").focus();
    return false;
  })] : []),
  ...(state === "active" ? [
    action("Pause", () => confirm("Take " + account + " out of service?") && call("POST", "directory/accounts/" + account + "/pause")),
    action("Move", () => { const to = prompt("Cell to move " + account + " to"); return to ? move(account, { to }) : false; }),
  ] : []),
  ...(state === "paused" ? [action("Resume", () => call("POST", "directory/accounts/" + account + "/resume"))] : []),
  ...(state === "paused" || state === "deleting" ? [action("Delete", () => {
    const name = prompt("This deletes the database of " + account + " permanently. Type its name.");
    return name ? call("DELETE", "directory/accounts/" + account + "?confirm=" + encodeURIComponent(name)) : false;
  })] : []),
];
function draw() {
  const text = get("filter").value.toLowerCase();
  fill(get("cells"), [["Cell", (r) => r.cell], ["Used", (r) => r.used], ["Spare", (r) => r.spare], ["Not migrated", (r) => r.new],
    ["Emptied", (r) => r.retired], ["Failed", (r) => r.failed], ["Oldest schema", (r) => r.oldest_schema], ["Last cron job", (r) => time(r.clock_at)]], overview.cells);
  fill(get("accounts"), [["Company", (r) => r.account], ["Cell", (r) => r.cell], ["Database", (r) => r.slot], ["Region", (r) => r.jurisdiction],
    ["State", (r) => r.state], ["Size", (r) => size(r.size_bytes)], ["Schema", (r) => r.schema_version], ["Last backup", (r) => time(r.backup_at)],
    ["Last cron job", (r) => time(r.clock_at)], ["Errors", (r) => r.error], ["Actions", actions]],
    overview.accounts.filter((r) => JSON.stringify(r).toLowerCase().includes(text)));
  fill(get("jobs"), [["Company", (r) => r.account], ["Cell", (r) => r.cell], ["Work", (r) => r.kind], ["Failed", (r) => time(r.failed_at)], ["Times", (r) => r.failures],
    ["Next attempt", (r) => r.held_until ? time(r.held_until) : "within a minute"], ["Actions", ({ account, kind }) => ["Retry", "Dismiss"].map((label) =>
      action(label, () => call("POST", "directory/accounts/" + account + "/jobs/" + label.toLowerCase() + "?kind=" + encodeURIComponent(kind))))]], overview.jobs);
  fill(get("moves"), [["Company", (r) => r.account], ["From", (r) => r.from_cell], ["To", (r) => r.to_cell], ["Step", (r) => r.step], ["Rows", (r) => r.rows],
    ["Started", (r) => time(r.started_at)], ["Actions", ({ account }) => [action("Continue", () => move(account, {})), action("Cancel move", () => move(account, { cancel: true }))]]], overview.moves);
}
async function show() {
  overview = await call("GET", "directory");
  get("sign-in").hidden = true;
  get("main").hidden = false;
  for (const id of ["from", "into"]) {
    const { value } = get(id);
    get(id).replaceChildren(new Option("", ""), ...overview.accounts.map(({ account }) => new Option(account)));
    get(id).value = value;
  }
  draw();
}
get("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("operator-key", get("key").value);
  show().then(() => report(""), (error) => report(error.message, true));
});
get("from").addEventListener("change", () => showBackups().catch((error) => report(error.message, true)));
get("restore").addEventListener("submit", (event) => {
  event.preventDefault();
  event.submitter.disabled = true;
  restore().catch((error) => report(error.message, true)).finally(() => { event.submitter.disabled = false; });
});
get("reload").addEventListener("click", () => show().then(() => report("Reloaded"), (error) => report(error.message, true)));
get("filter").addEventListener("input", draw);
if (sessionStorage.getItem("operator-key")) show().catch((error) => report(error.message, true));
</script>
</html>
`;
