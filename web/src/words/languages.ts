// The languages there are, each under its own name. The files are `locales/<language>/*.ftl`.

/** Tags of the languages, English first: it is what the others are held to. */
export const LANGUAGES = ["en", "ja", "ru"] as const;

/** One of them. */
export type Language = (typeof LANGUAGES)[number];

/** Each language's name in itself, for the switch. */
export const NAMES: Readonly<Record<Language, string>> = { en: "English", ja: "日本語", ru: "Русский" };
