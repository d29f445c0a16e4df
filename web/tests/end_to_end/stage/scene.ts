// What is on the stage when a story begins, told to the stories' process through the environment.

import { Home } from "./program";

export interface Scene {
  /** Home of the program under test. */
  home: string;
  /** The server that lets whoever started it in. */
  url: string;
  /** A server of the same runs that asks for a password. */
  guarded: string;
  password: string;
  /** The lab's name; null where there is none. */
  lab: string | null;
  /** Why there is none. */
  whyNoLab: string;
  /** Identifiers of stored runs by what they are. */
  runs: Record<"stream" | "again" | "sweep" | "request", string>;
  /** Folder of an experiment that needs a hand. */
  byHand: string;
}

const NAME = "GOODPUT_PAGE_SCENE";

export function tell(scene: Scene): void {
  process.env[NAME] = JSON.stringify(scene);
}

export function scene(): Scene {
  const told = process.env[NAME];
  if (told === undefined) throw new Error("the stage was not raised");
  return JSON.parse(told) as Scene;
}

export function home(): Home {
  return new Home(scene().home);
}

/** A host of the lab as a command names it. */
export function host(name: "a" | "b"): string {
  return `lab:${name}@${scene().lab ?? ""}`;
}
