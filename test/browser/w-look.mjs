import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu"] });
const [url, name, width="1100", scheme="light", ...steps] = process.argv.slice(2);
const p = await b.newPage({ viewport: { width: +width, height: 900 }, colorScheme: scheme });
p.on("console", m => console.log("console", m.type(), m.text()));
p.on("pageerror", e => console.log("pageerror", e.stack));
p.on("requestfailed", r => console.log("failed", r.url(), r.failure()?.errorText));
await p.goto(url); await p.waitForTimeout(2500);
await p.screenshot({ path: `/tmp/w-shots/${name}-0.png`, fullPage: true });
let i = 1;
for (const s of steps) { try { if (s.startsWith("fill:")) { const [sel, v] = s.slice(5).split("="); await p.fill(`[name=${sel}]`, v); continue; } if (s==="back") await p.goBack(); else if (s==="reload") await p.reload(); else await p.click(s, { timeout: 5000 }); await p.waitForTimeout(2000); console.log(i, s, p.url()); await p.screenshot({ path: `/tmp/w-shots/${name}-${i++}.png`, fullPage: true }); } catch (e) { console.log("step failed", s, String(e).slice(0, 300)); await p.screenshot({ path: `/tmp/w-shots/${name}-fail.png`, fullPage: true }); break; } }
console.log("overflow", await p.evaluate("document.documentElement.scrollWidth - innerWidth"));
await b.close();
