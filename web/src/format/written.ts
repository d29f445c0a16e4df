// Quantities as the reader of the page writes them: those of number.ts with the signs of the language.

import { signs } from "../words";
import * as plain from "./number";

function own<A extends unknown[]>(write: (...args: A) => string): (...args: A) => string {
  return (...args) => signs(write(...args));
}

export const NONE = plain.NONE;
export const percent = own(plain.percent);
export const perSecond = own(plain.perSecond);
export const rate = own(plain.rate);
export const rateSetting = own(plain.rateSetting);
export const volume = own(plain.volume);
