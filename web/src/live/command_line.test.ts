import { describe, expect, it } from "vitest";
import { again, line, quoted, resumed, words } from "./command_line";

describe("a command line", () => {
  it("quotes what a shell would read otherwise", () => {
    expect(quoted("lab:a")).toBe("lab:a");
    expect(quoted("")).toBe("''");
    expect(quoted("two words")).toBe("'two words'");
    expect(quoted("it's")).toBe("'it'\\''s'");
    expect(quoted("a;b")).toBe("'a;b'");
  });

  it("comes back as the words it was made of", () => {
    for (const all of [
      ["stream", "lab:b", "--from", "lab:a", "--label", "note=it's 5 o'clock"],
      ["run", "/srv/my files/x.toml"],
      ["file", "", "\\", '"', "$HOME", "*"],
    ]) {
      expect(words(line(all))).toEqual(all);
    }
  });

  it("is typed once more without what belongs to how it was started", () => {
    const told = words("goodput stream --label schedule=nightly h --label=schedule=x --label a=schedule=1 --events --json");
    expect(again(told ?? [])).toEqual(["stream", "h", "--label", "a=schedule=1"]);
    expect(again(["mtu", "h"])).toEqual(["mtu", "h"]);
    expect(again(["goodput", "mtu", "h", "--label"])).toEqual(["mtu", "h", "--label"]);
    expect(again([])).toEqual([]);
  });

  it("goes on with an experiment, without what only its beginning could have", () => {
    const told = words("goodput run --label a=1 x.toml --seed 7 --quick --seed=8 --label=b=2 --events") ?? [];
    expect(resumed(told, "019a")).toEqual(["run", "x.toml", "--quick", "--resume", "019a"]);
    expect(resumed(["goodput", "stream", "h"], "019a")).toBeNull();
  });

  it("reads both kinds of quotation marks and backslashes", () => {
    expect(words(`a "b c" 'd e' f\\ g "h\\"i" "j\\k"`)).toEqual(["a", "b c", "d e", "f g", 'h"i', "j\\k"]);
    expect(words("  ")).toEqual([]);
    expect(words("a 'b")).toBeNull();
  });
});
