// From a filled form to the words of the command line. Pure.

import type { CommandForm, OptionForm, OptionGroup } from "../api/forms";

/** What somebody has filled in, by the option's name: one text a value; a switch that is on has one empty text. */
export type Filled = Readonly<Record<string, readonly string[]>>;

/** True for what stands by its place and not behind a name. */
export function byPlace(option: OptionForm): boolean {
  return !option.name.startsWith("-");
}

/** True for what is on or off. */
export function isSwitch(option: OptionForm): boolean {
  return option.kind === "flag";
}

/** The words after the program's name. What was left empty is left out, so that the defaults hold. */
export function wordsOf(form: CommandForm, filled: Filled): string[] {
  const words = form.command.split(" ");
  const given = (option: OptionForm) => (filled[option.name] ?? []).filter((v) => isSwitch(option) || v.trim() !== "");
  for (const option of form.options.filter(byPlace)) words.push(...given(option).map((v) => v.trim()));
  for (const option of form.options.filter((o) => !byPlace(o))) {
    for (const value of given(option)) {
      if (isSwitch(option)) words.push(option.name);
      // A value that begins like an option would be taken for one.
      else if (option.joined || value.startsWith("-")) words.push(`${option.name}=${value}`);
      else words.push(option.name, value.trim());
    }
  }
  return words;
}

/** The form that a line fills in, and with what; `null` for a line that has something that no form has. */
export function filledOf(
  forms: readonly CommandForm[],
  line: readonly string[],
): { form: CommandForm; filled: Record<string, string[]> } | null {
  const begins = (form: CommandForm) => form.command.split(" ").every((word, i) => line[i] === word);
  // `file copy` before `file`, where both are commands.
  const form = forms.filter(begins).sort((a, b) => b.command.length - a.command.length)[0];
  if (form === undefined) return null;
  const filled: Record<string, string[]> = {};
  const places = form.options.filter(byPlace);
  const rest = line.slice(form.command.split(" ").length);
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    const [name = "", ...after] = word.startsWith("--") ? word.split("=") : [];
    const option = name === "" ? (places.length > 1 ? places.shift() : places[0]) : form.options.find((o) => o.name === name);
    if (option === undefined) return null;
    let value = "";
    if (name === "") value = word;
    else if (after.length > 0) value = after.join("=");
    else if (!isSwitch(option)) value = rest[(i += 1)] ?? "";
    const known = filled[option.name];
    if (known !== undefined && !option.repeated) return null;
    filled[option.name] = [...(known ?? []), value];
  }
  return { form, filled };
}

/** Required arguments that are still empty. */
export function missing(form: CommandForm, filled: Filled): string[] {
  return form.options
    .filter((o) => o.required && !(filled[o.name] ?? []).some((v) => v.trim() !== ""))
    .map((o) => o.name);
}

/** Options under their headings, in the order in which they are filled in. */
export function grouped(form: CommandForm): { group: OptionGroup; options: OptionForm[] }[] {
  return (["hosts", "measurement", "common"] as const)
    .map((group) => ({ group, options: form.options.filter((option) => option.group === group) }))
    .filter(({ options }) => options.length > 0);
}
