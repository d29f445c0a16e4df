import { describe, expect, it } from "vitest";
import type { CommandForm, OptionForm } from "../api/forms";
import { filledOf, grouped, missing, wordsOf } from "./form_line";

const option = (name: string, more: Partial<OptionForm> = {}): OptionForm => ({
  name,
  value_name: "X",
  help: "",
  default: null,
  choices: [],
  kind: "text",
  group: "measurement",
  required: false,
  repeated: false,
  joined: false,
  ...more,
});

const form: CommandForm = {
  command: "stream",
  about: "",
  options: [
    option("--time"),
    option("HOST", { required: true, group: "hosts" }),
    option("--shared", { kind: "flag", value_name: null }),
    option("--label", { repeated: true }),
  ],
};

describe("a filled form", () => {
  it("becomes the line that a person would type", () => {
    expect(wordsOf(form, {})).toEqual(["stream"]);
    const filled = { HOST: [" lab:b "], "--time": [""], "--shared": [""], "--label": ["a=1", "", "b=x y"] };
    expect(wordsOf(form, filled)).toEqual(["stream", "lab:b", "--shared", "--label", "a=1", "--label", "b=x y"]);
  });

  it("of a command of two words has both", () => {
    expect(wordsOf({ ...form, command: "file copy" }, {})).toEqual(["file", "copy"]);
  });

  it("does not let a value be taken for an option", () => {
    expect(wordsOf(form, { "--time": ["-1s"] })).toEqual(["stream", "--time=-1s"]);
  });

  it("joins a value where the option needs that", () => {
    const joined = { ...form, options: [option("--no-delay", { joined: true })] };
    expect(wordsOf(joined, { "--no-delay": ["off"] })).toEqual(["stream", "--no-delay=off"]);
  });

  it("is filled in again by its line", () => {
    const line = ["stream", "lab:b", "--time=-1s", "--shared", "--label", "a=1", "--label", "b=x y"];
    const found = filledOf([{ ...form, command: "mtu" }, form], line);
    expect(found?.form).toBe(form);
    expect(wordsOf(form, found?.filled ?? {})).toEqual([
      "stream",
      "lab:b",
      "--time=-1s",
      "--shared",
      "--label",
      "a=1",
      "--label",
      "b=x y",
    ]);
  });

  it("is not filled in by a line that has what no form has", () => {
    for (const line of [["stream", "--unknown", "x"], ["nothing"], ["stream", "a", "b"], ["stream", "--time", "1s", "--time", "2s"]]) {
      expect(filledOf([form], line)).toBeNull();
    }
  });

  it("says what must still be filled in", () => {
    expect(missing(form, { "--time": ["1s"] })).toEqual(["HOST"]);
    expect(missing(form, { HOST: ["b"] })).toEqual([]);
  });

  it("stands under its headings", () => {
    expect(grouped(form).map((g) => [g.group, g.options.length])).toEqual([
      ["hosts", 1],
      ["measurement", 3],
    ]);
  });
});
