// Messages with typed arguments, as the program puts them beside its English texts, in the reader's language. Pure.

import { FluentNumber, type FluentVariable } from "@fluent/bundle";
import type { Argument, Message } from "../api/view";
import { figure, look } from "./catalog";
import type { Language } from "./languages";
import { fromEnglish } from "./source_text";

/** The message in this language; `null` where no locale has it, and in English, whose text stands beside it. */
export function fromMessage(language: Language, message: Message | null | undefined): string | null {
  if (language === "en" || message === null || message === undefined) return null;
  if (message.id === "") return fromEnglish(language, message.text ?? "") ?? fromEnglish(language, message.text ?? "", "part");
  const args = Object.entries(message.args).map(([name, argument]) => [name, value(language, argument)] as const);
  return look(language, message.id, Object.fromEntries(args));
}

function value(language: Language, argument: Argument): FluentVariable {
  if ("text" in argument) return argument.text;
  if ("count" in argument) return new FluentNumber(argument.count, { useGrouping: argument.count >= 1000 });
  if ("quantity" in argument) return figure(language, argument.quantity.text);
  if ("message" in argument) return fromMessage(language, argument.message) ?? argument.message.text ?? "";
  const each = argument.list.map((one) => written(value(language, one)));
  return each.join(language === "ja" ? "、" : ", ");
}

function written(value: FluentVariable): string {
  return value instanceof FluentNumber ? String(value.value) : String(value);
}
