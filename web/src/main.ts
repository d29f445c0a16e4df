// Starts the page: the whole of it where a server answers, or the one run that the file carries within itself.

import { mount } from "svelte";
import "uplot/dist/uPlot.min.css";
import "./app.css";
import App from "./App.svelte";
import { carried } from "./api/carried";

const target = document.getElementById("app");
if (target !== null) {
  mount(App, { target, props: { carried: carried(document) } });
}
