// Raises the stage before the first story and clears it after the last: a lab of two hosts, runs measured in it, two
// servers of these runs. Without a lab the runs are measured on loopback, and stories that need one are skipped.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, Home, type Going } from "./program";
import { tell, type Scene } from "./scene";

const PASSWORD = "a password for the stories";

/** Levels that come about by hand; what must then be seen is a fact of the lab's host. */
const BY_HAND = (client: string, server: string) => `
title = "Packet size by hand"
repeats = 1

[hosts]
client = "${client}"
server = "${server}"

[[factor]]
name = "size"
levels = ["1500", "1400"]

[factor.by_hand]
ask = "set the client's MTU to {level}"
verify = [{ on = "client", fact = "interfaces.eth0.mtu", is = { "1500" = "1500", "1400" = "1400" } }]

[[probe]]
name = "tcp"
run = "stream {server} --from {client} --time 500ms --warm-up 100ms"
measures = ["goodput_bps"]
`;

export default async function raise(): Promise<() => Promise<void>> {
  const home = new Home(mkdtempSync(join(tmpdir(), "goodput-page-")));
  const going: Going[] = [];
  // The slowest on which a trial is told of while it goes on; most machines keep up with it.
  const raised = (name: string) => ({ name, ...home.tried("lab", "up", "--name", name, "--rate", "1Gbit") });
  let up = raised("page");
  // Somebody else's may be there.
  if (up.status !== 0) up = raised(`page-${process.pid}`);
  const lab = up.status === 0 ? up.name : null;

  const clear = async () => {
    for (const one of going.reverse()) await one.end();
    if (lab !== null) home.tried("lab", "down", lab);
    rmSync(home.path, { recursive: true, force: true });
  };

  try {
    const ends = lab === null ? await loopback(home, going) : [`lab:b@${lab}`, "--from", `lab:a@${lab}`];
    const measured = (label: string, probe: string, ...words: string[]) => {
      const [host = "", ...from] = ends;
      const ran = home.tried(probe, host, ...from, ...words, "--label", `kind=${label}`);
      // 1 is a result too: small messages pass a shaper faster than its rate, and that is said.
      if (ran.status !== 0 && ran.status !== 1) throw new Error(`goodput ${probe}: ${ran.stderr}`);
      return newest(home);
    };
    const short = ["--time", "1s", "--warm-up", "200ms"];
    const runs = {
      stream: measured("first", "stream", ...short, "--repeat", "3"),
      again: measured("second", "stream", ...short, "--repeat", "3"),
      sweep: measured("sweep", "pingpong", "--largest", "1KiB"),
      request: measured("request", "request", ...short),
    };

    const byHand = join(home.path, "by-hand");
    mkdirSync(byHand);
    writeFileSync(join(byHand, "experiment.toml"), BY_HAND(`lab:a@${up.name}`, `lab:b@${up.name}`));

    const open = await home.serve();
    going.push(open.going);
    const passwords = join(home.path, "passwords");
    const set = home.told(`${PASSWORD}\n`, "serve", "password", "operator", "--password-file", passwords);
    if (set.status !== 0) throw new Error(`no password could be set: ${set.stderr}`);
    const guarded = await home.serve(undefined, "--password-file", passwords);
    going.push(guarded.going);

    const scene: Scene = {
      home: home.path,
      url: open.url,
      guarded: guarded.url,
      password: PASSWORD,
      lab,
      whyNoLab: lab === null ? (up.stderr.split("\n")[0] ?? "").replace(/^error: /, "") : "",
      runs,
      byHand,
    };
    tell(scene);
    return clear;
  } catch (e) {
    await clear();
    throw e;
  }
}

/** An agent on loopback, and how it is reached. */
async function loopback(home: Home, going: Going[]): Promise<string[]> {
  const [port, data] = [await freePort(), await freePort()];
  const agent = home.start("agent", "--port", String(port), "--data-port", String(data), "--spool", "memory");
  going.push(agent);
  for (let i = 0; i < 100 && agent.said === "" && !agent.ended; i++) await new Promise((done) => setTimeout(done, 100));
  return ["127.0.0.1", "--port", String(port)];
}

function newest(home: Home): string {
  const list = JSON.parse(home.run("list", "--json")) as { runs: { run: string }[] };
  const id = list.runs.at(-1)?.run;
  if (id === undefined) throw new Error("nothing was recorded");
  return id;
}
