// The client of `glushkov lsp`, and commands that run the tool on the scheme that is shown.

const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["glushkov", "glushkov-rules"];
// Documents that were made by the tool; none is on a disk.
const DERIVED = "glushkov-derived";

let client;
const derived = new Map();
const changed = new vscode.EventEmitter();

const setting = (name) => vscode.workspace.getConfiguration("glushkov").get(name);

/** Whether the program is there; else that is told, with a way to the setting. */
async function isThere(program) {
  const error = await new Promise((resolve) => execFile(program, ["--version"], resolve));
  if (error) {
    const open = "Open Settings";
    const message = `The program glushkov does not start (${error.message}). The setting glushkov.path says where it is.`;
    vscode.window.showErrorMessage(message, open).then((chosen) => {
      if (chosen === open) {
        vscode.commands.executeCommand("workbench.action.openSettings", "glushkov.path");
      }
    });
  }
  return !error;
}

async function start() {
  const server = { command: setting("path"), args: ["lsp"] };
  if (!(await isThere(server.command))) {
    return;
  }
  const schemes = ["file", "untitled"];
  client = new LanguageClient("glushkov", "Glushkov", server, {
    documentSelector: LANGUAGES.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
    initializationOptions: { strategies: setting("strategies") },
  });
  await client.start();
}

async function restart() {
  const old = client;
  client = undefined;
  await old?.dispose();
  await start();
}

/** The scheme that is shown, saved; nothing where there is none. */
async function scheme() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "glushkov" || document.uri.scheme !== "file") {
    vscode.window.showInformationMessage("No file with a scheme is shown.");
    return undefined;
  }
  return (await document.save()) ? document.uri : undefined;
}

function task(name, args, folder) {
  const cwd = folder?.uri.fsPath;
  const made = new vscode.Task(
    { type: "glushkov", arguments: args },
    folder ?? vscode.TaskScope.Workspace,
    name,
    "glushkov",
    new vscode.ProcessExecution(setting("path"), args, { cwd }),
    "$glushkov",
  );
  made.presentationOptions = { clear: true, panel: vscode.TaskPanelKind.Shared };
  return made;
}

async function runTask(name, args) {
  const uri = await scheme();
  if (uri) {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const words = [name, uri.fsPath, ...args];
    await vscode.tasks.executeTask(task(`${name} ${path.basename(uri.fsPath)}`, words, folder));
  }
}

/** What the tool prints; where it refuses, its message is shown and nothing is given. */
function printed(args, cwd) {
  return new Promise((resolve) => {
    execFile(setting("path"), args, { cwd, maxBuffer: 1 << 26 }, (error, out, told) => {
      if (error) {
        vscode.window.showErrorMessage(told.trim() || error.message);
      }
      resolve(error ? undefined : out);
    });
  });
}

async function derive() {
  const uri = await scheme();
  if (!uri) {
    return;
  }
  const all = ["parallel", "cpu", "cpu-fast", "gpu", "gpu-blocks", "gpu-fast", "paper"];
  const first = setting("strategies");
  const offered = [...first, ...all.filter((name) => !first.includes(name))];
  const strategy = await vscode.window.showQuickPick(offered, { title: "Strategy" });
  const args = ["derive", "--quiet", "--strategy", strategy, "--", uri.fsPath];
  const text = strategy && (await printed(args, path.dirname(uri.fsPath)));
  if (text === undefined) {
    return;
  }
  const name = `${path.basename(uri.fsPath, path.extname(uri.fsPath))} (${strategy}).saa`;
  const place = vscode.Uri.from({ scheme: DERIVED, path: `/${name}` });
  derived.set(place.path, text);
  changed.fire(place);
  const shown = await vscode.workspace.openTextDocument(place);
  await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
}

async function draw() {
  const uri = await scheme();
  const args = uri && ["show", "--quiet", "--as", "svg", "--", uri.fsPath];
  const picture = uri && (await printed(args, path.dirname(uri.fsPath)));
  if (picture === undefined) {
    return;
  }
  const title = path.basename(uri.fsPath);
  const panel = vscode.window.createWebviewPanel(DERIVED, title, vscode.ViewColumn.Beside);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  panel.webview.html = `<!DOCTYPE html>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<body style="background: white">${picture}</body>`;
}

exports.activate = async (context) => {
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    command("glushkov.check", () => runTask("check", [])),
    command("glushkov.run", () => runTask("run", ["--target", setting("target")])),
    command("glushkov.derive", derive),
    command("glushkov.draw", draw),
    command("glushkov.restart", restart),
    vscode.workspace.registerTextDocumentContentProvider(DERIVED, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => derived.get(uri.path) ?? "",
    }),
    vscode.workspace.onDidCloseTextDocument((document) => derived.delete(document.uri.path)),
    vscode.tasks.registerTaskProvider("glushkov", {
      provideTasks: () => [],
      resolveTask: ({ definition, name, scope }) => {
        const folder = typeof scope === "object" ? scope : undefined;
        const made = task(name, definition.arguments, folder);
        made.definition = definition;
        return made;
      },
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const asked = ["glushkov.path", "glushkov.strategies"];
      return asked.some((name) => change.affectsConfiguration(name)) && restart();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
