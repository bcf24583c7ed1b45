// Drives the packed extension in a real workbench: the server of Visual Studio Code, as code-server has it, in a
// browser without a window. Opens a scheme with a mistake and looks at what a person would see.
//
//   node test/drive.mjs --server …/code-server/lib/vscode/out/server-main.js --vsix glushkov.vsix
//     [--glushkov target/debug/glushkov] [--browser /usr/bin/chromium] [--pictures DIR]
//
// puppeteer-core is found from where code-server is.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: {
    server: { type: "string" },
    vsix: { type: "string", default: "glushkov.vsix" },
    glushkov: { type: "string", default: "../../target/debug/glushkov" },
    browser: { type: "string", default: "/usr/bin/chromium" },
    pictures: { type: "string", default: "." },
  },
});
const server = path.resolve(given.server);
const pictures = path.resolve(given.pictures);
const puppeteer = createRequire(server)("puppeteer-core");

const SCHEME = `# How warm a rod becomes that is heated in its middle.
SCHEME "Heat in a rod" ====
DATA
  N     : INTEGER := 100
  STEPS : INTEGER := 50
  rate  : REAL := 0.25
  old, new : REAL [N] OUTPUT
  warmth : REAL64
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP old[i] := 0; new[i] := 0 END OF LOOP;
  old[N / 2] := 100;
  FOR (step FROM 1 TO STEPS) LOOP
    FOR (i FROM 1 TO N - 2) LOOP
      "Let heat flow to (i)"
    END OF LOOP;
    FOR (i FROM 1 TO N - 2) LOOP old[i] := new[i] END OF LOOP
  END OF LOOP;
  warmth := 0;
  FOR (i FROM 0 TO N - 1) LOOP warmth := warmth + old[i] END OF LOOP;
  REPORT "warmth" (warmth)
WHERE
  "Let heat flow to (k)" ====
    new[k] := old[k] + rate * (old[k - 1] - 2 * old[k] + olt[k + 1])
END OF SCHEME "Heat in a rod"
`;

const work = mkdtempSync(path.join(tmpdir(), "glushkov-editor-"));
const folder = path.join(work, "heat");
mkdirSync(folder);
const file = path.join(folder, "heat.saa");
writeFileSync(file, SCHEME);
const data = path.join(work, "data");
/** Settings of the user, or of the machine, where paths are. */
function settings(whose, all) {
  const place = path.join(data, "data", whose);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, "settings.json"), JSON.stringify(all));
}
settings("Machine", { "glushkov.path": path.resolve(given.glushkov) });
settings("User", {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
});
const places = ["--server-data-dir", data, "--extensions-dir", path.join(work, "extensions")];
const common = [server, ...places, "--accept-server-license-terms"];
execFileSync(process.execPath, [...common, "--install-extension", path.resolve(given.vsix)]);

/** The workbench's address, once it has one. */
function started(child) {
  return new Promise((resolve, reject) => {
    let told = "";
    child.stdout.on("data", (part) => {
      told += part;
      const found = /Web UI available at (\S+)/.exec(told);
      if (found) {
        resolve(found[1]);
      }
    });
    child.on("exit", () => reject(new Error(told)));
  });
}

