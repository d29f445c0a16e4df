// The program under test, in a home of its own: commands that end, commands that go on, servers.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../../../..");

/** The program: what `GOODPUT` names, else the newest that was built here. */
export function program(): string {
  const named = process.env["GOODPUT"];
  if (named !== undefined && named !== "") return resolve(named);
  const built = ["release", "debug"].map((kind) => join(ROOT, "target", kind, "goodput")).filter((p) => existsSync(p));
  const newest = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (newest === undefined) throw new Error("there is no program: type `make build` first, or name one by GOODPUT");
  return newest;
}

/** A home with nothing of the user's in it. */
export class Home {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  get runs(): string {
    return join(this.path, "runs");
  }

  env(): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...process.env, HOME: this.path, GOODPUT_RUNS: this.runs, NO_COLOR: "1" };
    for (const name of ["GOODPUT_KEY_FILE", "GOODPUT_ROUTER", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]) {
      delete env[name];
    }
    return env;
  }

  /** A command that ends by itself. Throws with what it said when it does not end well. */
  run(...args: string[]): string {
    const ran = this.tried(...args);
    if (ran.status !== 0) throw new Error(`goodput ${args.join(" ")}: exit ${String(ran.status)}\n${ran.stderr}`);
    return ran.stdout;
  }

  /** The same, however it ends. */
  tried(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return this.told("", ...args);
  }

  /** The same with a text on standard input. */
  told(input: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const { status, stdout, stderr } = spawnSync(program(), args, {
      env: this.env(),
      encoding: "utf8",
      input,
      timeout: 60_000,
      maxBuffer: 64 * 2 ** 20,
    });
    return { status, stdout, stderr };
  }

  /** A command that goes on until `end`. What it says is kept. */
  start(...args: string[]): Going {
    return new Going(spawn(program(), args, { env: this.env(), stdio: ["ignore", "pipe", "pipe"] }));
  }

  /** A server of this home's runs on a free port of loopback, ready for questions. */
  async serve(port?: number, ...more: string[]): Promise<Server> {
    const at = port ?? (await freePort());
    const going = this.start("serve", "--listen", `127.0.0.1:${at}`, ...more);
    const url = `http://127.0.0.1:${at}`;
    for (let i = 0; i < 200; i++) {
      if (going.ended) throw new Error(`goodput serve ended: ${going.said}`);
      const answered = await fetch(`${url}/api/v1/session`).then(
        () => true,
        () => false,
      );
      if (answered) return { url, port: at, going };
      await new Promise((done) => setTimeout(done, 100));
    }
    await going.end();
    throw new Error(`goodput serve does not answer: ${going.said}`);
  }
}

export interface Server {
  url: string;
  port: number;
  going: Going;
}

/** A command under way. */
export class Going {
  said = "";
  ended = false;
  private readonly child: ChildProcess;
  private readonly over: Promise<void>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on("data", (data: Buffer) => (this.said += data.toString()));
    child.stderr?.on("data", (data: Buffer) => (this.said += data.toString()));
    this.over = new Promise((done) => {
      child.on("exit", () => {
        this.ended = true;
        done();
      });
      child.on("error", (e) => {
        this.said += String(e);
        this.ended = true;
        done();
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits for it, and asks it to end where it does not by itself. */
  async end(patience = 0): Promise<void> {
    const wait = (ms: number) => Promise.race([this.over, new Promise((done) => setTimeout(done, ms))]);
    if (patience > 0) await wait(patience);
    for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
      if (this.ended) return;
      this.child.kill(signal);
      await wait(20_000);
    }
  }
}

/** A port of loopback that nobody has. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
