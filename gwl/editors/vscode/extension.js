// @ts-check
// Starts `gwl lsp` for GWL files; without the client's package the colours work alone.
"use strict";

const vscode = require("vscode");

/** @type {{ stop(): Promise<void> } | undefined} */
let client;

function activate() {
  let LanguageClient;
  try {
    ({ LanguageClient } = require("vscode-languageclient/node"));
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.info("GWL: run `npm install` in the extension's folder for errors, hover, completion and formatting");
    return;
  }
  const [command, ...args] = vscode.workspace.getConfiguration("gwl").get("command");
  const started = new LanguageClient("gwl", "GWL", { command, args }, { documentSelector: [{ language: "gwl" }] });
  client = started;
  return started.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