const child = spawn(
  process.execPath,
  [...common, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let browser;
try {
  const address = await started(child);
  browser = await puppeteer.launch({
    executablePath: given.browser,
    args: ["--no-sandbox", "--disable-gpu"],
    defaultViewport: { width: 1280, height: 820 },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${address}?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench");

  const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const keys = async (...names) => {
    for (const name of names) {
      await page.keyboard.down(name);
    }
    for (const name of names.reverse()) {
      await page.keyboard.up(name);
    }
  };
  /** What is shown at a selector, once it holds a text. */
  const shown = async (selector, text) => {
    await page.waitForFunction(
      (selector, text) =>
        [...document.querySelectorAll(selector)].some((e) =>
          e.textContent.replaceAll("\u00a0", " ").includes(text),
        ),
      {},
      selector,
      text,
    );
  };
  const picture = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });
  const palette = async (command) => {
    await page.keyboard.press("F1");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(command);
    await shown(".quick-input-list .monaco-list-row.focused", command.split(": ").at(-1));
    await page.keyboard.press("Enter");
  };
  const goTo = async (line, column) => {
    await keys("Control", "g");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await sleep(300);
  };

  await sleep(2000);
  await keys("Control", "p");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type("heat.saa");
  await shown(".quick-input-list .monaco-list-row.focused", "heat.saa");
  await page.keyboard.press("Enter");

  // The mistake is underlined, and told of.
  await page.waitForSelector(".squiggly-error");
  await palette("View: Toggle Problems");
  await shown(".markers-panel", "`olt` is not declared");
  await picture("mistake");

  // The action writes the word that was meant.
  await goTo(23, 60);
  await keys("Control", ".");
  await shown(".action-widget", "Write old for olt");
  await picture("action");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".squiggly-error"));

  // Behind loops stands what they become.
  await shown(".view-line", "cpu: threads, lanes; gpu: launch");

  await goTo(13, 8);
  await keys("Control", "k");
  await keys("Control", "i");
  await shown(".monaco-hover", "threads of a launch");
  await sleep(500);
  await picture("hover");
  await page.keyboard.press("Escape");

  await goTo(20, 27);
  await page.keyboard.type(";\nPAR");
  await keys("Control", " ");
  await shown(".suggest-widget .monaco-list-row", "PARALLEL");
  await picture("completion");
  await page.keyboard.press("Escape");
  await keys("Control", "z");
  await keys("Control", "z");

  // Lines begin where they belong while they are written.
  await goTo(11, 21);
  for (const line of ["", "FOR (j FROM 0 TO 1) LOOP", "EMPTY", "END OF LOOP;"]) {
    await page.keyboard.type(line, { delay: 50 });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
  }
  await page.keyboard.type("EMPTY;");
  await page.keyboard.press("Escape");

  await goTo(8, 4);
  await page.keyboard.press("F2");
  await page.waitForFunction(() => document.activeElement.matches(".rename-box input"));
  await keys("Control", "a");
  await page.keyboard.type("heat_in_all");
  await page.keyboard.press("Enter");
  await shown(".view-line", 'REPORT "warmth" (heat_in_all)');

  await palette("Glushkov: Show What a Strategy Makes of This Scheme");
  await shown(".quick-input-list .monaco-list-row", "gpu");
  await page.keyboard.type("gpu");
  await page.keyboard.press("Enter");
  await shown(".tab", "heat (gpu).saa");
  await shown(".view-line", "RunKernel");
  await picture("derived");

  await palette("Glushkov: Show This Scheme Drawn");
  const drawn = async () => {
    const frames = await Promise.all(page.frames().map((f) => f.$("svg[viewBox] text").catch(() => null)));
    return frames.some(Boolean);
  };
  for (let tries = 0; !(await drawn()); tries += 1) {
    assert.ok(tries < 100, "no drawing");
    await sleep(200);
  }
  await picture("drawn");
  await keys("Control", "1");

  await palette("Glushkov: Run This Scheme");
  await shown(".tab.active", "heat.saa");
  await shown(".terminal-tabs-entry, .single-terminal-tab", "run heat.saa");
  await sleep(4000);
  await picture("run");
  // Nothing was complained of.
  assert.equal(await page.$(".notification-toast"), null);
  // What a task finds is among the problems, beside what the server says of the same mistake.
  await goTo(22, 3);
  await page.keyboard.type("x");
  await palette("Glushkov: Check This Scheme");
  await shown(".terminal-tabs-entry, .single-terminal-tab", "check heat.saa");
  await palette("View: Toggle Problems");
  await page.waitForFunction(
    () => document.querySelector(".markers-panel")?.textContent.split("is not declared").length === 3,
  );
  await picture("check");
  const saved = readFileSync(file, "utf8");
  assert.match(saved, /\n  FOR \(j FROM 0 TO 1\) LOOP\n    EMPTY\n  END OF LOOP;\n  EMPTY;\n/);
  assert.match(saved, /old\[k \+ 1\]/);
  assert.match(saved, /heat_in_all : REAL64/);
  console.log("all is seen");
} catch (error) {
  const pages = (await browser?.pages()) ?? [];
  await pages.at(-1)?.screenshot({ path: path.join(pictures, "failed.png") });
  throw error;
} finally {
  await browser?.close();
  child.kill();
  rmSync(work, { recursive: true, force: true });
}
