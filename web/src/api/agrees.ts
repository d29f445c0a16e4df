// The page's own types held to the server's description, by the compiler: what the server sends is what the page expects.
// `npm run check` fails where it is not. schema.ts is written from the description; see types.mjs.

import type * as forms from "./forms";
import type * as hosts from "./hosts";
import type * as schedules from "./schedules";
import type { Schemas } from "./schema";
import type * as types from "./types";
import type * as view from "./view";

/** A type that says the same as `Page`, or more. */
type Sent<Page, Server extends Page> = Server;

export type Agreed = [
  Sent<types.Session, Schemas["Session"]>,
  Sent<types.RunList, Schemas["RunList"]>,
  Sent<types.Facets, Schemas["RunFacets"]>,
  Sent<types.RunDocument, Schemas["RunDocument"]>,
  Sent<types.Problem, Schemas["Problem"]>,
  Sent<types.Now, Schemas["Now"]>,
  Sent<types.LiveSample, Schemas["LiveSample"]>,
  Sent<{ page: view.Page }, Schemas["CompareDocument"]>,
  Sent<view.ExperimentDocument, Schemas["ExperimentDocument"]>,
  Sent<forms.CommandForm, Schemas["Form"]>,
  Sent<forms.Verdict, Schemas["Checked"]>,
  Sent<hosts.HostList, Schemas["HostList"]>,
  Sent<hosts.HostDifferences, Schemas["HostDifferences"]>,
  Sent<hosts.HostRecords, Schemas["HostRecords"]>,
  Sent<hosts.HostMatrix, Schemas["HostMatrix"]>,
  Sent<schedules.ScheduleList, Schemas["ScheduleList"]>,
  Sent<schedules.History, Schemas["HistoryDocument"]>,
];
