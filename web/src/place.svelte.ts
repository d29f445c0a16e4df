// Where the page is.

import { href, parse, type Route } from "./router";

const FIRST: Route = { kind: "runs", filter: {} };

class Place {
  #route = $state.raw<Route>(FIRST);

  /** The route that is shown. */
  get route(): Route {
    return this.#route;
  }

  /** Follows the address bar; the answer ends that. */
  follow(): () => void {
    const read = () => {
      // An address within a page leaves the page where it is.
      const route = parse(location.hash);
      if (route !== null) this.#route = route;
    };
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }

  /** Goes to a route; `replace` leaves no step to go back to. */
  go(route: Route, replace = false): void {
    const to = href(route);
    if (replace) {
      history.replaceState(null, "", to);
      this.#route = route;
    } else {
      location.hash = to;
    }
  }
}

export const place = new Place();
