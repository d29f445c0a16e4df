import { describe, expect, it } from "vitest";
import { line, quoted, words } from "./command_line";

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

  it("reads both kinds of quotation marks and backslashes", () => {
    expect(words(`a "b c" 'd e' f\\ g "h\\"i" "j\\k"`)).toEqual(["a", "b c", "d e", "f g", 'h"i', "j\\k"]);
    expect(words("  ")).toEqual([]);
    expect(words("a 'b")).toBeNull();
  });
});
