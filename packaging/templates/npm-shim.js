#!/usr/bin/env node
// Starts the program of the platform's package; which one is the name by which
// this file was started. Nothing is downloaded.
"use strict";
const { spawn } = require("child_process");
const path = require("path");

const known = [[ json .Programs ]];
const called = path.basename(process.argv[1]).replace(/\.(js|cmd|exe|ps1)$/, "");
const program = known.includes(called) ? called : "carryover";
const platform = `${process.platform}-${process.arch}`;
const suffix = process.platform === "win32" ? ".exe" : "";

let file;
try {
  file = require.resolve(`[[ .NPMScope ]]/${platform}/bin/${program}${suffix}`);
} catch {
  console.error(
    `carryover: the package [[ .NPMScope ]]/${platform} is missing: ` +
      (`[[ range .Nodes ]][[ . ]] [[ end ]]`.includes(`${platform} `)
        ? "reinstall without --omit=optional: npm install -g [[ .NPM ]]"
        : "there is no release for this platform: [[ .Homepage ]]#install"),
  );
  process.exit(1);
}

const child = spawn(file, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`carryover: ${file}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code);
});
